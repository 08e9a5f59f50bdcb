"""Put the lines of a row together, where no rules part the rows: a cell may have several."""

import itertools
from collections.abc import Sequence
from statistics import median

from indexing.partition.pdf.tables.cells import (
    CLOSE,
    Cell,
    Row,
    has_figures,
    header_of,
    height_of,
    is_broken,
    is_broken_value,
    is_value,
    together,
    words_of,
)
from indexing.partition.pdf.tables.distances import APART, distances_of

CONTINUATION = 0.75  # of the usual distance of two rows
SPREAD = 1.2  # of the least distance of two lines: so far apart are others of a cell at most
NEARER = 0.9  # times as far as from the line above is one from that below, to belong to it
MIN_ROWS = 3  # with that of the header


def header_and_rows(lines: Sequence[Row], known: Sequence[range]) -> tuple[int, list[Row]]:
    """Return of how many lines the header is, and the rows below, the first of which are known."""
    distances = distances_of(lines)
    begun = lines_begun(lines, distances)
    if known:
        count, end = known[0].start, known[-1].stop
    else:
        count = header_of(lines)
        while count > 1 and begun[count - 1]:
            count -= 1
        count = _names_of(lines[:count], distances, lines[count:])
        end = count
    rows = [together(lines[row.start : row.stop]) for row in known]
    rest = whole_rows(lines[end:], distances[end:], begun[end:]) if end < len(lines) else []
    return count, [*rows, *rest]


def _names_of(above: Sequence[Row], distances: Sequence[float], rows: Sequence[Row]) -> int:
    """Return how many of the lines above rows name the columns.

    Where all are named, what is below them in a single column, and further than lines of a cell
    are from each other, is the rest of a row that the end of the page before cut.
    """
    rest = len(above)
    while rest and _filled(above[rest - 1]) == 1:
        rest -= 1
    if not rest or rest == len(above) or not all(above[rest - 1]):
        return len(above)
    column = next(number for number, cell in enumerate(above[rest]) if cell)
    if column == 0 or not all(one[column] for one in above[rest:]):
        return len(above)
    lines = [
        distance
        for row, distance in zip(rows, distances[len(above) :], strict=True)
        if row[column] and _filled(row) == 1
    ]
    is_of_row = bool(lines) and distances[rest] > APART * max(lines)
    return rest if is_of_row else len(above)


def lines_begun(rows: Sequence[Row], distances: Sequence[float]) -> list[bool]:
    """Tell of each line whether it begins a cell that goes on in the next line.

    Where cells stand at the bottom or in the middle of their rows, a text of several lines begins
    above all the others: nearer to what is below it than to what is above.
    """
    begun: list[bool] = []
    is_begun = False
    for at, (above, below) in enumerate(itertools.pairwise([*distances, 0.0])):
        is_nearer = below < NEARER * above or (is_begun and below < SPREAD * above)
        is_begun = is_nearer and 0 < below < CLOSE * _height(rows[at])
        is_begun = is_begun and _begins_above(rows[at], rows[at + 1 : at + 3])
        begun.append(is_begun)
    return begun


def _begins_above(row: Row, below: Sequence[Row]) -> bool:
    """Tell whether a line has texts behind the label of the line below, and over no cell of it.

    A single text may go on in that line; in the middle of a row texts go on behind it.
    """
    label, texts = below[0], [cell for cell in row if cell]
    if row[0] or not label[0] or any(map(is_value, texts)):
        return False
    others = [cell for above, cell in zip(row, label, strict=True) if cell and not above]
    if len(others) == sum(map(bool, label)):
        rest = below[1] if len(below) > 1 else row
        goes_on = not rest[0] and any(a and b for a, b in zip(row, rest, strict=True))
    else:
        goes_on = len(texts) == 1
    return goes_on and not any(
        other[0].left < text[-1].right and text[0].left < other[-1].right
        for text, other in itertools.product(texts, others)
    )


