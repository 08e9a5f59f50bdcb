import pytest

from indexing.ocr import Line
from indexing.visual_addresses import addresses_in
from indexing.visual_rows import rows_of

LEFT = ("Bill to:", "Anna Roe", "Main Street 5", "Springfield IL 62701")
RIGHT = ("Ship to:", "Bob Smith", "Oak Avenue 12", "Portland OR 97201")


def test_addresses_side_by_side_are_found_with_their_lines() -> None:
    title = Line("INVOICE", 0, -60, 120, -40)

    ((start, end, addresses),) = addresses_in(rows_of([title, *_lines(LEFT, RIGHT)]))

    assert (start, end) == (1, 5)
    assert [[line.text for (line,) in one] for one in addresses] == [list(LEFT), list(RIGHT)]


def test_addresses_without_a_label_are_found_by_their_streets_and_towns() -> None:
    lines = _lines(("Your order", *LEFT[1:]), ("Our reference", *RIGHT[1:]))

    ((start, end, addresses),) = addresses_in(rows_of(lines))

    assert (start, end) == (0, 4)
    assert [one[1][0].text for one in addresses] == ["Anna Roe", "Bob Smith"]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(
            ("Name:", "Born:", "Place:"), ("Anna Roe", "3 May 1980", "Bremen"), id="labels"
        ),
        pytest.param(
            ("Article:", "Lamp", "Rope", "Lantern"),
            ("Price:", "61.00", "9.00", "24.50"),
            id="table",
        ),
        pytest.param(("Bill to:", *"ABCDEFGH"), ("Ship to:", *"STUVWXYZ"), id="long"),
        pytest.param(("Bill to:", "Anna Roe"), ("Ship to:", "Bob Smith"), id="single values"),
    ],
)
def test_what_else_stands_side_by_side_stays(left: tuple[str, ...], right: tuple[str, ...]) -> None:
    assert list(addresses_in(rows_of(_lines(left, right)))) == []


def test_lines_further_below_belong_to_no_address() -> None:
    below = Line("Thank you for your visit", 0, 200, 240, 220)

    ((_, end, _),) = addresses_in(rows_of([*_lines(LEFT, RIGHT), below]))

    assert end == 4


def _lines(left: tuple[str, ...], right: tuple[str, ...]) -> list[Line]:
    return [
        Line(text, x, 30 * n, x + 10 * len(text), 30 * n + 20)
        for x, texts in ((0, left), (400, right))
        for n, text in enumerate(texts)
    ]
