import pytest

from indexing.ocr import Line
from indexing.visual_letterheads import address_and_rest
from indexing.visual_rows import Row, rows_of

ADDRESS = ("Anna Roe & Sons", "Main Street 5", "Springfield IL 62701")
OTHER = ("Bob Smith", "12 Oak Avenue", "Oxbridge OX3 7TT", "United Kingdom")
NUMBERS = ("Invoice no. 4711", "Date: 3 May 2024", "Page 1")


def test_addresses_side_by_side_are_told_by_their_streets_and_towns() -> None:
    end, found = address_and_rest(rows_of(_lines(ADDRESS, OTHER)), 0)

    assert end == len(OTHER)
    assert _texts(found) == [[[text] for text in lines] for lines in (ADDRESS, OTHER)]


def test_what_stands_beside_an_address_keeps_its_rows() -> None:
    labels, values = ("Invoice", "Date", "Page"), ("4711", "3 May 2024", "1")

    _, found = address_and_rest(rows_of(_lines(ADDRESS, labels, values)), 0)

    assert _texts(found)[1] == [list(row) for row in zip(labels, values, strict=True)]


@pytest.mark.parametrize("street", ["Unit 9, Mill Park", "Flat 3, 12 High Street"])
def test_a_street_may_stand_behind_the_number_of_a_house_or_flat(street: str) -> None:
    address = ("From", "Kestrel Joinery Ltd", street, "Stroud GL5 2QA")

    _, found = address_and_rest(rows_of(_lines(address, NUMBERS)), 0)

    assert _texts(found) == [[[text] for text in lines] for lines in (address, NUMBERS)]


def test_three_addresses_are_one_after_the_other() -> None:
    _, found = address_and_rest(rows_of(_lines(ADDRESS, OTHER, ADDRESS)), 0)

    assert [lines[0] for lines in _texts(found)] == [[ADDRESS[0]], [OTHER[0]], [ADDRESS[0]]]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(("Name", "Street", "Town", "Country"), OTHER, id="form"),
        pytest.param(("Drug", "Aspirin 500", "Zinc 15", "Iron 100"), OTHER, id="list"),
        pytest.param(("Lamp", "Model 12", "3 May 2024"), NUMBERS, id="year"),
        pytest.param(("12 March", "Main Street 5", "Bonn 53111"), NUMBERS, id="no name"),
        pytest.param((*ADDRESS, *"ABCDEFG"), OTHER, id="long"),
    ],
)
def test_what_else_stands_side_by_side_is_no_address(
    left: tuple[str, ...], right: tuple[str, ...]
) -> None:
    assert address_and_rest(rows_of(_lines(left, right)), 0) == (0, [])


def test_a_text_below_an_address_ends_it() -> None:
    below = Line("Thank you for the goods that we have had from you in May", 0, 120, 560, 140)

    end, _ = address_and_rest(rows_of([*_lines(ADDRESS, NUMBERS), below]), 0)

    assert end == len(ADDRESS)


def test_an_address_with_nothing_beside_it_is_left_as_it_is() -> None:
    assert address_and_rest(rows_of(_lines(ADDRESS)), 0) == (0, [])


def _lines(*columns: tuple[str, ...]) -> list[Line]:
    return [
        Line(text, 400 * column, 30 * n, 400 * column + 10 * len(text), 30 * n + 20)
        for column, texts in enumerate(columns)
        for n, text in enumerate(texts)
    ]


def _texts(found: list[list[Row]]) -> list[list[list[str]]]:
    return [[[cell.text for cell in row] for row in rows] for rows in found]
