from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.office.placed_pictures import drawn_shapes, place_pictures
from indexing.types import Block, BlockKind, Page


def text(words: str) -> Block:
    return Block(BlockKind.TEXT, words)


WIDE, HIGH = text("wide picture"), text("high picture")
SHAPES = {WIDE: 1.5, HIGH: 0.5}


def places(pages: list[Page], drawn: list[list[float]]) -> list[list[Block]]:
    return [list(page.blocks) for page in place_pictures(pages, SHAPES.get, drawn)]


@pytest.mark.parametrize(
    ("blocks", "drawn", "found"),
    [
        pytest.param(
            [[text("a"), WIDE], [text("b")]],
            [[], [1.52]],
            [[text("a")], [WIDE, text("b")]],
            id="on the page of the text behind",
        ),
        pytest.param(
            [[WIDE, HIGH, WIDE], [], []],
            [[1.5], [0.5], [1.5]],
            [[WIDE], [HIGH], [WIDE]],
            id="a page for each",
        ),
        pytest.param(
            [[text("a"), WIDE, text("b")], []],
            [[], [1.5]],
            [[text("a"), WIDE, text("b")], []],
            id="between texts of one page",
        ),
        pytest.param(
            [[text("a"), WIDE], [], [text("b")]],
            [[], [0.5], []],
            [[text("a"), WIDE], [], [text("b")]],
            id="drawn nowhere",
        ),
        pytest.param(
            [[WIDE, text("a"), WIDE], [text("b")]],
            [[1.5], [1.5]],
            [[WIDE, text("a")], [WIDE, text("b")]],
            id="the same twice",
        ),
    ],
)
def test_a_picture_goes_to_the_page_it_is_drawn_on(
    blocks: list[list[Block]], drawn: list[list[float]], found: list[list[Block]]
) -> None:
    pages = [Page(number, tuple(page)) for number, page in enumerate(blocks, start=1)]

    assert places(pages, drawn) == found


def test_the_pictures_of_a_pdf_are_told_by_their_shape(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "pictures.pdf"))
    canvas.drawString(50, 50, "no picture")
    canvas.showPage()
    picture = ImageReader(Image.effect_noise((90, 60), 50))
    canvas.drawImage(picture, 50, 100, 300, 200)
    canvas.drawImage(picture, 50, 400, 100, 200)
    canvas.save()

    assert drawn_shapes(tmp_path / "pictures.pdf") == [[], [1.5, 0.5]]
