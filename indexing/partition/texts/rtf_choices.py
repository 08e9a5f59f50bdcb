r"""Choose among what an RTF text says in two ways: LibreOffice reads both, or the wrong one.

RTF specification 1.9.1, "Unicode RTF" (`\upr`) and "Fields".
"""

import re

from indexing.partition.office.symbol_fonts import sign

_GROUP = rb"\{(?>(?:[^{}\\]|\\.|\{(?>(?:[^{}\\]|\\.)*)\})*)\}"
# A text in the letters of a code page, before the same text in Unicode.
_IN_CODE_PAGE = re.compile(rb"\{\\upr(?![a-z])\s*" + _GROUP + rb"\s*\{\\\*\\ud(?![a-z])", re.DOTALL)
# A field that shows a sign of a font, with its own picture of it, if any.
_SYMBOL = re.compile(
    rb"\{\\field(?:\\[a-z]+ ?)*\s*\{\\\*\\fldinst(?![a-z])[\s{]*SYMBOL\s+([0-9]{1,5})\s"
    rb"[^{}]{0,100}?\\\\f\s+\"([^\"{}]{1,40})\"[^{}]{0,100}\}{1,2}\s*(?:" + _GROUP + rb"\s*)?\}",
    re.DOTALL,
)


def with_choices(rtf: bytes) -> bytes:
    """Return the text with the better of each two; the very same one where it has none."""
    if b"\\upr" in rtf:
        rtf = _IN_CODE_PAGE.sub(rb"{{", rtf)
    return _SYMBOL.sub(_shown, rtf) if b"SYMBOL" in rtf else rtf


def _shown(field: re.Match[bytes]) -> bytes:
    shown = sign(field[2].decode("latin-1"), int(field[1]))
    return rb"{\uc1\u%d?}" % ord(shown) if shown else field[0]
