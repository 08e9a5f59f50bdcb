"""Part the mails of a mailbox that is one file (mbox, RFC 4155)."""

import mmap
import re
from collections.abc import Iterator
from pathlib import Path

# A line that no mail has: the sender, and the time of arrival. The heads of the mail follow.
_BEGIN = rb"From \S[^\n]{0,200}?\d\d:\d\d[^\n]{0,20}? \d{4}\b[^\n]{0,20}\n(?=[!-9;-~]{1,100}:)"
_FIRST = re.compile(rb"\s*+" + _BEGIN)
_NEXT = re.compile(rb"\n\r?\n(?=" + _BEGIN + rb")")
# Lines of a mail that look so are marked.
_MARKED = re.compile(rb"^>(?=>*+From )", re.MULTILINE)


def is_mailbox(path: Path) -> bool:
    """Tell whether the file is of several mails."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return bool(_FIRST.match(content) and _NEXT.search(content))


def mails_in(path: Path) -> Iterator[bytes]:
    """Yield the mails of a mailbox as they were sent, one at a time: they may be many."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        begin = 0
        for end in _NEXT.finditer(content):
            yield _sent(content[begin : end.end()])
            begin = end.end()
        yield _sent(content[begin:])


def _sent(mail: bytes) -> bytes:
    return _MARKED.sub(b"", mail)
