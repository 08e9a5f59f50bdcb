import pytest

from indexing.partition.pdf.tables.cells import (
    Word,
    cell_text,
    cells_of,
    has_figures,
    header_of,
    is_form,
    rows_of,
    table_of,
    together,
)

LETTER = 5.0  # points wide, and twice as high


def _word(text: str, left: float, *, middle: float = 5, height: float = 2 * LETTER) -> Word:
    top, bottom = middle - height / 2, middle + height / 2
    return Word(text, 0, left, top, left + LETTER * len(text), bottom, height, middle)


def test_words_side_by_side_are_a_row_from_the_left() -> None:
    words = [_word("right", 200), _word("below", 0, middle=20), _word("left", 0, middle=6)]

    rows = [[word.text for word in row] for row in rows_of(words)]

    assert rows == [["left", "right"], ["below"]]


def test_a_small_mark_above_the_others_is_of_their_row() -> None:
    words = [_word("Sales", 0), _word("1", 25, middle=2, height=4)]

    assert len(list(rows_of(words))) == 1


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        ([("Gross", 0), ("profit", 28)], ["Gross profit"]),
        ([("Gross", 0), ("profit", 60)], ["Gross", "profit"]),
        ([("12", 0), ("34", 14)], ["12", "34"]),
        ([("$", 0), ("1,200", 40)], ["$ 1,200"]),
        ([("1,200", 0), ("€", 27), ("900", 60)], ["1,200 €", "900"]),
        ([("7.5", 0), ("%", 30)], ["7.5 %"]),
        ([("KDV", 0), ("%", 18), ("20", 27)], ["KDV % 20"]),
        ([("7.5", 0), ("%", 18), ("20", 27)], ["7.5 %", "20"]),
        ([("in Mio.", 0), ("€", 37), ("2015", 160)], ["in Mio. €", "2015"]),
        ([("in", 0), ("Mio.", 13.5), ("€", 37), ("2015", 160)], ["in Mio. €", "2015"]),
    ],
    ids=[
        *("one-text", "two-texts", "two-figures", "sign-before", "sign-behind", "unit"),
        *("unit-before", "unit-between-figures"),
        *("of-label", "of-label-with-wide-spaces"),
    ],
)
def test_words_of_a_row_are_parted_at_wide_gaps(
    words: list[tuple[str, float]], cells: list[str]
) -> None:
    row = cells_of([_word(text, left) for text, left in words])

    assert [cell_text(cell) for cell in row] == cells


def test_dots_that_lead_to_a_figure_part_it_from_its_label() -> None:
    row = cells_of([_word("Rent", 0), _word("....", 21), _word("300", 42)])

    assert [cell_text(cell) for cell in row] == ["Rent", "300"]


def test_a_word_that_the_file_broke_is_whole_in_its_cell() -> None:
    cell = [_word("depre\x02", 0), _word("ciation", 0, middle=17)]

    assert cell_text(cell) == "depreciation"


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        pytest.param("2024-", "02-11", "2024-02-11", id="date"),
        pytest.param("Deck -", "61", "Deck - 61", id="dash"),
        pytest.param("up to 61 -", "brass", "up to 61 - brass", id="words"),
    ],
)
def test_a_figure_that_was_broken_behind_a_hyphen_is_whole(
    first: str, second: str, text: str
) -> None:
    assert cell_text([_word(first, 0), _word(second, 0, middle=20)]) == text


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        pytest.param("п/", "п", "п/п", id="in a name"),
        pytest.param("Street /", "Town", "Street / Town", id="between two words"),
        pytest.param("12/", "March", "12/ March", id="behind a figure"),
    ],
)
def test_a_name_that_was_broken_at_its_stroke_is_whole(first: str, second: str, text: str) -> None:
    assert cell_text([_word(first, 0), _word(second, 0, middle=20)]) == text


