"""Decode what programs write in letters to send it by mail (RFC 2045), be it ever so odd."""

import binascii
import re
from collections.abc import Iterator

# The lines of almost all mails; the last letters fill up what is before them.
_WELL_FORMED = re.compile(rb"\s*+(?>(?:[A-Za-z0-9+/]{16,}+\s++)*)[A-Za-z0-9+/]*+=*+\s*+")
_NO_LETTERS = re.compile(rb"[^A-Za-z0-9+/=]+")
_FILLING = re.compile(rb"=+")
# Of a line that is cut by blanks all pieces but the last have more letters than words have.
_LETTERS_OF_PIECE = 16
_LETTERS_PER_FAULT = 20
# Some programs leave blanks behind the mark of a line that goes on.
_GOES_ON = re.compile(rb"=[ \t]++(?=\r?\n|\Z)")


def decode_base64(content: bytes) -> bytes:
    """Return what is encoded, and the text that lists of mails have put behind it, as it stands.

    Letters of none of the 64 are passed, and what is encoded in several pieces is put together.
    """
    if _WELL_FORMED.fullmatch(content):
        return b"".join(_decoded(content))
    lines = content.splitlines(keepends=True)
    count = next((n for n, line in enumerate(lines) if not _is_encoded(line)), len(lines))
    encoded, text = b"".join(lines[:count]), b"".join(lines[count:])
    pieces = [*_decoded(encoded)]
    return b"\n".join(filter(None, [b"".join(pieces), text]))


def decode_quoted_printable(content: bytes) -> bytes:
    """Return what is encoded; what is no good code stays as it is."""
    return binascii.a2b_qp(_GOES_ON.sub(b"=", content))


def _is_encoded(line: bytes) -> bool:
    pieces = line.split()
    size = sum(map(len, pieces))
    faults = size - sum(len(_NO_LETTERS.sub(b"", piece)) for piece in pieces)
    is_long = all(len(piece) >= _LETTERS_OF_PIECE for piece in pieces[:-1])
    return is_long and faults * _LETTERS_PER_FAULT <= size


def _decoded(encoded: bytes) -> Iterator[bytes]:
    for piece in _FILLING.split(_NO_LETTERS.sub(b"", encoded)):
        # A single letter is not even a byte.
        whole = piece[:-1] if len(piece) % 4 == 1 else piece
        yield binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
