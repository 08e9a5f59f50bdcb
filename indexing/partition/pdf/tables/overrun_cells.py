"""Tell the cells of a row apart where the text of one is drawn over those behind it."""

import itertools
from collections.abc import Iterable

from indexing.partition.pdf.tables.cells import CELL_GAP, Cell, Row, Word, is_one_cell

OVER = 1.0  # points, by which a word may reach into the next one


def untangled(row: Row) -> Row:
    """Return the cells of a row, words that lie over each other in cells of their own.

    A word that begins within another one begins a cell. What comes behind both goes on with the
    nearer one.
    """
    words = list(itertools.chain.from_iterable(row))
    reaches = itertools.accumulate((word.right for word in words), max)
    if all(word.left > reach - OVER for word, reach in zip(words[1:], reaches, strict=False)):
        return row
    cells: Row = []
    for word in words:
        cell = _nearest(word, cells)
        if cell and is_one_cell(cell, word, CELL_GAP):
            cell.append(word)
        else:
            cells.append([word])
    return cells


def _nearest(word: Word, cells: Iterable[Cell]) -> Cell | None:
    """Return the cell that ends next before a word, if one does."""
    before = (cell for cell in cells if cell[-1].right - OVER < word.left)
    return max(before, key=lambda cell: cell[-1].right, default=None)
