"""Headings above one of their columns, with names that come again below each."""

import pytest

from indexing.partition.pdf.tables.cells import Row, texts_of
from indexing.partition.pdf.tables.repeated_names import with_repeated_names
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


def _header(headings: list[str], names: list[str]) -> Row:
    """Return a header of two lines."""
    return [
        [word for at, text in enumerate(cell) if text for word in line_of(at, (100 * n, text))]
        for n, cell in enumerate(zip(headings, names, strict=True))
    ]
