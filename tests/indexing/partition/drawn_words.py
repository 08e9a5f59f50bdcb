"""Words as programs draw them: cell by cell, each with all of its lines."""

import itertools
from collections.abc import Sequence

from indexing.partition.pdf.tables.cells import Word

LINE = 12.0
LETTER = 5.0  # is so wide


def drawn_words(
    rows: Sequence[Sequence[str]], lefts: Sequence[float], place: float = 0.0, pause: float = 0.0
) -> list[Word]:
    """Return the words of cells, whose lines are parted by `/`, in the order of the cells.

    Cells stand at the top (0), in the middle (0.5) or at the bottom (1) of their rows, and these so
    far apart from each other.
    """
    words: list[Word] = []
    numbers = itertools.count()
    top = 0.0
    for row in rows:
        cells = [cell.split("/") if cell else [] for cell in row]
        height = max(map(len, cells)) * LINE
        for left, lines in zip(lefts, cells, strict=False):
            start = top + place * (height - len(lines) * LINE)
            for n, text in enumerate(lines):
                words.append(_word(text, next(numbers), left, start + n * LINE))
        top += height + pause
    return words


def _word(text: str, line: int, left: float, top: float) -> Word:
    right, bottom, height = left + LETTER * len(text), top + LINE - 3, LINE - 3
    return Word(text, line, left, top, right, bottom, height, top + height / 2)