def whole_rows(rows: Sequence[Row], distances: Sequence[float], begun: Sequence[bool]) -> list[Row]:
    """Put rows together that are the lines of one; some are known to begin a cell of the next."""
    pitch = median(distances[1:]) if len(rows) > 1 else 0.0
    close = _line_distance(rows, distances[1:])
    whole: list[Row] = []
    for at, (row, gap) in enumerate(zip(rows, distances, strict=True)):
        is_begun = at > 0 and begun[at - 1]
        goes_on = at > 0 and not begun[at] and _goes_on(whole[-1], row, gap, pitch, close)
        if is_begun or goes_on:
            whole[-1] = together([whole[-1], row])
        else:
            whole.append(row)
    return whole


def _goes_on(above: Row, row: Row, gap: float, pitch: float, close: float) -> bool:
    """Tell whether a row is the next line of the one above.

    It is nearer than rows are, or has the rest of the label or the next lines of texts.
    """
    if gap < CONTINUATION * pitch and (_filled(row) < len(row) - 1 or _are_beside(above, row)):
        return True
    if is_continued(row) and (_filled(row) == 1 or not any(above[1:])):
        return True
    return (gap < close and _is_next_line(above, row)) or _is_rest(above, row)


def _is_rest(above: Row, row: Row) -> bool:
    """Tell whether all that a row has goes on from texts above, in small letters and no figures."""
    filled = [(one, other) for one, other in zip(above, row, strict=True) if other]
    lacks_figures = any(is_value(one) for one, other in zip(above, row, strict=True) if not other)
    return lacks_figures and all(
        bool(one) and not is_value(one) and other[0].text[0].islower() for one, other in filled
    )


def _filled(row: Row) -> int:
    return sum(map(bool, row))


def _are_beside(above: Row, row: Row) -> bool:
    return not any(a and b for a, b in zip(above, row, strict=True))


def _line_distance(rows: Sequence[Row], distances: Sequence[float]) -> float:
    """Return how far apart two lines of a cell are at most; 0 where none is seen to have two.

    Rows stand further apart; where they do not, their figures tell them. Of words alone, as in the
    foot of a letter, nobody knows what goes on where.
    """
    close = CLOSE * median(map(height_of, words_of(rows)))
    least = min(distances, default=0.0)
    if nearer := _distance_below_labels(rows[1:], distances):
        return max(nearer, close)
    if sum(one > CLOSE * least for one in distances) >= MIN_ROWS - 1:
        return max(SPREAD * least, close)
    return close if any(map(has_figures, rows)) else 0.0


def _distance_below_labels(rows: Sequence[Row], distances: Sequence[float]) -> float:
    """Return how far apart lines of a cell are at most, if those without a label tell; else 0.

    They all stand nearer to the line above than any line with a label does.
    """
    labelled = [distance for row, distance in zip(rows, distances, strict=True) if row[0]]
    others = [distance for row, distance in zip(rows, distances, strict=True) if not row[0]]
    if not others or len(labelled) < MIN_ROWS - 1 or max(others) > NEARER * min(labelled):
        return 0.0
    return (max(others) + min(labelled)) / 2


def _is_next_line(above: Row, row: Row) -> bool:
    """Tell whether the cells of the row are the next lines of texts above them."""
    if row[0] and not is_continued(row):
        return False
    return all(
        bool(one) and _is_next(one, other) for one, other in zip(above, row, strict=True) if other
    )


def _is_next(cell: Cell, line: Cell) -> bool:
    """Tell whether a line may be the next of a cell: both are text, or parts of one date."""
    if is_value(cell):
        return is_broken_value(cell[-1], line[0])
    return not is_value(line) or is_broken(cell[-1], line[0])


def is_continued(row: Row) -> bool:
    """Tell whether the row begins with the rest of a label."""
    return bool(row[0]) and row[0][0].text[0].islower()


def _height(row: Row) -> float:
    return median(word.height for cell in row for word in cell)
