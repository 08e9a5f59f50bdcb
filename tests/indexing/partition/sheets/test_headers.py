import pytest

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.column_names import BoldText
from indexing.partition.sheets.headers import find_header


def bold(*texts: str) -> list[str]:
    return [BoldText(text) for text in texts]


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        pytest.param([["Name", "Price"], ["Lamp", "61"]], ["Name", "Price"], id="words"),
        pytest.param(
            [["Lamp", "2024-01-01", "2024-02-01"], ["Wick", "5", "6"]],
            ["Lamp", "2024-01-01", "2024-02-01"],
            id="months",
        ),
        pytest.param(
            [
                ["", "", "2025-05-01", "2025-05-02", "2025-05-03"],
                ["Name", "", "2025-05-01", "2025-05-02", "2025-05-03"],
                ["Ann", "", "F", "S", "N"],
            ],
            ["Name", "", "2025-05-01", "2025-05-02", "2025-05-03"],
            id="days that are weekdays too",
        ),
        pytest.param(
            [["Lamp", "1", "2", "3"], ["Wick", "5", "6", "7"]], ["Lamp", "1", "2", "3"], id="count"
        ),
        pytest.param(
            [["Clerk", "Shop", *("51", "52", "53", "54")], ["Ann", "Bath", *"8784"]],
            ["Clerk", "Shop", "51", "52", "53", "54"],
            id="weeks",
        ),
        pytest.param(
            [["Week 1", *"3456"], ["Week 2", "10", "11", "12", "13"]], None, id="calendar"
        ),
        pytest.param([["Lamp", *"3456"], ["Wick", *"3784"]], ["Lamp", *"3456"], id="counted on"),
        pytest.param([["Lamp", *"345"], ["Wick", *"378"]], None, id="too few to count"),
        pytest.param(
            [[*bold("Lamp"), "100", "500", "1000", "2000"], ["Wick", *"3456"]],
            ["Lamp", "100", "500", "1000", "2000"],
            id="quantities beside a word in bold print",
        ),
        pytest.param(
            [[*bold("Lamp"), *"1258"], [*bold("Wick"), *"3456"]], None, id="all words in bold print"
        ),
        pytest.param(
            [["Sum", "9", "7"], ["Name", "Sold", "Kept"], ["Lamp", "5", "6"]],
            ["Name", "Sold", "Kept"],
            id="below the sums",
        ),
        pytest.param(
            [["Sum", "9"], bold("Name", "Sold"), ["Lamp", "5"]],
            ["Name", "Sold"],
            id="below the sum, in bold print",
        ),
        pytest.param(
            [["", "9", "7"], ["", "up", "up"], ["Lamp", "5", "6"]], None, id="words that repeat"
        ),
        pytest.param(
            [[*bold("Lamp"), "2", *bold("Wick"), *"3589"], ["Chain", "1", "", *"3456"]],
            None,
            id="figures among words in bold print",
        ),
        pytest.param(
            [["Lamp", "9"], ["Wick", "none"], ["Chain", "5"]],
            None,
            id="a word in place of a figure",
        ),
        pytest.param([["Lamp", "7", "2", "3"], ["Wick", "5", "6", "7"]], None, id="values"),
        pytest.param(
            [["2024-01-01", "2024-02-01"], ["2024-01-03", "2024-02-05"]], None, id="dates as values"
        ),
        pytest.param(
            [*[["A line", "", ""]] * 9, ["Name", "Kg", "Price"], ["Lamp", "1", "61"]],
            ["Name", "Kg", "Price"],
            id="below a preamble",
        ),
        pytest.param(
            [["Author:", "Ann", "", ""], ["Name", "Kg", "Price", "Sum"], ["Lamp", *"123"]],
            ["Name", "Kg", "Price", "Sum"],
            id="below a name and its value",
        ),
        pytest.param([["Lease", ""], ["From:", "May"], ["To:", "June"]], None, id="labels"),
        pytest.param(
            [["", "2023", "", "2024", ""], ["", *["Sold", "Kept"] * 2], ["Lamp", *"1234"]],
            ["", "2023 Sold", "2023 Kept", "2024 Sold", "2024 Kept"],
            id="groups",
        ),
        pytest.param(
            [["CHF", "", "2023", "", "2022"], ["", *["Sold", "Kept"] * 2], ["Lamp", *"1234"]],
            ["CHF", "2023 Sold", "2023 Kept", "2022 Sold", "2022 Kept"],
            id="groups named at their right",
        ),
        pytest.param(
            [["", "2023", "", "", "", "2022"], ["", *["Sold", "Kept", ""] * 2]],
            ["", "2023 Sold", "2023 Kept", "", "2022 Sold", "2022 Kept", ""],
            id="groups with room between",
        ),
        pytest.param(
            [["Item", "Sold", "Price"], ["", "[pcs]", "[EUR]"], ["Lamp", "12", "61"]],
            ["Item", "Sold [pcs]", "Price [EUR]"],
            id="units below the names",
        ),
        pytest.param(
            [["Name", "First", "Second"], ["Ann", "yes", "yes"], ["Bob", "5", "no"]],
            ["Name", "First", "Second"],
            id="values that repeat",
        ),
    ],
)
def test_a_header_is_told_by_what_it_names(rows: list[Row], names: Row | None) -> None:
    header = find_header(rows)

    assert (header and header.names) == names
