from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.tables.running_text import running_lines
from indexing.partition.pdf.tables.runs import count_steps, has_figures_at_end, runs_of, signs_of
from tests.indexing.partition.pdf_page import text_of

PROSE = "The landlord keeps the warehouse and its gates in good repair."


@pytest.mark.parametrize(
    ("line", "has_figures"),
    [
        ("Deck lamps 2,411 (1,018)", True),
        ("Margin 12% 14%", True),
        ("Net income $ 596 —", True),
        ("on 5 March 2024", False),
        ("Deck lamps 2,411", False),
        (PROSE, False),
    ],
)
def test_two_figures_at_the_end_of_a_line_are_a_sign(line: str, *, has_figures: bool) -> None:
    assert has_figures_at_end(line) is has_figures


def test_prose_has_no_run(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(6):
            canvas.drawString(60, 780 - 14 * number, PROSE)

    assert _runs(tmp_path, draw) == []


def test_a_run_has_the_short_lines_above_and_between(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for number, line in enumerate(["Stock", "Lamps 24 30", "of brass", "Buoys 12 14"]):
            canvas.drawString(60, 780 - 14 * number, line)

    assert _runs(tmp_path, draw) == [range(4)]


def test_a_blank_line_without_a_place_ends_no_run(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "rows.pdf"))
    canvas.drawString(60, 780, "Lamps 24 30")
    canvas.drawString(60, 766, "Buoys 12 14")
    canvas.save()
    with pypdfium2.PdfDocument(tmp_path / "rows.pdf") as pdf:
        rows = text_of(pdf[0])
    (first, second), (above, below) = rows.lines, rows.boxes
    text = replace(rows, lines=[first, "", second], boxes=[above, None, below])

    assert list(runs_of(text, [True, False, True], [inf] * 3)) == [range(3)]


def test_no_run_begins_with_the_text_above_its_first_row(tmp_path: Path) -> None:
    above = [f"{PROSE} {word}" for word in ("and says", "what is done", "there each year")]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for number, line in enumerate([*above, "Stock", "Lamps 24 30", "Buoys 12 14"]):
            canvas.drawString(60, 780 - 14 * number, line.lower())

    assert _runs(tmp_path, draw) == [range(3, 6)]


def test_figures_beside_each_other_are_a_sign_also_before_words(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for number, line in enumerate(["Lamps 24 3.50 in stock", "Buoys 12 1.25 until spring"]):
            canvas.drawString(60, 780 - 14 * number, line)

    assert _runs(tmp_path, draw) == [range(2)]


def test_a_run_follows_a_row_behind_a_cell_of_many_lines(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for top in (780, 640):
            canvas.drawString(60, top, "Lamps 24 30")
            for number in range(8):
                canvas.drawString(160, top - 14 * number, "of brass and oak")
            canvas.drawString(300, top, "45 61")

    assert _runs(tmp_path, draw) == [range(18)]


def test_figures_at_the_end_of_a_cell_of_many_lines_do_not_hide_what_is_beside_it(
    tmp_path: Path,
) -> None:
    def draw(canvas: Canvas) -> None:
        for top in (780, 640):
            canvas.drawString(60, top, "Lamps 24 30")
            for number in range(7):
                canvas.drawString(160, top - 14 * number, "of brass and oak")
            canvas.drawString(160, top - 98, "of sizes 12 14")
            canvas.drawString(300, top, "45 61")

    assert _runs(tmp_path, draw) == [range(18)]


def test_the_last_cell_of_a_run_may_be_beside_the_first_of_several_lines(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for top in (780, 740):
            canvas.drawString(60, top, "Deck lamp")
            canvas.drawString(160, top, "made of brass")
            canvas.drawString(160, top - 14, "and oak")
            canvas.drawString(300, top, "sold")

    assert _runs(tmp_path, draw) == [range(6)]


def test_the_last_row_of_a_run_may_begin_above_its_first_cell(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for top in (780, 740):
            canvas.drawString(60, top, "4 May")
            canvas.drawString(160, top + 13, "Card")
            canvas.drawString(160, top, "payment")
            canvas.drawString(300, top, "33.50" if top == 780 else "7")

    assert _runs(tmp_path, draw) == [range(7)]


def test_numbered_lines_that_end_with_a_date_are_of_a_run(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(3):
            canvas.drawString(60, 780 - 60 * number, f"{number}. Count the lamps 02.11.2022")
            for line in range(3):
                canvas.drawString(70, 766 - 60 * number - 14 * line, "of the northern harbour")

    assert _runs(tmp_path, draw) == [range(10)]


def test_rows_whose_cells_all_have_several_lines_go_on_a_run(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 800, "Lamps 24 30")
        canvas.drawString(60, 786, "Buoys 12 14")
        for top in (760, 720, 680):
            for left in (60, 160, 300):
                canvas.drawString(left, top, "made of")
                canvas.drawString(left, top - 14, "brass")

    assert _runs(tmp_path, draw) == [range(20)]


def test_lines_far_below_are_not_in_the_run(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for number, line in enumerate(["Lamps 24 30", "Buoys 12 14"]):
            canvas.drawString(60, 780 - 14 * number, line)
        for number in range(6):
            canvas.drawString(60, 700 - 14 * number, PROSE)

    (run,) = _runs(tmp_path, draw)

    assert run.stop <= 3


def test_cells_side_by_side_are_steps(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for x in (60, 200, 340):
            for number in range(3):
                canvas.drawString(x, 780 - 14 * number, "of brass")

    with pypdfium2.PdfDocument(_drawn(tmp_path, draw)) as pdf:
        assert count_steps(text_of(pdf[0])) == 2


def _runs(folder: Path, draw: Callable[[Canvas], None]) -> list[range]:
    with pypdfium2.PdfDocument(_drawn(folder, draw)) as pdf:
        text = text_of(pdf[0])
        signs = signs_of(text, list(map(has_figures_at_end, text.lines)))
        return list(runs_of(text, signs, running_lines(text, signs)))


def _drawn(folder: Path, draw: Callable[[Canvas], None]) -> Path:
    canvas = Canvas(str(folder / "page.pdf"), pagesize=A4)
    draw(canvas)
    canvas.save()
    return folder / "page.pdf"
