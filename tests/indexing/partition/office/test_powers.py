from pathlib import Path

import pptx
import pytest
from pptx.text.text import TextFrame
from pptx.util import Inches

from indexing.partition.office.powers import sign_drawn_powers
from indexing.partition.slides.presentation import open_pptx

RAISED, LOWERED = "30000", "-25000"


def write(frame: TextFrame, *runs: tuple[str, str]) -> None:
    """Write runs of a text, each with how far it is raised."""
    for text, baseline in runs:
        if text == "\v":
            frame.paragraphs[0].add_line_break()
            continue
        run = frame.paragraphs[0].add_run()
        run.text = text
        run.font._element.set("baseline", baseline)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        pytest.param([("5 × 10", "0"), ("6", RAISED), (" per ml", "0")], "5 × 10^6 per ml"),
        pytest.param([("10", "0"), ("-", RAISED), ("9", "33%")], "10^-9", id="in pieces"),
        pytest.param([("SO", "0"), ("4", LOWERED), ("2-", RAISED)], "SO4^2-", id="ion"),
        pytest.param([("the 1", "0"), ("st", RAISED)], "the 1st", id="ordinal"),
        pytest.param([("m", "0"), ("2", RAISED)], "m2", id="behind a letter"),
        pytest.param([("10", "0"), ("\v", "0"), ("6", RAISED)], "10\v6", id="on the next line"),
    ],
)
def test_a_raised_number_behind_a_number_is_a_power(runs: list[tuple[str, str]], text: str) -> None:
    slides = pptx.Presentation()
    shapes = slides.slides.add_slide(slides.slide_layouts[6]).shapes
    frame = shapes.add_textbox(0, 0, Inches(5), Inches(1)).text_frame
    write(frame, *runs)

    sign_drawn_powers(shapes._spTree)

    assert frame.text == text


def test_powers_are_read_wherever_they_stand_on_a_slide(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(1, 2, 0, 0, Inches(6), Inches(3)).table
    for frame in (table.cell(0, 0).text_frame, slide.notes_slide.notes_text_frame):
        assert frame is not None
        write(frame, ("10", "0"), ("6", RAISED))
    deck.save(str(tmp_path / "deck.pptx"))

    (page,) = open_pptx(tmp_path / "deck.pptx").pages

    assert "\n".join(block.text for block in page.blocks).split("\n") == ["10^6", "10^6"]
