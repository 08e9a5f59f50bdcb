from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from indexing.boxes import turned, union
from indexing.partition.pdf.boxes import letter_places
from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import raw_text
from indexing.partition.pdf.upright import turned_page, turns_to_upright
from indexing.types import Block, BlockKind

LINES = [f"Line {number} of the lease of the lamp store." for number in range(1, 13)]
CELLS = [["Article", "Quantity", "Price"], ["Deck lamp", "12", "1,234.50"], ["Oil", "5", "80.00"]]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_lines_and_tables_keep_their_order_on_a_page_that_was_turned(
    tmp_path: Path, rotation: int
) -> None:
    canvas = _canvas(tmp_path)
    _write(canvas)
    canvas.save()
    _turn(tmp_path, rotation)

    blocks = _read(tmp_path)

    assert blocks[0].text.split("\n") == LINES
    assert (blocks[1].kind, blocks[1].header) == (BlockKind.TABLE, "Article | Quantity | Price")
    assert blocks[1].text == "Deck lamp | 12 | 1,234.50\nOil | 5 | 80.00"


@pytest.mark.parametrize(("quarter_turns", "shift"), [(1, (0, -595)), (3, (-842, 0))])
def test_text_that_runs_upwards_or_downwards_is_read_line_by_line(
    tmp_path: Path, quarter_turns: int, shift: tuple[float, float]
) -> None:
    canvas = _canvas(tmp_path)
    canvas.rotate(90 * quarter_turns)
    canvas.translate(*shift)
    _write(canvas)
    canvas.save()

    text, table = _read(tmp_path)

    assert text.text.split("\n") == LINES
    assert table.text == "Deck lamp | 12 | 1,234.50\nOil | 5 | 80.00"


def test_places_are_those_of_the_page_as_it_is_displayed(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    _write(canvas)
    canvas.save()
    _turn(tmp_path, 90)

    text, table = _read(tmp_path)

    # Turned clockwise, the top of the sheet is on the right, and its left side is above.
    assert text.line_boxes[0] == pytest.approx((0.92, 0.1, 0.94, 0.43), abs=0.02)
    words, cells = union(text.line_boxes), union(table.line_boxes)
    assert words is not None
    assert cells is not None
    assert cells[2] < words[0]


def test_letter_stands_elsewhere_for_as_long_as_its_page_is_turned(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    canvas.drawString(72, 700, "L")
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "turned.pdf") as pdf:
        page = pdf[0]
        textpage = page.get_textpage()
        first = letter_places(page, textpage, raw_text(textpage), [0])
        with turned_page(page, 1) as upright:
            meanwhile = letter_places(page, upright, raw_text(upright), [0])
        afterwards = letter_places(page, textpage, raw_text(textpage), [0])

    assert meanwhile == pytest.approx(turned(first, 1), abs=0.001)
    assert afterwards == pytest.approx(first)


def test_a_few_words_on_their_side_turn_no_page(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    _write(canvas)
    canvas.rotate(90)
    canvas.drawString(100, -20, "Harbour Light, copy no. 7")
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "turned.pdf") as pdf:
        textpage = pdf[0].get_textpage()
        assert turns_to_upright(pdf[0], textpage, textpage.get_text_range()) == 0


def _canvas(folder: Path) -> Canvas:
    return Canvas(str(folder / "turned.pdf"), pagesize=A4)


def _write(canvas: Canvas) -> None:
    for number, line in enumerate(LINES):
        canvas.drawString(60, 780 - 16 * number, line)
    table = Table(CELLS, style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    table.wrapOn(canvas, 400, 400)
    table.drawOn(canvas, 60, 480)


def _turn(folder: Path, rotation: int) -> None:
    with pypdfium2.PdfDocument(folder / "turned.pdf") as pdf:
        pdf[0].set_rotation(rotation)
        pdf.save(folder / "saved.pdf")
    (folder / "saved.pdf").replace(folder / "turned.pdf")


def _read(folder: Path) -> tuple[Block, ...]:
    (page,) = open_pdf(folder / "turned.pdf").pages
    return page.blocks
