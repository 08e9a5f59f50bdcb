"""Take out of the text of a mail what PGP has encrypted in it (RFC 9580, 6.2)."""

import re

_SEALED = re.compile(
    r"^-----BEGIN PGP MESSAGE-----\s*$.*?(?:^-----END PGP MESSAGE-----[^\S\n]*\n?|\Z)",
    re.DOTALL | re.MULTILINE,
)


def without_sealed(text: str) -> str:
    """Return what is left of the text, all of it where nothing is encrypted."""
    return _SEALED.sub("", text) if "BEGIN PGP MESSAGE" in text else text
