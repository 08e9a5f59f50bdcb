"""Tell headings over several columns by the names below them, which come again below each.

Not every program puts a heading into the middle above its columns: it may begin above the first of
them, or end above the last, and then stands above the name of that one alone.
"""

from collections.abc import Sequence

from indexing.partition.pdf.tables.cells import Cell, Row, texts_of

MIN_BELOW = 2  # columns
MIN_HEADINGS = 2


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


def _columns_below(headings: Row, names: Row) -> list[range]:
    """Return the columns of each heading; none if the names below them do not tell."""
    texts = [text for text in texts_of(headings) if text]
    count = len(texts)
    if count < MIN_HEADINGS or len(set(texts)) < count:
        return []
    named = texts_of(names)
    first = next(at for at, heading in enumerate(headings) if heading)
    for start in range(first + 1):
        width, rest = divmod(len(named) - start, count)
        once = named[start : start + width]
        if rest or width < MIN_BELOW or not all(once) or len(set(once)) < width:
            continue
        below = [range(at, at + width) for at in range(start, len(named), width)]
        if named[start:] == once * count and all(_has_one(headings, one) for one in below):
            return below
    return []


def _has_one(headings: Row, columns: range) -> bool:
    return sum(bool(headings[number]) for number in columns) == 1


def _joined(headings: Row, names: Row, below: Sequence[range]) -> Row:
    header = list(names)
    for columns in below:
        heading = next(headings[number] for number in columns if headings[number])
        for number in columns:
            header[number] = [*heading, *names[number]]
    return header
