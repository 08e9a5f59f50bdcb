"""Tell lines of running text on a PDF page from rows of a table, where figures are in both."""

import itertools

from indexing.partition.pdf.tables.cells import CELL_GAP, Row, is_leader

MIN_WORDS = 4


def as_text(row: Row) -> Row:
    """Return the row as one cell, if it is a line of text: no gap in it is wider than a space.

    Figures are parted where words are not (`4.7 | % more`, an account number), so that a line of
    text below a table would have cells, and in other columns than its rows.
    """
    if len(row) < 2:
        return row
    words = list(itertools.chain.from_iterable(row))
    gaps = (other.left - one.right for one, other in itertools.pairwise(words))
    widest = CELL_GAP * min(word.height for word in words)
    if not all(-widest < gap < widest for gap in gaps) or any(map(is_leader, words)):
        return row
    named = sum(part[0].isalpha() for word in words for part in word.text.split())
    return [words] if named >= MIN_WORDS else row
