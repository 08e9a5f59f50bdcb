"""Take a mail out of the signature that it is wrapped in (S/MIME, RFC 8551; CMS, RFC 5652).

Only what is signed is read here, and not whether the signature is true. What is encrypted has no
such content. Sizes may be left open (BER), and the content be in pieces.
"""

from collections.abc import Iterator

SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_DATA = bytes.fromhex("2a864886f70d010701")

_OCTETS, _NAME, _SEQUENCE, _CONTENT = 0x04, 0x06, 0x30, 0xA0
_IN_PIECES = 0x20
_OPEN, _END = 0x80, b"\0\0"
_LONG_TAG = 0x1F
_MAX_DEPTH = 16

_Element = tuple[int, memoryview]
"""The tag of an element, and what it holds."""


def signed_content(wrapped: bytes) -> bytes | None:
    """Return what was signed, with its own heads; None where it is not to be had."""
    try:
        signed = _named(memoryview(wrapped), SIGNED_DATA)
        holders = [] if signed is None else list(_elements(signed))
        data = [_named_within(holder, _DATA) for tag, holder in holders if tag == _SEQUENCE]
        content = next((one for one in data if one is not None), None)
        return None if content is None else b"".join(_pieces(content))
    except (ValueError, IndexError):
        return None


def _named(data: memoryview, name: bytes) -> memoryview | None:
    """Return the content of the first element, if it has the name."""
    tag, inner = next(_elements(data), (0, data))
    content = _named_within(inner, name) if tag == _SEQUENCE else None
    return None if content is None else next(_elements(content), (0, content))[1]


def _named_within(data: memoryview, name: bytes) -> memoryview | None:
    elements = _elements(data)
    named, holder = next(elements, (0, data)), next(elements, (0, data))
    is_of_name = named[0] == _NAME and bytes(named[1]) == name
    return holder[1] if is_of_name and holder[0] == _CONTENT else None


def _pieces(data: memoryview, depth: int = 0) -> Iterator[memoryview]:
    for tag, content in _elements(data):
        if tag == _OCTETS:
            yield content
        elif tag == _OCTETS | _IN_PIECES and depth < _MAX_DEPTH:
            yield from _pieces(content, depth + 1)


def _elements(data: memoryview) -> Iterator[_Element]:
    at = 0
    while at < len(data) and data[at : at + 2] != _END:
        tag, start, end, at = _element(data, at, 0)
        yield tag, data[start:end]


def _element(data: memoryview, at: int, depth: int) -> tuple[int, int, int, int]:
    """Return the tag of the element that begins here, where its content begins and ends, the next.

    Raises:
        ValueError: it is none.
        IndexError: it is cut off.
    """
    tag, size, start = data[at], data[at + 1], at + 2
    if tag & _LONG_TAG == _LONG_TAG or depth > _MAX_DEPTH:
        raise ValueError("no element of such a message")
    if size == _OPEN:
        end = start
        while data[end : end + 2] != _END:
            *_, end = _element(data, end, depth + 1)
        return tag, start, end, end + 2
    if size > _OPEN:
        digits, start = size - _OPEN, start + size - _OPEN
        size = int.from_bytes(data[start - digits : start], "big")
    if start + size > len(data):
        raise IndexError("the element is cut off")
    return tag, start, start + size, start + size
