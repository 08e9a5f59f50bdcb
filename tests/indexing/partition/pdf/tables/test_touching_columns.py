"""The second page of a printed sheet, which has no names: figures end where texts begin."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.tables.cells import SpacedWord, Word
from indexing.partition.pdf.tables.touching_columns import Touch, touches_of
from indexing.types import Block
from tests.indexing.partition.drawn_tables import blocks_of
from tests.indexing.partition.placed_words import line_of

ENDS = (150, 240, 330, 420)
GAP = 2.5  # points, between two columns


def test_figures_and_texts_that_touch_are_in_two_columns(tmp_path: Path) -> None:
    rows = [
        ["P-10", "82", "m", "5262.44", "Corex"],
        ["P-11", "373", "kg", "962.90", "Acme"],
        ["P-12", "7", "pc", "10.25", "Bolt"],
    ]

    (table,) = _printed(tmp_path, rows)

    assert table.text.splitlines() == [" | ".join(row) for row in rows]


def test_figures_of_one_width_are_in_two_columns_if_the_file_has_no_space_there(
    tmp_path: Path,
) -> None:
    rows = [
        ["Anna Ley", "143", "Oslo", "50.00"],
        ["Bob Orr", "144", "Rome", "918.81"],
        ["Cleo Ito", "145", "Bern", "34.16"],
    ]

    (table,) = _printed(tmp_path, rows)

    assert table.text.splitlines() == [" | ".join(row) for row in rows]


def test_amounts_and_units_with_a_narrow_gap_between_them_are_in_two_columns(
    tmp_path: Path,
) -> None:
    rows = [
        ["Flour", "40", "bags", "12.50"],
        ["Yeast", "100", "pc", "0.40"],
        ["Sugar", "5", "bags", "9.95"],
    ]

    (table,) = _printed(tmp_path, rows, (120, 240, 330, 420), gap=5.5)

    assert table.text.splitlines() == [" | ".join(row) for row in rows]


def test_a_unit_stays_with_its_figure(tmp_path: Path) -> None:
    rows = [["Buoy", "5 kg", "7.50", "82"], ["Bell", "12 kg", "30.00", "4"]]
    rows += [["Lamp", "150 kg", "2.25", "19"]]
    ends = (120, 240, 330, 420)

    (table,) = _printed(tmp_path, rows, ends)

    assert table.text.splitlines() == [" | ".join(row) for row in rows]


@pytest.mark.parametrize(
    ("figures", "is_touching"),
    [
        pytest.param(["5", "12", "150"], True, id="different"),
        pytest.param(["15", "12", "50"], False, id="as wide as each other"),
        pytest.param(["5", "12"], False, id="few"),
    ],
)
def test_columns_touch_where_figures_of_different_widths_end(
    figures: Sequence[str], *, is_touching: bool
) -> None:
    each: list[SpacedWord] = []
    joined: list[Word] = []
    for number, (figure, text) in enumerate(zip(figures, ["Oslo", "Rome", "Kyiv2"], strict=False)):
        one, other = line_of(number, (100 - 5 * len(figure), figure), (102, text))
        each += [SpacedWord(one, False), SpacedWord(other, False)]
        joined.append(one._replace(text=f"{figure} {text}", right=other.right))

    touches = touches_of(joined, lambda _: each)

    assert touches == ([Touch(100, 102)] if is_touching else [])


def test_a_unit_stays_with_its_figure_in_a_file_without_spaces() -> None:
    """Before the first word of a line there may be one, which is none between words."""
    rows = [line_of(n, (75, figure), (102, "zł")) for n, figure in enumerate(["35,00", "7,200"])]
    rows.append(line_of(2, (70, "118,00"), (102, "zł")))
    each = [SpacedWord(word, at == 0) for row in rows for at, word in enumerate(row)]
    joined = [one._replace(text=f"{one.text} zł", right=other.right) for one, other in rows]

    assert touches_of(joined, lambda _: each) == []


def test_no_columns_touch_where_the_words_of_most_rows_between_run_over_the_place() -> None:
    """The names of things have figures, too, and a date above them may end beside these."""
    rows = [line_of(0, (80, "2024"), (102, "r."))]
    rows += [line_of(number, (95, "5"), (102, "litres")) for number in (3, 6)]
    each = [SpacedWord(word, True) for row in rows for word in row]
    joined = [
        one._replace(text=f"{one.text} {other.text}", right=other.right) for one, other in rows
    ]
    names = [word for n in (1, 2, 4, 5) for word in line_of(n, (60, "Self-tapping screw"))]

    touches = touches_of([*joined, *names], lambda _: each)

    assert touches == []


def _printed(
    folder: Path,
    rows: Sequence[Sequence[str]],
    ends: Sequence[float] = ENDS,
    gap: float = GAP,
) -> list[Block]:
    """Return what is read of rows as a spreadsheet prints them."""
    canvas = Canvas(str(folder / "sheet.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 10)
    starts = [60, *(end + gap for end in ends)]
    for number, row in enumerate(rows):
        y = 760 - 13 * number
        for start, end, cell in zip(starts, [*ends, 500], row, strict=False):
            is_figure = cell[0].isdecimal()
            draw, x = (canvas.drawRightString, end) if is_figure else (canvas.drawString, start)
            draw(x, y, cell)
    canvas.save()
    return blocks_of(folder / "sheet.pdf")
