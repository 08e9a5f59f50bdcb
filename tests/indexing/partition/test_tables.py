import pytest

from indexing.partition.tables import is_header, is_number, table_block
from indexing.types import Block, BlockKind


@pytest.mark.parametrize("figure", ["1’850.00", "12'650.35", "(1’412)", "۱۵۰٬۰۰۰", "١٢٬٥٠٠٫٧٥"])
def test_figures_of_switzerland_and_in_arabic_script_are_numbers(figure: str) -> None:
    assert is_number(figure)


def test_the_header_is_kept_apart() -> None:
    block = table_block([["Carrier", "Days"], ["Northline", "2"], ["Seaway", "5"]])

    assert block == Block(BlockKind.TABLE, "Northline | 2\nSeaway | 5", header="Carrier | Days")


@pytest.mark.parametrize(
    ("row", "line"),
    [
        pytest.param(["a | b", "c"], "a|b | c", id="between words"),
        pytest.param(["a |  | b", "| c |"], "a|| b | |c|", id="several"),
        pytest.param(["|", "or", ""], "| | or", id="alone"),
        pytest.param(["a|b", "a||b"], "a|b | a||b", id="within words"),
    ],
)
def test_a_bar_within_a_cell_is_not_the_mark_between_cells(row: list[str], line: str) -> None:
    block = table_block([row])

    assert block is not None
    assert block.text == line


def test_a_table_without_header_keeps_every_row() -> None:
    block = table_block([["Northline", "2"], ["Seaway", "5"]])

    assert block == Block(BlockKind.TABLE, "Northline | 2\nSeaway | 5")


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        pytest.param([["Lessor:", "Hale"], ["Lessee:", "Reed"]], "", id="labels"),
        pytest.param(
            [["Lessor:", "Hale", "", "Since:", "1930"], ["Lessee:", "", "", "Until:", "1935"]],
            "",
            id="several a row",
        ),
        pytest.param(
            [["Item:", "Lamp", "", "Note:"], ["", "", "Item:", "Rug"]], "", id="values left out"
        ),
        pytest.param([["甲方：", "Hale"], ["乙方：", "Reed"]], "", id="wide colons"),
        pytest.param(
            [["Term:", "Meaning:"], ["Lessee:", "who rents"]], "Term: | Meaning:", id="all"
        ),
        pytest.param([["Term:", "Meaning"], ["Lessee", "who rents"]], "Term: | Meaning", id="one"),
        pytest.param(
            [["Item:", "Lamp", "Note:"], ["Oil", "3", "Wick:"]], "Item: | Lamp | Note:", id="some"
        ),
        pytest.param([["", "Hale:", "Reed"], ["Age:", "61", "30"]], " | Hale: | Reed", id="three"),
    ],
)
def test_labels_with_colons_name_no_columns(rows: list[list[str]], header: str) -> None:
    block = table_block(rows)

    assert block is not None
    assert block.header == header


def test_empty_rows_and_columns_are_dropped() -> None:
    block = table_block([["Carrier", "", "Days"], ["", "", ""], ["Northline", "", "2"]])

    assert block == Block(BlockKind.TABLE, "Northline | 2", header="Carrier | Days")


def test_an_empty_table_is_nothing() -> None:
    assert table_block([["", ""], []]) is None


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        pytest.param(["Measure", "2022", "2023"], True, id="years are column names"),
        pytest.param(["البند", "٢٠٢٣", "٢٠٢٤"], True, id="so are those in Arabic digits"),
        pytest.param(["شرح", "۱۴۰۲", "۱۴۰۳"], True, id="those of Iran"),
        pytest.param(["รายการ", "๒๕๖๖", "๒๕๖๗"], True, id="those of Thailand"),
        pytest.param(["", "Sales", "Profit"], True, id="the corner may be empty"),
        pytest.param(["Revenue", "412,000", "37"], False, id="numbers are values"),
        pytest.param(["Revenue", "(12.5%)", ""], False, id="so are percentages"),
        pytest.param(["Price list", "", ""], False, id="one cell is a title"),
    ],
)
def test_a_header_names_columns(row: list[str], answer: bool) -> None:
    assert is_header(row, 3) is answer


@pytest.mark.parametrize(
    ("names", "below", "answer"),
    [
        pytest.param(["", "31.12.2023", "31.12.2022"], ["Cash", "5", "6"], True, id="days"),
        pytest.param(["", "2023-01", "2023-02"], ["Cash", "5", "6"], True, id="months"),
        pytest.param(["", "2022/23", "2023–24"], ["Cash", "5", "6"], True, id="fiscal years"),
        pytest.param(
            ["", "2023.12.31", "2022.12.31"], ["Cash", "5", "6"], True, id="days from year"
        ),
        pytest.param(
            ["", "2023. 1. 31.", "2023. 2. 28."], ["Cash", "5", "6"], True, id="spaced days"
        ),
        pytest.param(["รายการ", "2566", "2567"], ["รายได้", "5", "6"], True, id="years of Thailand"),
        pytest.param(["", "08:00", "09:00", "10:00"], ["Ann", "late", "", "-"], True, id="times"),
        pytest.param(["Cash", "1999.50", "2050.25"], ["Bank", "5", "6"], False, id="amounts"),
        pytest.param(["", "0-14", "15–64", "65+"], ["Bath", "5", "6", "7"], True, id="ages"),
        pytest.param(
            ["", "2024-05-06", "2024-05-07", "2024-05-08"],
            ["Ann", "late", "", "-"],
            True,
            id="words",
        ),
        pytest.param(
            ["", "9-12", "13-17", "18-20"], ["Sun", "shut", "13-17", ""], False, id="hours"
        ),
        pytest.param(["", "1.2.2023", "3.4.2023"], ["Ann", "late", ""], False, id="two over words"),
        pytest.param(["Ann", "1.2.2023", "3.4.2023"], ["Bob", "1.5.2023", ""], False, id="values"),
        pytest.param(["Start", "1.2.2023", ""], ["Price", "5", ""], False, id="one date"),
        pytest.param(["Cash", "1.2.2023", "1.2.2023"], ["Bank", "5", "6"], False, id="twice"),
        pytest.param(["Cash", "1.2.2023", "3.4.2023"], ["Bank", "", ""], False, id="no values"),
    ],
)
def test_periods_and_ranges_name_columns_of_values(
    names: list[str], below: list[str], answer: bool
) -> None:
    block = table_block([names, below])

    assert block is not None
    assert bool(block.header) is answer
