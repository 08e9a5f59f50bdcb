from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.tables.running_text import begins_at, running_lines
from tests.indexing.partition.pdf_page import text_of

PROSE = [
    "The landlord keeps the warehouse, its gates and its quay in good repair, and",
    "says a month before when work is to be done there, so that the tenant may move",
    "what stands in the way of it; of the costs the tenant bears those of its lamps.",
]
ITEMS = [
    "Cleaning of all lamps and windows of the warehouse on both sides of the harbour",
    "Repair of gates, and of the quay in front of them, after each storm in the year",
    "Watch by night over all that lies there, with two guards and a boat of their own",
]


def test_long_lines_in_which_a_sentence_goes_on_are_running_text(tmp_path: Path) -> None:
    begin = _running(tmp_path, [*PROSE, "It ends."])

    assert [begins_at(one, left=60 / A4[0]) for one in begin] == [True, True, True, False]


def test_the_first_line_of_a_paragraph_may_be_indented(tmp_path: Path) -> None:
    begin = _running(tmp_path, PROSE, lefts=[80, 60, 60])

    assert [begins_at(one, left=80 / A4[0]) for one in begin] == [True] * 3


@pytest.mark.parametrize(
    "lines", [ITEMS, PROSE[:2], [line[:40] for line in PROSE]], ids=["items", "two", "short"]
)
def test_long_items_and_few_or_short_lines_are_none(tmp_path: Path, lines: Sequence[str]) -> None:
    begin = _running(tmp_path, lines)

    assert not any(begins_at(one, left=60 / A4[0]) for one in begin)


def test_lines_with_signs_of_a_table_are_none(tmp_path: Path) -> None:
    begin = _running(tmp_path, PROSE, signs=[False, True, False])

    assert not any(begins_at(one, left=60 / A4[0]) for one in begin)


def test_a_last_cell_of_several_lines_does_not_begin_where_its_table_does(tmp_path: Path) -> None:
    begin = _running(tmp_path, PROSE, lefts=[120] * 3)

    assert not any(begins_at(one, left=60 / A4[0]) for one in begin)


def _running(
    folder: Path,
    lines: Sequence[str],
    lefts: Sequence[float] = (),
    signs: Sequence[bool] = (),
) -> list[float]:
    canvas = Canvas(str(folder / "page.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 10)
    for number, (line, left) in enumerate(zip(lines, lefts or [60] * len(lines), strict=True)):
        canvas.drawString(left, 780 - 14 * number, line)
    canvas.save()
    with pypdfium2.PdfDocument(folder / "page.pdf") as pdf:
        return running_lines(text_of(pdf[0]), signs or [False] * len(lines))
