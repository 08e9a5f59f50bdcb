import pytest

from indexing.ocr import Line
from indexing.types import BlockKind
from indexing.visual_layer import arrange

Cells = list[list[tuple[str, float]]]


def line(text: str, left: float, top: float) -> Line:
    return Line(text, left, top, left + 10 * len(text), top + 20)


def kinds(rows: Cells) -> list[BlockKind]:
    lines = [line(*cell, 40 * number) for number, row in enumerate(rows) for cell in row]
    return [placed.block.kind for placed in arrange(lines)]


COSTS: Cells = [
    [("Item", 0), ("Cost", 560)],
    [("Electricity", 0), ("412.80", 540)],
    [("Heating oil", 0), ("1,204.00", 520)],
    [("Water", 0), ("96.15", 550)],
]


def test_labels_and_figures_below_the_names_of_both_are_a_table() -> None:
    lines = [line(*cell, 40 * number) for number, row in enumerate(COSTS) for cell in row]

    (placed,) = arrange(lines)

    assert placed.block.header == "Item | Cost"
    assert placed.block.text == "Electricity | 412.80\nHeating oil | 1,204.00\nWater | 96.15"
    assert len(placed.lines) == len(COSTS)


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(COSTS[1:], id="no names"),
        pytest.param(COSTS[:3], id="too few rows"),
        pytest.param([[("Item", 0), ("Cost", 250)], *COSTS[1:]], id="names elsewhere"),
        pytest.param([[("Name", 0), ("Anna", 560)]] * 4, id="words alone"),
        pytest.param([COSTS[0], *[[("24", 0), row[1]] for row in COSTS[1:]]], id="figures alone"),
    ],
)
def test_other_lines_with_something_at_their_end_are_text(rows: Cells) -> None:
    assert BlockKind.TABLE not in kinds(rows)
