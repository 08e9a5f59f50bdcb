"""Put right what programs write into XML as it may not stand there, so that nothing of it is lost.

They put texts together without asking what is in them: control characters that were pasted, signs
that XML takes for its own, bytes of another encoding.
"""

import html.entities
import re
import sys

# Without `#` a name; what is no reference at all is an `&` that stands for itself.
_AMPERSAND = re.compile(r"&(?:(#[0-9]{1,9}|#[xX][0-9A-Fa-f]{1,8}|[A-Za-z][A-Za-z0-9]{0,40});)?")
_LESS_THAN = re.compile(r"<(?![A-Za-z_/!?\x80-\U0010ffff])")
# What XML 1.0 has not, neither as it is nor as a reference.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_OF_XML = frozenset(("amp", "lt", "gt", "quot", "apos"))
_OF_ONE_BYTE = range(0x80, 0x100)
_IN_OTHER_ENCODING = 0xDC00  # is added to each byte that is no UTF-8


def in_legal_xml(part: bytes) -> bytes:
    """Return a part in UTF-8 with what it says in a form that XML allows.

    What is no XML for another reason, such as tags that are not closed, still is none. One with
    entities of its own is no such program's.
    """
    if b"<!ENTITY" in part:
        return part
    text = part.decode("utf-8", "surrogateescape")
    text = _AMPERSAND.sub(_reference, text)
    text = _LESS_THAN.sub("&lt;", text)
    return _FORBIDDEN.sub(_allowed, text).encode()


def _reference(found: re.Match[str]) -> str:
    name = found[1] or ""
    if name.startswith("#"):
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        letter = chr(code) if code <= sys.maxunicode else "\0"
        return _FORBIDDEN.sub(_allowed, letter) if _FORBIDDEN.match(letter) else found[0]
    if name in _OF_XML:
        return found[0]
    known = html.entities.html5.get(f"{name};", "")
    return "".join(f"&#{ord(letter)};" for letter in known) or f"&amp;{found[0][1:]}"


def _allowed(forbidden: re.Match[str]) -> str:
    letter = forbidden[0]
    byte = ord(letter) - _IN_OTHER_ENCODING
    if byte in _OF_ONE_BYTE:
        return bytes([byte]).decode("cp1252", "replace")
    # Those that part lines or words do so still.
    return " " if letter.isspace() else ""
