import numpy as np
import pytest

from indexing.ocr import Line
from indexing.ruled_rows import Rule, edges_of_rows

COLUMNS = (0, 120, 460)
HEIGHT = 20

Cell = tuple[str, ...]
"""The lines of a cell."""

RISKS: list[list[Cell]] = [
    [("Risk",), ("What is done",), ("Owner",)],
    [("Supplier",), ("A second one is", "approved, stock of", "six weeks is kept"), ("Sales",)],
    [("Dollar",), ("Half of it is", "hedged"), ("Treasury",)],
    [("Fire",), ("Sprinklers are tested",), ("Safety",)],
]


def test_all_lines_between_two_rules_are_one_row() -> None:
    lines, rules = _table(RISKS)

    ((across, down),) = edges_of_rows(rules, lines)

    assert len(across) == len(COLUMNS) + 1
    assert across[1] < COLUMNS[1] < across[2] < COLUMNS[2] < across[3]
    starts = [line.top for line in lines if line.left == 0]
    assert np.searchsorted(down, starts).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("rules_left_out", [0, 1])
def test_the_first_and_the_last_row_may_have_a_rule_on_one_side(rules_left_out: int) -> None:
    lines, rules = _table(RISKS)
    far = Line("The register is kept by the board.", 0, 600, 340, 620)

    ((_, down),) = edges_of_rows(rules[: len(rules) - rules_left_out], [*lines, far])

    assert len(down) == len(RISKS) + 1


def test_a_total_below_the_last_row_is_none_of_its_lines() -> None:
    lines, rules = _table(RISKS)
    bottom = max(line.bottom for line in lines)
    total = Line("12,400.00", 460, bottom + 22, 550, bottom + 42)

    ((_, down),) = edges_of_rows(rules[:-1], [*lines, total])

    assert down[-1] < total.top


@pytest.mark.parametrize(
    "further",
    [
        pytest.param([("Flood", "Storm"), ("Pumps", "Anchors"), ("Safety", "Sales")], id="rows"),
        pytest.param([("Flood",), ("Pumps",), ("12.50", "13.00")], id="figures"),
    ],
)
def test_rules_between_groups_of_rows_do_not_part_rows(further: list[Cell]) -> None:
    lines, rules = _table([*RISKS, further])

    assert not list(edges_of_rows(rules, lines))


def test_where_each_cell_has_one_line_the_rules_are_not_asked() -> None:
    lines, rules = _table([[(cell[0],) for cell in row] for row in RISKS])

    assert not list(edges_of_rows(rules, lines))


def test_rules_of_different_lengths_are_no_rules_of_a_table() -> None:
    lines, rules = _table(RISKS)
    uneven = [Rule(rule.left, rule.right - 60 * n, rule.y) for n, rule in enumerate(rules)]

    assert not list(edges_of_rows(uneven, lines))


def _table(rows: list[list[Cell]]) -> tuple[list[Line], list[Rule]]:
    """Return the lines of a table, and a rule below each of its rows."""
    lines: list[Line] = []
    rules = []
    y = 0
    for row in rows:
        lines += [
            Line(text, left, y + 30 * n, left + 9 * len(text), y + 30 * n + HEIGHT)
            for left, cell in zip(COLUMNS, row, strict=True)
            for n, text in enumerate(cell)
        ]
        y += 30 * max(map(len, row)) + 20
        rules.append(Rule(0, 560, y - 15))
    return lines, rules
