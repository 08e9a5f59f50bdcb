"""Part the files from the text of a mail that Unix and old Outlook have put into it as letters.

Each line of such a file begins with a letter that tells how many bytes it holds (POSIX,
`uuencode`); a line without any, and the word `end`, are behind the last.
"""

import binascii
import re
from collections.abc import Sequence
from typing import NamedTuple

_BEGIN = re.compile(r"begin [0-7]{3,4} (\S.*)")
_NO_BYTES = ("`", " ", "")
_END = "end"


class Attached(NamedTuple):
    """A file that is in the text of a mail."""

    name: str
    content: bytes


def text_and_files(text: str) -> tuple[str, list[Attached]]:
    """Return the text without the files, and these; what is not whole stays text."""
    if "begin " not in text:
        return text, []
    lines = text.splitlines()
    kept: list[str] = []
    files: list[Attached] = []
    at = 0
    while at < len(lines):
        begin = _BEGIN.fullmatch(lines[at])
        content, end = _decoded(lines, at + 1) if begin else (None, at)
        if begin and content is not None:
            files.append(Attached(begin[1], content))
            at = end + 1
        else:
            kept.append(lines[at])
            at += 1
    return ("\n".join(kept), files) if files else (text, [])


def _decoded(lines: Sequence[str], start: int) -> tuple[bytes | None, int]:
    """Return what a file holds, None if it is none, and where its last line is."""
    pieces: list[bytes] = []
    for at in range(start, len(lines)):
        if lines[at] == _END:
            return b"".join(pieces) or None, at
        if lines[at] in _NO_BYTES:
            continue
        try:
            pieces.append(binascii.a2b_uu(lines[at]))
        except (binascii.Error, ValueError):
            break
    return None, start
