"""Put a large first letter before the rest of its word: `O` and `nce upon a time`.

Such a letter stands beside the first lines of a chapter and is drawn by itself, before them or long
after or before that: in the text it is a line of its own, and its word is not found.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.blocks import line_spans
from indexing.partition.pdf.boxes import Span, letter_places
from indexing.partition.pdf.joining_letters import NOT_WRITTEN
from indexing.stop_words import STOP_WORDS

MAX_LETTERS = 50_000
MAX_CAPITALS = 20
"""A page with more of either has other letters by themselves."""

LARGE = 1.6  # times the height of the line that it begins
NEAR = 1.2  # times the same: to the first letter of that line
OVERLAP = 0.3  # of the same, which an italic letter may reach into it

_LINE_END = "\r\n"
_WORD = re.compile(r"[^\W\d_]+")
_ALONE = re.compile(r"\n([^\W\d_])(?=\r|$)")
_REST = re.compile(r"['’]?[^\W\d_]+")
_STOP_WORDS = frozenset().union(*STOP_WORDS.values())
_WORDS = frozenset("aioeyàáéèóú")
"""Letters that are words of a language too: behind them a space may have been lost."""


@dataclass(frozen=True, slots=True)
class _Lines:
    spans: Sequence[Span]
    boxes: Shares  # of the first letters


def with_capitals(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, text: str
) -> str:
    """Return the text with each such letter in its word.

    The text is as long as `raw`, which is that of the page as PDFium has it.
    """
    if len(raw) > MAX_LETTERS:
        return text
    found = _ALONE.finditer(f"\n{text}")
    capitals = [match.start() for match in found if match[1].isupper()]
    if not 0 < len(capitals) <= MAX_CAPITALS:
        return text
    spans = line_spans(text)
    first = letter_places(page, textpage, raw, [start for start, _ in spans])
    lines = _Lines(spans, first * (page.get_size() * 2))
    words = Counter(_WORD.findall(text.casefold()))
    written = list(text)
    for capital in capitals:
        start = _line_begun(lines, capital)
        rest = _REST.match(text, start) if start is not None else None
        if rest is None or not _goes_on(rest[0], words):
            continue
        is_apart = _is_word(text[capital], rest[0], words)
        if text[capital + 1 : rest.start()].isspace():
            gap = rest.start() - capital - 1
            written[capital + 1 : rest.start()] = (" " if is_apart else NOT_WRITTEN) * gap
        elif not is_apart and text.endswith(_LINE_END, 0, rest.start()):
            _move(written, capital, rest.start())
    return "".join(written)


def _line_begun(lines: _Lines, capital: int) -> int | None:
    """Return where the uppermost line begins of those to the right of the letter."""
    number = next((n for n, (start, _) in enumerate(lines.spans) if start == capital), None)
    if number is None:
        return None
    _, top, right, bottom = lines.boxes[number]
    heights = lines.boxes[:, 3] - lines.boxes[:, 1]
    middles = (lines.boxes[:, 1] + lines.boxes[:, 3]) / 2
    gaps = lines.boxes[:, 0] - right
    beside = (top < middles) & (middles < bottom) & (bottom - top >= LARGE * heights)
    beside &= (-OVERLAP * heights <= gaps) & (gaps <= NEAR * heights)
    if not beside.any():
        return None
    return lines.spans[int(np.where(beside, middles, np.inf).argmin())][0]


def _goes_on(rest: str, words: Mapping[str, int]) -> bool:
    """Tell whether a line may begin within a word: in small letters, or in capitals as a part."""
    if rest.isupper():
        return len(rest) > 1 and not _is_known(rest, words)
    return rest.islower()


def _is_word(capital: str, rest: str, words: Mapping[str, int]) -> bool:
    """Tell whether the letter is a word by itself: the rest is one too, and both are not."""
    whole = (capital + rest).casefold()
    may_be = capital.casefold() in _WORDS and whole not in _STOP_WORDS and whole not in words
    return may_be and _is_known(rest, words)


def _is_known(rest: str, words: Mapping[str, int]) -> bool:
    """Tell whether the rest is a word; it stands on the page once in any case."""
    return rest.casefold() in _STOP_WORDS or words[rest.casefold()] > 1


def _move(written: list[str], capital: int, start: int) -> None:
    """Put the letter before the line, in the place of a letter of the line end that is there."""
    letter = written[capital]
    written[capital] = " "
    # Without it its line is empty, and is left out: the last one with the line end before it.
    end = capital + 1 if capital + 1 < len(written) else capital - len(_LINE_END)
    written[max(end, 0) : max(end, 0) + len(_LINE_END)] = " " * len(_LINE_END)
    written[start - 2 : start] = ["\n", letter]
