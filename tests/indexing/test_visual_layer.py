import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from indexing.ocr import Line, Reading
from indexing.types import Block, BlockKind, Figure
from indexing.visual_layer import PlacedFigure, arrange, in_reading_order, on_page, read_picture
from tests.files.drawn import RECEIPT, draw_chart, draw_lines

HEIGHT = 20.0


def test_what_stands_side_by_side_is_one_line() -> None:
    lines = [_line("24.50", 400, 102), _line("Storm lantern", 20, 100), _line("TOTAL", 20, 130)]

    assert _texts(lines) == ["Storm lantern 24.50\nTOTAL"]


def test_a_page_that_is_read_from_the_right_has_its_first_column_there() -> None:
    cells = [("סכום", "כמות", "פריט"), ("90", "2", "מנורה"), ("30", "3", "חבל")]
    lines = [
        _line(text, 200 * column, 40 * row)
        for row, texts in enumerate(cells)
        for column, text in enumerate(texts)
    ]

    (placed,) = in_reading_order(np.full((200, 700, 3), 255, np.uint8), Reading(tuple(lines), 0))

    assert placed.block.header == "פריט | כמות | סכום"
    assert placed.block.text == "מנורה | 2 | 90\nחבל | 3 | 30"
    assert (placed.left, placed.right) == (0, max(line.right for line in lines))


def test_large_letters_are_a_heading() -> None:
    lines = [
        Line("Opening hours", 0, 0, 300, 40),
        *(_line("The gate is open from seven to eleven", 0, 60 + 30 * n) for n in range(4)),
    ]

    assert next(arrange(lines)).block == Block(BlockKind.HEADING, "Opening hours")


def test_addresses_side_by_side_are_read_one_after_the_other() -> None:
    left = [_line(text, 0, 30 * n) for n, text in enumerate(("From:", "Anna Roe", "Bremen"))]
    right = [_line(text, 400, 30 * n) for n, text in enumerate(("To:", "Bob Smith", "Bristol"))]

    text = "\n".join(_texts([*left, *right])).split("\n")

    assert text == [line.text for line in (*left, *right)]


def test_a_word_broken_at_the_end_of_a_line_is_joined() -> None:
    lines = [_line("The landlord keeps the ware-", 0, 0), _line("house in repair.", 0, 30)]

    assert _texts(lines) == ["The landlord keeps the warehouse in repair."]


def test_a_gap_ends_a_paragraph() -> None:
    lines = [_line(f"line {n} of the first", 0, 30 * n) for n in range(3)]
    lines += [_line(f"line {n} of the second", 0, 160 + 30 * n) for n in range(3)]

    assert len(_texts(lines)) == 2


def test_a_picture_is_read_to_blocks() -> None:
    picture = np.asarray(draw_lines(RECEIPT, (420, 420), 20).convert("RGB"))

    visible = read_picture(picture)

    assert visible.quarter_turns == 0
    assert "TOTAL 85.50" in visible.blocks[1].block.text
    assert visible.blocks[0].bottom < visible.blocks[1].top


def test_a_picture_of_words_is_no_figure() -> None:
    picture = np.asarray(draw_lines(RECEIPT, (420, 420), 20).convert("RGB"))

    assert read_picture(picture).figure is None


def test_a_table_that_was_photographed_from_the_side_keeps_its_rows() -> None:
    names = ["Shop", *(str(year) for year in range(2015, 2024))]
    rows = [[f"N{n}", *(f"{n}{k}.50" for k in range(1, 10))] for n in range(10, 22)]
    flat = Image.new("L", (1400, 600), "white")
    for number, row in enumerate([names, *rows]):
        for column, text in enumerate(row):
            place = 40 + 135 * column, 20 + 42 * number
            ImageDraw.Draw(flat).text(place, text, "black", ImageFont.load_default(24))
    corners = np.array([(0, 0), (1400, 0), (1400, 600), (0, 600)], np.float32)
    seen = np.array([(0, 0), (1400, 60), (1400, 540), (0, 600)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    shot = cv2.warpPerspective(
        np.asarray(flat.convert("RGB")), matrix, (1400, 600), borderValue=(255, 255, 255)
    )

    (placed,) = read_picture(np.asarray(shot, np.uint8)).blocks

    assert placed.block.header.split(" | ") == names
    assert placed.block.text.split("\n") == [" | ".join(row) for row in rows]
    assert 0 <= placed.top < placed.bottom <= 600


def test_a_figure_stands_before_its_words_and_behind_those_above() -> None:
    page = Image.new("RGB", (800, 1100), "white")
    page.paste(draw_lines([["The report of Harbour Light"], ["for the year 2024"]], (800, 200), 28))
    page.paste(draw_chart(), (80, 500))

    visible = read_picture(np.asarray(page))

    before = visible.blocks[: visible.figure_position]
    behind = visible.blocks[visible.figure_position :]
    assert "The report of Harbour Light" in before[0].block.text
    assert "Lamps sold in 2024" in behind[0].block.text


def test_the_figures_of_a_page_know_their_position() -> None:
    text = Block(BlockKind.TEXT, "The chart shows what was sold.")

    blocks, figures = on_page([text, PlacedFigure(b"jpeg", 0, 0, 9, 9), text])

    assert blocks == (text, text)
    assert figures == (Figure(1, b"jpeg"),)


def test_nothing_is_arranged_to_nothing() -> None:
    assert list(arrange([])) == []


def _line(text: str, left: float, top: float) -> Line:
    return Line(text, left, top, left + 10 * len(text), top + HEIGHT)


def _texts(lines: list[Line]) -> list[str]:
    return [placed.block.text for placed in arrange(lines)]
