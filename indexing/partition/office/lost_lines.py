"""Put back what a conversion has lost of a text, told by the words of the original."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from indexing.types import Block, BlockKind

# A letter of a script without spaces is a word: where those begin and end is not told. Digits
# are one without the letters beside them, for they may be raised.
_WORD = re.compile(r"\d+|[^\W\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ufaff]+|[^\W_]")

_UNKNOWN = re.compile("(?<!\\w)\\w*+\ufffd[\\w\ufffd]*+")
# Words of such letters are those of another script, taken for one of the west.
_ACCENTED = re.compile("[\x80-\xff]")


def put_back(blocks: Sequence[Block], original: Iterable[Block]) -> list[Sequence[Block]]:
    """Return the blocks in parts, between them the lines of the original that they lack.

    A line, which may be a row of a table, is put behind the block that has the line before it.
    """
    there = Counter(word for block in blocks for word in _words(f"{block.header}\n{block.text}"))
    letters = [_letters(f"{block.header}\n{block.text}") for block in blocks]
    lost: dict[int, list[Block]] = {}
    place, before = 0, ""
    for block in original:
        lines = [line for line in (block.header, *block.text.split("\n")) if line]
        missing = [line for line in lines if not _take(line, there)]
        before = next((line for line in reversed(lines) if line not in missing), before)
        if missing:
            place = _place_behind(_letters(before), letters, place)
            lost.setdefault(place, []).append(_rest(block, missing))
    ends = [0, *lost, len(blocks)]
    parts: list[Sequence[Block]] = []
    for begin, end in itertools.pairwise(ends):
        parts += [blocks[begin:end], *([block] for block in lost.pop(end, []))]
    return parts


def _words(text: str) -> Iterator[str]:
    # Which hyphens and capitals there are is up to the program.
    text = _UNKNOWN.sub(" ", text.replace("\xad", "").casefold())
    words = (found[0] for found in _WORD.finditer(text))
    return (word for word in words if 2 * len(_ACCENTED.findall(word)) < len(word))


def _letters(text: str) -> str:
    return "".join(_words(text))


def _take(line: str, there: Counter[str]) -> bool:
    """Take the words of a line out of those that are there; tell whether half of it was."""
    letters = found = 0
    for word in _words(line):
        letters += len(word)
        if there[word] > 0:
            there[word] -= 1
            found += len(word)
    return found * 2 >= letters


def _place_behind(line: str, letters: Sequence[str], place: int) -> int:
    """Return the place behind the block with the line, none of which is before `place`."""
    places = range(max(place, 1), len(letters) + 1)
    return next((n for n in places if line in letters[n - 1]), place) if line else place


def _rest(block: Block, missing: Sequence[str]) -> Block:
    rows = [line for line in missing if line != block.header]
    if not rows:
        return Block(BlockKind.TEXT, block.header)
    return replace(block, text="\n".join(rows))
