"""Headings above one of their columns, with names that come again below each."""

import pytest

from indexing.partition.pdf.tables.cells import Row, cells_of, table_of, texts_of, words_of
from indexing.partition.pdf.tables.repeated_names import (
    may_repeat,
    with_headings_above,
    with_repeated_names,
)
from tests.indexing.partition.placed_words import line_of

NAMES = ["Item", "Plan", "Actual", "Plan", "Actual"]
SPREAD = ["Item", "2025 Plan", "2025 Actual", "2024 Plan", "2024 Actual"]


@pytest.mark.parametrize(
    "headings",
    [
        pytest.param(["", "2025", "", "2024", ""], id="above the first"),
        pytest.param(["", "", "2025", "", "2024"], id="above the last"),
        pytest.param(["", "2025", "", "", "2024"], id="above the one or the other"),
    ],
)
def test_a_heading_is_above_all_columns_whose_names_come_again(headings: list[str]) -> None:
    assert texts_of(with_repeated_names(_header(headings, NAMES))) == SPREAD


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        pytest.param(["", "2025", "", "2025", ""], NAMES, id="headings that are the same"),
        pytest.param(["", "2025", "2024", "", ""], NAMES, id="two above the same names"),
        pytest.param(["", "2025", "", "", ""], NAMES, id="one heading"),
        pytest.param(
            ["", "2025", "", "2024", ""],
            ["Item", "Plan", "Actual", "Sold", "Lost"],
            id="other names",
        ),
        pytest.param(
            ["", "Net", "", "Gross", ""],
            ["Item", "price", "price", "price", "price"],
            id="one name",
        ),
        pytest.param([""] * 5, NAMES, id="no heading"),
        pytest.param(["Net", "Old"], ["price", "price"], id="two columns"),
    ],
)
def test_other_names_stay_as_they_are(headings: list[str], names: list[str]) -> None:
    header = _header(headings, names)

    assert with_repeated_names(header) == header


@pytest.mark.parametrize(
    "above",
    [
        pytest.param([(160, "2025"), (360, "2024")], id="above the middle"),
        pytest.param([(100, "2025"), (300, "2024")], id="above the first"),
    ],
)
def test_the_line_above_names_that_come_again_has_their_headings(
    above: list[tuple[float, str]],
) -> None:
    table = table_of(_header([""] * 5, NAMES), [])

    found = with_headings_above(table, cells_of(line_of(0, *above)))

    assert may_repeat(table.names)
    assert found.names == SPREAD
    assert len(list(words_of([found.header]))) == len(NAMES) + len(above)


@pytest.mark.parametrize(
    ("number", "above"),
    [
        pytest.param(0, [(160, "2025"), (260, "2024")], id="not above theirs"),
        pytest.param(0, [(160, "2025"), (360, "2025")], id="that are the same"),
        pytest.param(0, [(0, "Costs"), (160, "2025"), (360, "2024")], id="and a label"),
        pytest.param(0, [(160, "2025")], id="one alone"),
        pytest.param(-1, [(160, "2025"), (360, "2024")], id="far above"),
        pytest.param(0, [], id="nothing"),
    ],
)
def test_another_line_above_has_none(number: int, above: list[tuple[float, str]]) -> None:
    table = table_of(_header([""] * 5, NAMES), [])

    assert with_headings_above(table, cells_of(line_of(number, *above))) is table


def _header(headings: list[str], names: list[str]) -> Row:
    """Return a header of two lines."""
    return [
        [word for at, text in enumerate(cell) if text for word in line_of(at, (100 * n, text))]
        for n, cell in enumerate(zip(headings, names, strict=True))
    ]