def test_the_rows_above_the_first_figures_name_the_columns() -> None:
    rows = [
        [[], [_word("First", 50)], [_word("Second", 90)]],
        [[_word("Year", 0)], [_word("half", 50)], [_word("half", 90)]],
        [[_word("Europe", 0)], [], []],
        [[_word("2024", 0)], [_word("12.5", 50)], [_word("14.1", 90)]],
    ]

    count = header_of(rows)

    assert [cell_text(cell) for cell in together(rows[:count])] == [
        "Year",
        "First half",
        "Second half",
    ]


@pytest.mark.parametrize(("text", "is_figure"), [("12.5", True), ("(3)", False), ("2024", False)])
def test_marks_of_notes_and_years_are_no_figures(text: str, *, is_figure: bool) -> None:
    assert has_figures([[_word("Label", 0)], [_word(text, 50)]]) is is_figure


@pytest.mark.parametrize(("label", "count"), [("B-33", 0), ("Article", 1), ("2024", 1)])
def test_a_first_row_with_a_label_like_those_below_names_no_columns(label: str, count: int) -> None:
    rows = [[label, "Paint", ""], ["A-17", "Rope", "4.50"], ["B-02", "Lamp", "30.00"]]
    cells = [[[_word(text, 0)] if text else [] for text in row] for row in rows]

    assert header_of(cells) == count


def test_names_on_the_line_of_a_text_may_be_left_out() -> None:
    header = [[_word("Stock", 0)], [_word("Lamps", 50)._replace(line=1)]]
    table = table_of(header, [[[_word("Deck", 0)], [_word("24", 50)]]])

    assert table.without_names_on({1}).names == ["Stock", ""]
    assert table.without_names_on({0, 1}).header == []
    assert table.without_names_on({2}) is table


def test_names_with_colons_are_those_of_a_form() -> None:
    form = [[[_word("Name:", 0)], [_word("Ada", 50)]], [[_word("Born:", 0)], [_word("1815", 50)]]]
    table = [[[_word("Name", 0)], [_word("Born", 50)]], [[_word("Ada", 0)], [_word("1815", 50)]]]

    assert is_form(form)
    assert not is_form(table)


@pytest.mark.parametrize(
    ("numbers", "below", "count"),
    [
        (["100", "102", "105"], ["7:10", "8:10", "–"], 1),
        (["100", "102", "105"], ["yes", "no", "yes"], 1),
        (["10", "20", "30"], ["1.5", "1.7", "1.8"], 1),
        (["100", "102", "105"], ["1.5", "1.7", "1.8"], 0),
        (["10", "20", "30"], ["40", "50", "60"], 0),
        (["105", "102", "100"], ["7:10", "8:10", "9:10"], 0),
    ],
    ids=["times", "words", "even-steps", "uneven-steps", "numbers-below", "downwards"],
)
def test_whole_numbers_that_go_up_name_columns_of_another_kind(
    numbers: list[str], below: list[str], count: int
) -> None:
    rows = [
        [[_word(text, 50 * n)] for n, text in enumerate([label, *cells])]
        for label, cells in (("Stop", numbers), ("Quay", below), ("Mole", below))
    ]

    assert header_of(rows) == count


@pytest.mark.parametrize(
    ("names", "below", "count"),
    [
        (["1", "2", "3", "4", "5", "Sum"], ["8", "7", "", "8", "8", "31"], 1),
        (["1", "2", "3", "Sum"], ["8", "7", "8", "23"], 0),
        (["1", "2", "3", "4", "5", "8"], ["8", "7", "", "8", "8", "31"], 0),
        (["1", "2", "3", "4", "5", "Sun"], ["7", "8", "9", "10", "11", "Sun"], 0),
    ],
    ids=["days", "few", "skipping", "calendar"],
)
def test_whole_numbers_that_go_on_by_one_beside_words_name_columns_of_their_kind(
    names: list[str], below: list[str], count: int
) -> None:
    rows = [
        [[_word(text, 50 * n)] if text else [] for n, text in enumerate([label, *cells])]
        for label, cells in (("Staff", names), ("Ali", below), ("Gül", below))
    ]

    assert header_of(rows) == count
