"""Write out the cells and rows of tables that an OpenDocument file names once for several."""

import copy
import itertools
from collections.abc import Iterator

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import CELL, ROW, TABLE

MAX_COPIES = 20_000
"""So many elements are written out at most: a small file may repeat tables within tables."""

MAX_CELLS = 1000
"""Of a row, behind an empty cell, so many are looked at."""


def count_of(element: Element, name: str) -> int:
    """Return how many rows or columns an element stands for, as it says by this name."""
    value = element.get(f"{TABLE}number-{name}", "1")
    return max(1, int(value)) if value.isdecimal() and len(value) < 8 else 1


def write_out_repeated(body: Element) -> None:
    """Put each row and cell of a text as often as it stands there.

    Not those at the end that hold nothing: sheets go on with these to their last cell.
    """
    left = MAX_COPIES
    # Inner tables first: they are repeated with the cells that they are in.
    for one, name in reversed(list(_repeated(body))):
        times = count_of(one, name) - 1
        del one.attrib[f"{TABLE}number-{name}"]
        size = sum(1 for _ in one.iter())
        if times * size <= left and not _is_empty_end(one):
            left -= times * size
            for _ in range(times):
                repeated = copy.deepcopy(one)
                repeated.tail = None
                one.addnext(repeated)


def _repeated(body: Element) -> Iterator[tuple[Element, str]]:
    for one in body.iter(ROW, CELL):
        name = "rows-repeated" if one.tag == ROW else "columns-repeated"
        if count_of(one, name) > 1:
            yield one, name


def _is_empty_end(one: Element) -> bool:
    """Tell whether neither the row or cell nor what follows it in its row says a thing."""
    behind = one.itersiblings(CELL) if one.tag == CELL else ()
    return not any(map(_says, itertools.chain([one], itertools.islice(behind, MAX_CELLS))))


def _says(element: Element) -> bool:
    # A picture, or a number of a list, has no words of its own.
    return any(len(paragraph) or paragraph.text for paragraph in element.iter("{*}p", "{*}h"))
