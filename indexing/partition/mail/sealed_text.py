"""Take out of the text of a mail what PGP has put into it (RFC 9580, 6.2 and 7)."""

import re

_SEALED = re.compile(
    r"^-----BEGIN PGP MESSAGE-----\s*$.*?(?:^-----END PGP MESSAGE-----[^\S\n]*\n?|\Z)",
    re.DOTALL | re.MULTILINE,
)

# Without an end it goes to that of the text: each beginning of one is looked at once.
_SIGNED = re.compile(
    r"^-----BEGIN PGP SIGNED MESSAGE-----[^\S\n]*\n(?:[A-Za-z]+: [^\n]*\n)*[^\S\n]*\n(?P<text>.*?)"
    r"(?:^-----BEGIN PGP SIGNATURE-----.*?(?:^-----END PGP SIGNATURE-----[^\S\n]*\n?|\Z)|\Z)",
    re.DOTALL | re.MULTILINE,
)
_ESCAPED = re.compile(r"^- (?=-)", re.MULTILINE)


def without_sealed(text: str) -> str:
    """Return what is left of the text, all of it where nothing is encrypted."""
    return _SEALED.sub("", text) if "BEGIN PGP MESSAGE" in text else text


def without_signature(text: str) -> str:
    """Return a text that is signed without its signature, any other as it is."""
    if "BEGIN PGP SIGNATURE" not in text:
        return text
    return _SIGNED.sub(lambda signed: _ESCAPED.sub("", signed["text"]), text)
