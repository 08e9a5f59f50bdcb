"""Text that stands on its side beside text that stands upright."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf

PARTS = ["Side", "ways ", "margin re", "mark 77"]


@pytest.mark.parametrize("angle", [90, 270])
def test_words_drawn_in_parts_are_put_together(tmp_path: Path, angle: int) -> None:
    canvas = Canvas(str(tmp_path / "turned.pdf"))
    draw_upright(canvas)
    draw_turned(canvas, angle, PARTS)
    canvas.save()

    assert lines_of(tmp_path / "turned.pdf") == [
        "The harbour keeps its own books.",
        "They are open to the public.",
        "Sideways margin remark 77",
    ]


def test_a_page_on_its_side_is_read_as_one_that_is_not(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "turned.pdf"))
    canvas.setPageRotation(90)
    canvas.rotate(90)
    canvas.translate(0, -600)
    draw_upright(canvas, x=50)
    draw_turned(canvas, 90, PARTS, x=500)
    canvas.save()

    assert lines_of(tmp_path / "turned.pdf")[-1] == "Sideways margin remark 77"


def test_a_narrow_space_of_the_text_is_kept(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "turned.pdf"))
    draw_upright(canvas)
    canvas.rotate(90)
    canvas.drawString(300, -400, "Margin remark", charSpace=-1.5)
    canvas.save()

    assert lines_of(tmp_path / "turned.pdf")[-1] == "Margin remark"


def test_texts_beside_each_other_stay_apart(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "turned.pdf"))
    draw_upright(canvas)
    for x, name in ((300, "Welding"), (330, "First aid")):
        draw_turned(canvas, 90, [name], x=x)
    canvas.save()

    assert lines_of(tmp_path / "turned.pdf")[-2:] == ["Welding", "First aid"]


def draw_upright(canvas: Canvas, x: float = 72) -> None:
    canvas.drawString(x, 500, "The harbour keeps its own books.")
    canvas.drawString(x, 480, "They are open to the public.")


def draw_turned(canvas: Canvas, angle: int, parts: list[str], x: float = 400) -> None:
    canvas.saveState()
    canvas.translate(x, 350)
    canvas.rotate(angle)
    along = 0.0
    for part in parts:
        canvas.drawString(along, 0, part)
        along += canvas.stringWidth(part)
    canvas.restoreState()


def lines_of(path: Path) -> list[str]:
    (page,) = open_pdf(path).pages
    return "\n".join(block.text for block in page.blocks).split("\n")
