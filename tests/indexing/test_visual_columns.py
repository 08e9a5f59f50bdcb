import pytest

from indexing.ocr import Line
from indexing.visual_columns import columns_of

HEIGHT = 20.0
TEXT = (
    "The landlord keeps the warehouse",
    "in repair and pays for what the",
    "tenant has not broken himself, and",
    "insures the house against fire and",
    "water. The tenant lets him in when",
    "he wants to look at the roof, if it",
    "is day and he has said so before.",
)
"""What a column says, each of whose lines is made of its own number."""


@pytest.mark.parametrize("count", [2, 3, 4])
def test_columns_of_text_are_read_one_after_the_other(count: int) -> None:
    columns = [_column(number) for number in range(count)]

    assert list(columns_of(_by_rows(columns))) == columns


def test_a_title_over_two_of_three_columns_comes_first() -> None:
    title = Line("A title that runs over two of the three columns", 60, -60, 700, -40)
    columns = [_column(number) for number in range(3)]

    read = list(columns_of([*_by_rows(columns), title]))

    assert [line for column in read for line in column] == [
        title,
        *(line for column in columns for line in column),
    ]


def test_cells_of_a_table_that_are_as_long_as_lines_stay_in_their_rows() -> None:
    texts = [
        ("Late delivery of parts", "Line stops for two days", "Second supplier abroad"),
        ("Data loss in the office", "Orders have gone missing", "Daily backup elsewhere"),
        ("Fire in the main hall", "Total loss of all tools", "Sprinklers in the roof"),
        ("Flood of the cellars", "Damage to the machines", "Pumps at both the doors"),
    ]
    lines = [
        _line(text, 400 * column, 40 * row)
        for row, cells in enumerate(texts)
        for column, text in enumerate(cells)
    ]

    assert list(columns_of(lines)) == [lines]


def test_cells_of_several_lines_stay_in_their_rows() -> None:
    lines = [
        _line(f"{start} of the text in a cell", 400 * column, 120 * row + 30 * number)
        for row in range(4)
        for number, start in enumerate(("Beginning", "middle", "ending"))
        for column in range(3)
    ]

    assert list(columns_of(lines)) == [lines]


def test_words_of_justified_lines_that_were_found_apart_are_of_their_column() -> None:
    columns = [_column(number) for number in range(3)]
    apart = [[*_words(line)] if n in (1, 3, 4, 5) else [line] for n, line in enumerate(columns[1])]
    columns[1] = [part for parts in apart for part in parts]

    assert list(columns_of([line for column in columns for line in column])) == columns


def test_a_line_whose_words_fill_its_column_far_apart_is_a_line_of_it() -> None:
    columns = [_column(number) for number in range(3)]
    first, *_, last = columns[1]
    shorter = [_line(line.text[:20], line.left, line.top) for line in columns[1][3:6]]
    apart = [
        _line(word, first.left + 110 * n, last.top) for n, word in enumerate(("is", "a", "day"))
    ]
    end = _line("and", max(line.right for line in columns[1]) - 30, last.top)
    columns[1] = [*columns[1][:3], *shorter, *apart, end]

    assert list(columns_of([line for column in columns for line in column])) == columns


@pytest.mark.parametrize("pitch", [pytest.param(62, id="wide"), pytest.param(26, id="close")])
def test_a_menu_whose_lines_stand_at_heights_of_their_own_is_read_by_itself(pitch: int) -> None:
    menu = [_line(text, 0, pitch * n) for n, text in enumerate(("Home", "Jobs", "Keys", "Log"))]
    rows = [
        _line(text, 200 + 150 * column, 10 + 40 * row)
        for row in range(6)
        for column, text in enumerate(("Backup", "done", "7 May"))
    ]

    assert list(columns_of([*rows, *menu])) == [menu, rows]


def test_the_figures_of_an_axis_are_no_menu() -> None:
    axis = [_line(f"{100 - 20 * n}", 0, 62 * n) for n in range(6)]
    bars = [_line(str(n), 200 + 150 * n, 10 + 40 * n) for n in range(6)]

    assert list(columns_of([*axis, *bars])) == [[*axis, *bars]]


@pytest.mark.parametrize(
    "lower", [pytest.param(0, id="top"), pytest.param(15, id="middle"), pytest.param(7, id="lower")]
)
def test_labels_of_rows_of_several_lines_stay_beside_them(lower: int) -> None:
    labels = [_line(f"No. {n}", 0, 100 * n + lower) for n in range(6)]
    texts = [_line("a text", 200, 100 * n + 30 * line) for n in range(6) for line in range(2)]
    lines = [*labels, *texts]

    assert list(columns_of(lines)) == [lines]


def test_labels_of_two_lines_stay_beside_the_figures_of_their_rows() -> None:
    labels = [_line(f"A label {n}", 0, 60 * n + 25 * line) for n in range(6) for line in range(2)]
    figures = [_line("12.50", 200 + 100 * column, 60 * n) for n in range(6) for column in range(3)]

    assert list(columns_of([*labels, *figures])) == [[*labels, *figures]]


def _words(line: Line) -> list[Line]:
    words = line.text.split()
    starts = [line.text.index(word) for word in words]
    return [
        _line(word, line.left + 10 * at, line.top) for word, at in zip(words, starts, strict=True)
    ]


def _column(number: int) -> list[Line]:
    return [_line(f"{text} {number}", 420 * number, 30 * n) for n, text in enumerate(TEXT)]


def _by_rows(columns: list[list[Line]]) -> list[Line]:
    return [line for row in zip(*columns, strict=True) for line in row]


def _line(text: str, left: float, top: float) -> Line:
    return Line(text, left, top, left + 10 * len(text), top + HEIGHT)
