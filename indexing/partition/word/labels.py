"""Mark the tables of a Word document whose cells are labels, each with its value behind it.

None of their rows names the columns. They are told by their looks: the labels are in bold print, or
on a ground of their own, and that of the first row looks as all others do.
"""

import re
from collections.abc import Iterator

from indexing.partition.office.package_xml import Element
from indexing.partition.office.tables import NO_HEADER
from indexing.partition.word.elements import TBL, TC, TR, P, R, T, W, is_on, new_run

MIN_LABELS = 2

# Bits of the older way to say which parts of a style a table has. ECMA-376 part 4, 14.
_FIRST_ROW, _FIRST_COLUMN = ("firstRow", 0x20), ("firstColumn", 0x80)

_BITS = re.compile("[0-9A-Fa-f]{4}")
_NO_GROUND = ("auto", "FFFFFF")

_Look = tuple[bool, str]
"""Whether a cell is in bold print, and the colour of its ground, "" for none."""


def mark_labelled_tables(body: Element) -> None:
    """Put a mark that is left out of texts into each such table."""
    for table in body.iter(TBL):
        paragraph = table.find(f"{TR}/{TC}/{P}")
        if paragraph is not None and _is_labelled(table):
            paragraph.append(new_run(NO_HEADER))


def _is_labelled(table: Element) -> bool:
    rows = [list(row.iterchildren(TC)) for row in table.iterchildren(TR)]
    pairs = [row for row in rows if len(row) > 1]
    if len(pairs) < MIN_LABELS or any(len(row) % 2 for row in pairs):
        return False
    if table.find(f"{TR}/{W}trPr/{W}tblHeader") is not None:
        return False
    is_of_two_columns = all(len(row) == 2 for row in pairs)
    return (is_of_two_columns and _has_style_of_labels(table)) or _have_looks_of_labels(pairs)


def _has_style_of_labels(table: Element) -> bool:
    look = table.find(f"{W}tblPr/{W}tblLook")
    has_style = table.find(f"{W}tblPr/{W}tblStyle") is not None
    return (
        look is not None
        and has_style
        and _is_part(look, *_FIRST_COLUMN)
        and not _is_part(look, *_FIRST_ROW)
    )


def _is_part(look: Element, name: str, bit: int) -> bool:
    stated = look.get(f"{W}{name}")
    if stated is not None:
        return stated in ("1", "true", "on")
    bits = look.get(f"{W}val", "")
    return _BITS.fullmatch(bits) is not None and bool(int(bits, 16) & bit)


def _have_looks_of_labels(rows: list[list[Element]]) -> bool:
    further = [label for row in rows for label in row[2::2] if list(_written(label))]
    labels = {_look(label) for label in [*(row[0] for row in rows), *further]}
    values = {_look(value) for row in rows for value in row[1::2] if list(_written(value))}
    return len(labels) == 1 and any(next(iter(labels))) and labels.isdisjoint(values)


def _look(cell: Element) -> _Look:
    runs = list(_written(cell))
    is_bold = bool(runs) and all(is_on(run.find(f"{W}rPr/{W}b")) for run in runs)
    shading = cell.find(f"{W}tcPr/{W}shd")
    ground = "auto" if shading is None else shading.get(f"{W}fill", "auto")
    return is_bold, "" if ground in _NO_GROUND else ground


def _written(cell: Element) -> Iterator[Element]:
    """Yield the runs that say something."""
    return (run for run in cell.iter(R) if "".join(run.itertext(T)).strip())
