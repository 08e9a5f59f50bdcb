from pathlib import Path

import pptx
import pytest
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.util import Emu, Inches

from indexing.partition.slides.presentation import open_pptx

HAIR = Emu(2000)


@pytest.fixture
def deck() -> Presentation:
    return pptx.Presentation()


def test_the_title_comes_first_wherever_it_stands(deck: Presentation, tmp_path: Path) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Results"
    slide.shapes.title.top, slide.shapes.title.left = Inches(4), Inches(1)
    write(slide, "Read further down", left=Inches(1), top=Inches(1))

    assert texts(deck, tmp_path) == ["Results", "Read further down"]


def test_boxes_side_by_side_are_read_from_the_left(deck: Presentation, tmp_path: Path) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    write(slide, "The right column", left=Inches(5), top=Inches(2))
    write(slide, "The left column", left=Inches(1), top=Inches(2) + HAIR)
    write(slide, "What stands below", left=Inches(1), top=Inches(4))

    assert texts(deck, tmp_path) == ["The left column", "The right column", "What stands below"]


def test_what_is_in_a_group_is_read_where_it_is_shown(deck: Presentation, tmp_path: Path) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    write(group, "Grouped, and shown below", left=Inches(1), top=Inches(1))
    group.top = Inches(5)
    write(slide, "Shown above the group", left=Inches(1), top=Inches(3))

    assert texts(deck, tmp_path) == ["Shown above the group", "Grouped, and shown below"]


def test_a_card_is_read_as_its_group(deck: Presentation, tmp_path: Path) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for name, left in (("Sales", 1), ("Stock", 5)):
        card = slide.shapes.add_group_shape()
        write(card, name, left=Inches(left), top=Inches(1))
        write(card, f"{name} rose", left=Inches(left), top=Inches(3))
        card.shapes[0].height = Inches(0.5)

    assert texts(deck, tmp_path) == ["Sales", "Sales rose", "Stock", "Stock rose"]


def test_a_slide_in_hebrew_is_read_from_the_right(deck: Presentation, tmp_path: Path) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    write(slide, "ייצור", left=Inches(1), top=Inches(2))
    write(slide, "מכירות", left=Inches(5), top=Inches(2))

    assert texts(deck, tmp_path) == ["מכירות", "ייצור"]


def write(slide: Slide, text: str, *, left: int, top: int) -> None:
    slide.shapes.add_textbox(left, top, Inches(3), Inches(1)).text_frame.text = text


def texts(deck: Presentation, folder: Path) -> list[str]:
    deck.save(folder / "deck.pptx")
    (page,) = open_pptx(folder / "deck.pptx").pages
    return [block.text for block in page.blocks]
