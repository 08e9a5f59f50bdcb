"""Values of no kind that is known: what stands behind a label, in a cell, or in a sentence."""

import re
from collections.abc import Iterator, Sequence

from extraction.built_in.layout import Passage, cells
from extraction.built_in.mentions import Mention

LONGEST_LABEL = 50
LONGEST_VALUE = 200
SHORTEST_SENTENCE = 20

_KEY = re.compile(rf"(?<!\w)(?P<label>[^\W\d_][^:|]{{0,{LONGEST_LABEL}}}?) ?[:：] ?(?=[^\s/])")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def labelled(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield what stands behind a label, in a cell, beside or below a short line; sentences too."""
    yield from behind_labels(passages)
    for passage in passages:
        if len(passage.lines) == 1 and "|" not in passage.text and (passage.left or passage.above):
            yield _mention(passage, 0, len(passage.text), form=0.3)
    yield from passages_of_text(passages)


def behind_labels(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield what stands behind a colon, and what stands in cells."""
    for passage in passages:
        yield from _cells(passage) if "|" in passage.text else _behind_colons(passage)


def passages_of_text(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield the sentences."""
    for passage in passages:
        for start, end in passage.sentences:
            if end - start >= SHORTEST_SENTENCE:
                yield _mention(passage, start, end)


def _behind_colons(passage: Passage) -> Iterator[Mention]:
    keys = list(_KEY.finditer(passage.text))
    ends = [*(key.start("label") for key in keys[1:]), len(passage.text)]
    for key, end in zip(keys, ends, strict=False):
        if end - key.end() <= LONGEST_VALUE:
            yield _mention(passage, key.end(), end, form=1.0)


def _cells(passage: Passage) -> Iterator[Mention]:
    for start, cell in cells(passage.text):
        _, colon, rest = cell.partition(":")
        value = rest.strip() if colon else cell
        if value:
            begin = start + cell.rindex(value)
            yield _mention(passage, begin, begin + len(value), form=0.7)


def _mention(passage: Passage, start: int, end: int, form: float = 0.0) -> Mention:
    text = passage.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    return Mention(passage, start, start + len(text), text, form=form)
