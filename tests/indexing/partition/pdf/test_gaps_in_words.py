"""Text with gaps that are made by the distance of letters alone, as Ghostscript writes it."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import page_letters, raw_text

Part = tuple[str, float]
"""Letters, and how far apart they are set."""


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        pytest.param([("Nuts M8 ", 0), ("71", 15), ("2.25", 0)], "Nuts M8 7 12.25", id="figures"),
        pytest.param([("the ne", 0), ("wh", 2.5), ("arbour", 0)], "the new harbour", id="words"),
        pytest.param(
            [("über ", 0), ("al", 2.5), ("ange „Straße“", 0)],
            "über a lange „Straße“",
            id="a letter",
        ),
        pytest.param([("the ", 0), ("harbour", 2.5)], "the harbour", id="no spaced letters"),
        pytest.param([("ne", 0), ("wh", 0.5), ("arbour", 0)], "newharbour", id="no small gap"),
    ],
)
def test_a_gap_within_a_word_is_a_space(tmp_path: Path, parts: list[Part], text: str) -> None:
    draw(tmp_path / "gaps.pdf", parts)

    (page,) = open_pdf(tmp_path / "gaps.pdf").pages

    assert [block.text for block in page.blocks] == [text]


def test_a_space_below_the_next_letter_is_none(tmp_path: Path) -> None:
    # As wide as the space is what the next letter is moved back by.
    draw(tmp_path / "kerned.pdf", [("Tw ", 0), ("", 3.4), ("o columns", 0)])

    (page,) = open_pdf(tmp_path / "kerned.pdf").pages

    assert [block.text for block in page.blocks] == ["Two columns"]


def test_each_part_has_its_place(tmp_path: Path) -> None:
    draw(tmp_path / "gaps.pdf", [("Nuts ", 0), ("71", 150), ("2.25", 0)])
    with pypdfium2.PdfDocument(tmp_path / "gaps.pdf") as pdf:
        page = pdf[0]
        with closing(page.get_textpage()) as textpage:
            letters = page_letters(page, textpage, raw_text(textpage))
            spans = [(0, 4), (5, 6), (6, 7), (7, 12)]

            nuts, seven, space, figure = letters.places(page, textpage, spans)

    assert letters.text.rstrip() == "Nuts 7 12.25"
    assert nuts[2] < seven[0] < seven[2] < figure[0] - 0.2
    assert np.isnan(space).all()


def draw(path: Path, parts: list[Part]) -> None:
    canvas = Canvas(str(path))
    canvas.setProducer("GPL Ghostscript 10.00.0")
    x = 72.0
    for letters, space in parts:
        canvas.drawString(x, 700, letters, charSpace=space)
        x += canvas.stringWidth(letters) + space * (len(letters) - 1)
    canvas.save()
