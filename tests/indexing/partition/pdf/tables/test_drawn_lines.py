from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.pictures import drawn_objects
from indexing.partition.pdf.tables.drawn_lines import drawn_lines


@pytest.mark.parametrize(
    ("stroke", "fill", "found"),
    [
        pytest.param(1, 0, (4, 0), id="a frame"),
        pytest.param(0, 1, (0, 1), id="a coloured cell"),
        pytest.param(1, 1, (4, 1), id="both"),
        pytest.param(0, 0, (0, 0), id="a clip"),
    ],
)
def test_a_rectangle_is_lines_or_a_ground_as_it_is_drawn(
    tmp_path: Path, stroke: int, fill: int, found: tuple[int, int]
) -> None:
    canvas = Canvas(str(tmp_path / "cell.pdf"), pagesize=(300, 200))
    canvas.rect(50, 100, 60, 20, stroke=stroke, fill=fill)
    canvas.save()

    assert _count(tmp_path / "cell.pdf") == found


def test_strokes_of_letters_and_slanted_lines_are_none(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "strokes.pdf"), pagesize=(300, 200))
    canvas.setLineWidth(0.1)
    canvas.line(50, 100, 53, 100)
    canvas.line(50, 50, 150, 150)
    canvas.save()

    assert _count(tmp_path / "strokes.pdf") == (0, 0)


def test_pictures_of_a_single_pixel_are_lines_and_grounds(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "dvips.pdf"), pagesize=(300, 200))
    pixel, photograph = (ImageReader(Image.new("1", (side, side))) for side in (1, 2))
    for picture, place in ((pixel, 0), (photograph, 90)):
        canvas.drawImage(picture, 50 + place, 100, width=60, height=0.5)
        canvas.drawImage(picture, 50 + place, 120, width=60, height=20)
    canvas.save()

    assert _count(tmp_path / "dvips.pdf") == (1, 1)


def _count(path: Path) -> tuple[int, int]:
    """Return how many lines, and how many grounds, are drawn."""
    with pypdfium2.PdfDocument(path) as pdf:
        page = pdf[0]
        lines, fills = drawn_lines(drawn_objects(page))
        return len(lines), len(fills)
