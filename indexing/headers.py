"""What a passage is searched with besides its own words: where it stands.

A passage rarely says which company, year or chapter it is about, but a question does. The name of
its document, the heading above it and the first lines of its page do say so
(`benchmarks/retrieval_quality.py` has what each is worth).
"""

import re
from collections.abc import Iterable
from pathlib import PurePath

from indexing.types import NO_PAGE, Page

MAX_HEAD_LINES = 3
MAX_HEAD_CHARACTERS = 160
LOOKED_AT_LINES = 12

REMEMBERED_FIRST_LINES = 4
REMEMBERED_LAST_LINES = 3
"""Of the page before: what stands there and here as well is a running head, and tells nothing."""

COMPARED_CHARACTERS = 60

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{3}")
_MEANINGLESS_NAME = re.compile(r"[0-9a-f]{16,}|[0-9a-f-]{32,}", re.IGNORECASE)
_JOINTS = re.compile(r"[_\-.\s]+")
_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_YEAR_AND_QUARTER = re.compile(r"((?:19|20)\d\d)(?=Q\d)")


class PageHeads:
    """Finds, page after page, the first lines that tell a page from the one before."""

    def __init__(self) -> None:
        self._seen: frozenset[str] = frozenset()

    def head_of(self, page: Page) -> str:
        """Return the head of the next page; "" for text that stands on no page."""
        if page.number == NO_PAGE:
            return ""
        lines = [
            line.strip()
            for block in page.blocks
            for line in f"{block.header}\n{block.text}".split("\n")
        ]
        lines = [line for line in lines if line]
        head: list[str] = []
        for line in lines[:LOOKED_AT_LINES]:
            if _without_digits(line) in self._seen or not _WORD.search(line):
                continue
            characters = sum(map(len, head)) + len(line)
            if head and (characters > MAX_HEAD_CHARACTERS or len(head) == MAX_HEAD_LINES):
                break
            head.append(line[:MAX_HEAD_CHARACTERS])
        edges = (*lines[:REMEMBERED_FIRST_LINES], *lines[-REMEMBERED_LAST_LINES:])
        self._seen = frozenset(map(_without_digits, edges))
        return " ".join(head)


def document_name(title: str, file_name: str) -> str:
    """Return the title of a document and the words of its file's name, where that has any."""
    stem = PurePath(file_name).stem
    words = "" if _MEANINGLESS_NAME.fullmatch(stem) else _words_of(stem)
    if words.lower() in title.lower():
        words = ""
    return " - ".join(part for part in (title, words) if part)


def joined(parts: Iterable[str], content: str) -> str:
    """Return what says where a text stands, without what the text begins with itself."""
    kept: list[str] = []
    for part in parts:
        if part and part not in kept and not content.startswith(part[:COMPARED_CHARACTERS]):
            kept.append(part)
    return " > ".join(kept)


def _words_of(stem: str) -> str:
    """Take `ACME_2022Q3AnnualReport` apart."""
    spaced = _CAMEL_CASE.sub(" ", _JOINTS.sub(" ", stem))
    return _YEAR_AND_QUARTER.sub(r"\1 ", spaced).strip()


def _without_digits(line: str) -> str:
    """Make the lines of a running head equal, whatever number the page has."""
    return _DIGITS.sub("#", line.lower())
