"""Lines with raised and lowered letters, made with reportlab."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf
from indexing.types import Block

SIZE = 12

Piece = tuple[str, float, float]
"""A text, how large it is and how far it is raised."""

UP, DOWN = (7.2, 5.5), (7.2, -2.5)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param(
            [("Area 25 ", SIZE, 0), ("m", SIZE, 0), ("2", *UP)], "Area 25 m2", id="a unit"
        ),
        pytest.param(
            [("Gas of x", SIZE, 0), ("i", *DOWN), (" is lighter", SIZE, 0)],
            "Gas of xi is lighter",
            id="a lowered letter",
        ),
        pytest.param(
            [("at 10", SIZE, 0), ("6", *UP), (" cells", SIZE, 0)], "at 10^6 cells", id="a power"
        ),
        pytest.param(
            [("Until the 5", SIZE, 0), ("th", *UP), (" of May", SIZE, 0)],
            "Until the 5th of May",
            id="a number that counts",
        ),
        pytest.param(
            [("H", SIZE, 0), ("2", *DOWN), ("SO", SIZE, 0), ("4", *DOWN)], "H2SO4", id="a formula"
        ),
        pytest.param(
            [("ten roo", SIZE, 0), ("m", SIZE, 0), ("3", *UP), (", or more", SIZE, 0)],
            "ten room 3, or more",
            id="the mark of a note behind a word",
        ),
        pytest.param(
            [("ten roo", SIZE, 0), ("m", SIZE, 0), ("(1)", *UP), (".", SIZE, 0)],
            "ten room (1).",
            id="the same in brackets",
        ),
        pytest.param(
            [("1", *UP), ("see", SIZE, 0), (" page 77", SIZE, 0)],
            "1 see page 77",
            id="the mark before a note",
        ),
    ],
)
def test_raised_letters_are_in_their_line(
    pieces: Sequence[Piece], expected: str, tmp_path: Path
) -> None:
    (block,) = _read(tmp_path, [pieces])

    assert block.text == expected


def test_a_line_is_as_long_as_its_pieces(tmp_path: Path) -> None:
    pieces = [("Gas of x", SIZE, 0), ("i", *DOWN), (" is lighter", SIZE, 0)]

    (block,) = _read(tmp_path, [pieces, [("Gas of x is lighter", SIZE, 0)]])

    (left, _, right, _), (_, _, right_below, _) = (box for box in block.line_boxes if box)
    assert right - left > 0.15
    assert right == pytest.approx(right_below, abs=0.01)


def test_a_large_first_letter_is_no_part_of_the_word_beside_it(tmp_path: Path) -> None:
    capital, word = ("A", 22, -6), [("L", SIZE, 8), ("ONG", SIZE, 8)]

    (block, *_) = _read(tmp_path, [[capital, *word], word])

    assert block.text.split("\n")[0] == "A LONG"


def test_what_stands_apart_is_a_line_of_its_own(tmp_path: Path) -> None:
    (block,) = _read(tmp_path, [[("See note", SIZE, 0)], [("2", *UP), ("nd", SIZE, 0)]])

    assert block.text.split("\n")[0] == "See note"


def _read(folder: Path, lines: Sequence[Sequence[Piece]]) -> tuple[Block, ...]:
    """Read a page with these lines, each of them in pieces behind each other."""
    canvas = Canvas(str(folder / "raised.pdf"))
    for number, line in enumerate(lines):
        x = 60.0
        for text, size, rise in line:
            canvas.setFont("Helvetica", size)
            canvas.drawString(x, 700 - 16 * number + rise, text)
            x += canvas.stringWidth(text, "Helvetica", size)
    canvas.save()
    (page,) = open_pdf(folder / "raised.pdf").pages
    return page.blocks
