"""The lines of a page with their places in its text and on it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.letters import page_letters, raw_text
from indexing.partition.pdf.placed_lines import PlacedLines

LINES = {"The lease begins.": 500, "It ends.": 400}  # by their heights above the foot


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[PlacedLines]:
    canvas = Canvas(str(tmp_path / "lease.pdf"), pagesize=A5)
    for text, height in LINES.items():
        canvas.drawString(50, height, text)
    canvas.save()
    with (
        pypdfium2.PdfDocument(tmp_path / "lease.pdf") as pdf,
        closing(pdf[0]) as page,
        closing(page.get_textpage()) as textpage,
    ):
        yield PlacedLines.of(page, textpage, page_letters(page, textpage, raw_text(textpage)))


def test_each_line_is_found_in_the_text(lines: PlacedLines) -> None:
    assert [lines.letters.text[start:end] for start, end in lines.spans] == list(LINES)


def test_places_are_points_from_the_upper_left_of_the_page(lines: PlacedLines) -> None:
    width, height = A5

    assert lines.size == pytest.approx(A5, abs=1)
    for (left, top, right, bottom), above_foot in zip(lines.points, LINES.values(), strict=True):
        assert left == pytest.approx(50, abs=1)
        assert right < width
        assert top < height - above_foot < bottom


def test_other_parts_of_the_text_are_placed_in_the_same_way(lines: PlacedLines) -> None:
    (start, _), *_ = lines.spans

    [[left, top, _, bottom]] = lines.points_of([(start, start + 1)])

    assert [left, top, bottom] == pytest.approx(lines.points[0][[0, 1, 3]])


def test_with_the_same_letters_the_lines_are_not_looked_for_again(lines: PlacedLines) -> None:
    assert lines.read_as(lines.letters) is lines


def test_with_other_letters_the_lines_are_those_of_these(lines: PlacedLines) -> None:
    text = lines.letters.text.replace("\r\n", "  ")

    [whole] = lines.read_as(replace(lines.letters, text=text)).spans

    assert whole == (0, len(text))
