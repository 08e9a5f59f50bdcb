"""Rows of words whose labels have several lines beside figures of one."""

import itertools
from collections.abc import Sequence

from indexing.partition.pdf.tables.cells import Word
from tests.indexing.partition.placed_words import LINE, line_of

ENDS = (0.0, 100.0, 200.0, 300.0)
LABELS = ["of the harbour", "at the gate", "with its chain", "in blue", "of brass"]
PAUSE = 0.5  # of a line, between two rows


def labelled_rows(
    counts: Sequence[int], place: float, pause: float = PAUSE
) -> tuple[list[Word], list[float]]:
    """Return the words of rows with labels of so many lines, and the heights between the rows.

    The figures stand at this place of them: from 0, their top, to 1.
    """
    words: list[Word] = []
    starts = list(itertools.accumulate((count + pause for count in counts), initial=1 + pause))
    for row, (start, count) in enumerate(zip(starts, counts, strict=False)):
        for number in range(count):
            words += line_of(start + number, (0, LABELS[(row + number) % len(LABELS)]))
        figures = (150, f"{row + 2}4"), (250, f"{row + 3}.50")
        words += line_of(start + place * (count - 1), *figures)
    return words, [LINE * (start - pause / 2) - 2 for start in starts[1:-1]]
