"""Pages whose lines begin or end with a low object of its own, made with reportlab."""

from collections.abc import Sequence
from pathlib import Path

import pypdfium2
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.blocks import line_spans
from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import page_letters, raw_text
from indexing.partition.pdf.run_on_lines import parted, run_on_lines

SMALL = 0.02
"""So small such programs draw letters whose size they have made large."""

ITEMS = (
    "The depots of the harbour, with all their gates and all of their keys",
    "What stands in the yards, whoever has brought it there or left it",
    "The lamps and the oil for them, as far as they are paid for already",
)


def test_items_of_a_list_are_lines(tmp_path: Path) -> None:
    _write(tmp_path / "list.pdf", [("\N{MIDDLE DOT} ", item) for item in ITEMS])

    (page,) = open_pdf(tmp_path / "list.pdf").pages

    assert page.blocks[0].text.split("\n") == [f"\N{MIDDLE DOT} {item}" for item in ITEMS]
    assert len(set(page.blocks[0].line_boxes)) == 3


def test_a_full_stop_drawn_by_itself_ends_its_line(tmp_path: Path) -> None:
    _write(tmp_path / "text.pdf", [(item, " .") for item in ITEMS])

    (page,) = open_pdf(tmp_path / "text.pdf").pages

    assert page.blocks[0].text.split("\n") == [f"{item} ." for item in ITEMS]


def test_a_cell_beside_one_of_two_lines_is_not_parted_from_it(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "row.pdf"))
    for x, y, text in (
        (60, 780, "Depot"),
        (60, 764, "-"),
        (72, 764, "Harbour"),
        (200, 772, "open"),
    ):
        canvas.drawString(x, y, text)
    canvas.save()
    with pypdfium2.PdfDocument(tmp_path / "row.pdf") as pdf:
        page = pdf[0]
        textpage = page.get_textpage()
        letters = page_letters(page, textpage, raw_text(textpage))
        spans = line_spans(letters.text)

        found = run_on_lines(page, textpage, letters, spans, letters.places(page, textpage, spans))

        assert parted(page, textpage, letters, found).text == "Depot\n- Harbour open"


def _write(path: Path, lines: Sequence[Sequence[str]]) -> None:
    """Write lines below each other, each of a few objects."""
    canvas = Canvas(str(path))
    canvas.scale(SMALL, SMALL)
    canvas.setFont("Helvetica", 9 / SMALL)
    for number, line in enumerate(lines):
        x = 60 / SMALL
        for part in line:
            canvas.drawString(x, (780 - 14 * number) / SMALL, part)
            x += canvas.stringWidth(part, "Helvetica", 9 / SMALL)
    canvas.save()
