import pytest

from indexing.partition.pdf.tables.cells import Row, cells_of, plain_text
from indexing.partition.pdf.tables.segments import is_far_off, segments_of
from tests.indexing.partition.placed_words import line_of

STOCK = ["Lamps", "Buoys", "Bells"]


def test_rows_below_each_other_are_one_segment() -> None:
    rows = [_row(0, (200, "2023")), *_figures(1)]

    assert _labels(rows) == [["2023", *STOCK]]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param(4, "The lamps of the harbour were counted in spring. " * 4, id="running text"),
        pytest.param(9, "Lamps", id="a wide gap"),
    ],
)
def test_a_table_ends(number: float, text: str) -> None:
    rows = [*_figures(0), _row(number, (0, text)), *_figures(number + 1)]

    first, *_ = _labels(rows)

    assert first == STOCK


@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param(3, "The next list has the people of the harbour.", id="a sentence"),
        pytest.param(3, "What they did in the year before", id="a line over the columns"),
        pytest.param(3.6, "Staff", id="a title apart"),
    ],
)
def test_what_stands_above_the_names_of_columns_begins_another_table(
    number: float, text: str
) -> None:
    names = _row(number + 1.5, (0, "Name"), (150, "Place"), (300, "Since"))
    rows = [*_figures(0), _row(number, (0, text)), names, *_figures(number + 2.5)]

    first, second = _labels(rows)

    # A title may be of both: `columns` tells.
    assert first[:3] == STOCK
    assert second[-4:] == ["Name", *STOCK]


@pytest.mark.parametrize(
    ("height", "count"), [pytest.param(14, 2, id="larger"), pytest.param(10, 1, id="as large")]
)
def test_a_title_in_larger_print_parts_two_tables_of_words(height: float, count: int) -> None:
    people = [_row(n, (0, "Ada"), (150, "Clerk"), (300, "there")) for n in range(4)]
    [[title]] = _row(5, (0, "Matters"))
    works = [_row(6.5 + n, (0, "Roof"), (150, "Mended")) for n in range(4)]

    segments = list(segments_of([*people, [[title._replace(height=height)]], *works]))

    assert len(segments) == count


def test_a_table_begins_below_the_text_of_a_letter_and_not_in_its_head() -> None:
    head = [_row(0, (300, "Customer"), (350, "JJ62804")), _row(1, (300, "Due"), (350, "30.50"))]
    text = _row(
        2.5, (0, "We thank you for your order, and send you the lamps for the quay of stone.")
    )
    table = [_row(4, (0, "Lamp"), (150, "Pieces"), (300, "Price")), *_figures(5)]

    first, second = _labels([*head, text, *table])

    assert (first, second[1:]) == (["Customer", "Due"], ["Lamp", *STOCK])


def test_a_row_with_a_longer_text_than_others_is_one_of_them() -> None:
    text = "lamps of brass for the long stone quay and its two gates, with their chains"
    rows = [_row(at, (0, "L"), (50, "lamps"), (500, f"{at}.50")) for at in range(4)]
    rows[2] = _row(2, (0, "L"), (50, text), (500, "2.50"))

    assert list(segments_of(rows)) == [rows]


def test_a_row_that_ends_with_a_longer_text_than_others_is_one_of_them() -> None:
    text = "Head of the harbour, the long stone quay and its two gates, since the spring"
    rows = [_row(at, (0, "Ana Salo"), (150, f"{at}7"), (200, "Head of sales")) for at in range(4)]
    rows[2] = _row(2, (0, "Elif Demir"), (150, "48"), (200, text))

    assert list(segments_of(rows)) == [rows]


def test_a_line_of_text_with_a_number_apart_is_no_row_of_figures() -> None:
    text = "of them were counted in the harbour and on the long stone quay with its gates"
    rows = [*_figures(0), _row(3, (0, "Lamps:"), (150, "12"), (200, text))]

    assert _labels(rows) == [STOCK]


def test_a_row_hardly_further_off_than_the_others_is_one_of_them() -> None:
    rows = [_row(at, (0, "Lamps"), (150, "12"), (300, "40")) for at in (0, 2.4, 4.8, 7.4)]

    assert list(segments_of(rows)) == [rows]


def test_the_next_lines_of_two_texts_are_no_names_of_columns() -> None:
    row = _row(3, (0, "Bells"), (150, "12"), (300, "Northern"), (400, "Stores the"))
    next_lines = _row(4, (300, "hatch"), (400, "heavy anchor"))
    rows = [*_figures(0), row, next_lines, _row(5, (400, "of brass"))]

    assert list(segments_of([*rows, *_figures(6)])) == [[*rows, *_figures(6)]]


def test_a_heading_among_rows_does_not_part_them() -> None:
    rows = [*_figures(0), _row(3, (0, "Of brass")), *_figures(4)]

    assert _labels(rows) == [[*STOCK, "Of brass", *STOCK]]


def test_the_title_of_a_page_parts_its_running_head_from_a_table() -> None:
    head = [word._replace(height=6) for word in line_of(0, (0, "Stock"), (300, "12"))]
    title = [word._replace(height=20) for word in line_of(2, (0, "Report"))]
    rows = [_row(3, (0, "What is in stock:")), _row(4, (0, "Lamp"), (150, "2023")), *_figures(5)]

    first, second = _labels([cells_of(head), cells_of(title), *rows])

    assert first == ["Stock"]
    assert second == ["Report", "What is in stock:", "Lamp", *STOCK]


@pytest.mark.parametrize("total", ["51.637,84 đ", "12 350,21 zł", "914 661,43 руб.", "9,000.00 TL"])
def test_a_sum_with_its_currency_behind_it_names_no_columns(total: str) -> None:
    rows = [*_figures(0), _row(3, (150, "In all"), (260, total))]

    assert list(segments_of(rows)) == [rows]


def test_names_of_columns_below_labels_with_their_values_begin_a_table() -> None:
    form = [_row(0, (0, "Account:"), (150, "7744")), _row(1, (0, "Holder:"), (150, "Ann"))]
    rows = [*form, _row(2, (0, "Date"), (150, "Text"), (300, "Paid")), *_figures(3)]

    assert _labels(rows) == [["Account:", "Holder:"], ["Date", *STOCK]]


def test_a_row_is_far_off_by_the_distances_of_those_above() -> None:
    assert is_far_off([*_figures(0), _row(4.5, (0, "Total"))])
    assert not is_far_off([*_figures(0), _row(3, (0, "Total"))])


def _figures(number: float) -> list[Row]:
    return [
        _row(number + n, (0, label), (150, f"{n}12"), (300, f"{n}40"))
        for n, label in enumerate(STOCK)
    ]


def _row(number: float, *words: tuple[float, str]) -> Row:
    return cells_of(line_of(number, *words))


def _labels(rows: list[Row]) -> list[list[str]]:
    return [[plain_text(row[0]) for row in segment] for segment in segments_of(rows)]
