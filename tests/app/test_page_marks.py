from io import BytesIO

import pytest
from PIL import Image

from app.page_marks import LONGEST_PAGE, lines_with, marked
from indexing.types import Block, BlockKind, Page, PageBox

FIRST: PageBox = (0.1, 0.1, 0.9, 0.15)
SECOND: PageBox = (0.1, 0.2, 0.7, 0.25)
THIRD: PageBox = (0.1, 0.3, 0.8, 0.35)

LEASE = Page(
    1,
    (
        Block(
            BlockKind.TEXT,
            "The lease begins in March\nand ends in February 2032.\nThe rent is 900 euros.",
            line_boxes=(FIRST, SECOND, THIRD),
        ),
    ),
)
PRICES = Page(
    1,
    (
        Block(
            BlockKind.TABLE,
            "Deck lamp | 40\nStorm lantern | 65",
            header="Name | Price",
            line_boxes=(FIRST, SECOND, THIRD),
        ),
    ),
)


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        pytest.param("The rent is 900 euros.", [THIRD], id="a line"),
        pytest.param("the RENT", [THIRD], id="a part of a line"),
        pytest.param("begins in March and ends", [FIRST, SECOND], id="over the end of a line"),
        pytest.param("in", [FIRST, SECOND], id="in several places"),
        pytest.param("The tenant pays.", [], id="not there"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_only_the_lines_are_marked_that_the_words_stand_on(text: str, boxes: list[PageBox]) -> None:
    assert lines_with(text, LEASE) == boxes


def test_of_a_passage_that_goes_on_over_the_page_the_lines_of_this_page_are_marked() -> None:
    passage = "The rent is 900 euros.\nIt is paid in advance, on the first of each month."

    assert lines_with(passage, LEASE) == [THIRD]


def test_of_a_piece_of_a_table_its_header_and_rows_are_marked() -> None:
    assert lines_with("Name | Price\nStorm lantern | 65", PRICES) == [FIRST, THIRD]


def test_lines_without_a_place_are_not_marked() -> None:
    cropped = Page(1, (Block(BlockKind.TEXT, "The rent\nis 900.", line_boxes=(FIRST, None)),))
    unplaced = Page(1, (Block(BlockKind.TEXT, "The rent is 900."),))

    assert lines_with("The rent is 900.", cropped) == [FIRST]
    assert lines_with("The rent is 900.", unplaced) == []


def test_nothing_is_looked_for_in_a_page_of_endless_text() -> None:
    endless = Block(BlockKind.TEXT, "rent " + "a" * LONGEST_PAGE, line_boxes=(FIRST,))

    assert lines_with("rent", Page(1, (endless,))) == []


@pytest.mark.parametrize("paper", ["white", "black"])
def test_mark_lies_over_its_line_and_hides_nothing(paper: str) -> None:
    page = Image.new("RGB", (100, 200), paper)
    page.putpixel((50, 30), (128, 128, 128))
    file = BytesIO()
    page.save(file, "PNG")

    seen = Image.open(BytesIO(marked(file.getvalue(), [(0.2, 0.1, 0.8, 0.2)])))

    assert (seen.size, seen.mode) == ((100, 200), "RGB")
    assert seen.getpixel((40, 30)) != page.getpixel((40, 30))
    assert seen.getpixel((50, 30)) != seen.getpixel((40, 30))
    assert seen.getpixel((50, 60)) == page.getpixel((50, 60))
