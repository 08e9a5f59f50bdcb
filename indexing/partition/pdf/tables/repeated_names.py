"""Tell headings over several columns by the names below them, which come again below each.

Not every program puts a heading into the middle above its columns: it may begin above the first of
them, or end above the last, and then stands above the name of that one alone.
"""

from collections.abc import Sequence
from dataclasses import replace

from indexing.partition.pdf.tables.cells import Cell, Row, Table, texts_of

MIN_BELOW = 2  # columns
MIN_HEADINGS = 2
NEAR = 2.5  # of the height of a line, from a heading to the names


def with_repeated_names(header: Row) -> Row:
    """Return the header with each heading above all of its columns, if their names tell these."""
    columns = [cell for cell in header if cell]
    if len(columns) < MIN_BELOW * MIN_HEADINGS or all(map(_is_one_line, columns)):
        return header
    middles = {word.line: word.middle for cell in columns for word in cell}
    for line in sorted(middles, key=middles.__getitem__)[:-1]:
        headings = [[word for word in cell if word.middle <= middles[line]] for cell in header]
        names = [[word for word in cell if word.middle > middles[line]] for cell in header]
        if below := _columns_below(headings, names):
            return _joined(headings, names, below)
    return header


def _is_one_line(cell: Cell) -> bool:
    return cell[0].line == cell[-1].line


def with_headings_above(table: Table, above: Row) -> Table:
    """Return the table with the line above its names, if each of its cells is over as many.

    Such names come again below each, and the line is as near as one of the header.
    """
    names = texts_of(table.header)
    texts = texts_of(above)
    below = _repeated(names, len(texts)) if len(set(texts)) == len(texts) else []
    if not below or not all(
        map(_is_above, above, ([table.header[n] for n in one] for one in below))
    ):
        return table
    header = list(table.header)
    for heading, text, columns in zip(above, texts, below, strict=True):
        header[columns[0]] = [*heading, *header[columns[0]]]
        for number in columns:
            names[number] = f"{text} {names[number]}"
    return replace(table, header=header, names=names)


def may_repeat(names: Sequence[str]) -> bool:
    """Tell whether names may come again, which is seen in no time."""
    return len(set(names)) <= len(names) - MIN_BELOW


def _is_above(heading: Cell, names: Row) -> bool:
    middle = (heading[0].left + heading[-1].right) / 2
    top = min(cell[0].top for cell in names)
    distance = top + heading[0].height / 2 - heading[0].middle
    is_near = 0 < distance < NEAR * heading[0].height
    return is_near and names[0][0].left < middle < names[-1][-1].right


def _repeated(names: Sequence[str], count: int) -> list[range]:
    """Return the columns of so many headings; none if the names are not the same below each."""
    if count < MIN_HEADINGS:
        return []
    for start in range(len(names) - MIN_BELOW * count + 1):
        width, rest = divmod(len(names) - start, count)
        once = list(names[start : start + width])
        is_each_one = all(once) and len(set(once)) == width
        if not rest and is_each_one and list(names[start:]) == once * count:
            return [range(at, at + width) for at in range(start, len(names), width)]
    return []


def _columns_below(headings: Row, names: Row) -> list[range]:
    """Return the columns of each heading; none if the names below them do not tell."""
    texts = [text for text in texts_of(headings) if text]
    if len(set(texts)) < len(texts):
        return []
    below = _repeated(texts_of(names), len(texts))
    return below if all(_has_one(headings, one) for one in below) else []


def _has_one(headings: Row, columns: range) -> bool:
    return sum(bool(headings[number]) for number in columns) == 1


def _joined(headings: Row, names: Row, below: Sequence[range]) -> Row:
    header = list(names)
    for columns in below:
        heading = next(headings[number] for number in columns if headings[number])
        for number in columns:
            header[number] = [*heading, *names[number]]
    return header
