import numpy as np
import pytest
from PIL import Image, ImageDraw

from indexing.ocr import Line, Reading
from indexing.types import Block, BlockKind, Figure
from indexing.visual_layer import PlacedFigure, arrange, in_reading_order, on_page, read_picture
from tests.files.drawn import RECEIPT, draw_chart, draw_lines

HEIGHT = 20.0

PRICES = [
    ["Our prices in March"],
    [],
    ["Article", "Price"],
    ["Storm lantern,", "24.50"],
    ["brass", ""],
    ["Deck lamp", "61.00"],
    ["Signal lamp", "112.40"],
    [],
    ["All prices are in euros."],
]


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


def test_columns_of_text_are_read_one_after_the_other() -> None:
    left = [_line(f"the left column, line {n}", 0, 30 * n) for n in range(6)]
    right = [_line(f"the right column, line {n}", 320, 30 * n) for n in range(6)]
    rows = [line for pair in zip(left, right, strict=True) for line in pair]

    text = "\n".join(_texts(rows)).split("\n")

    assert text == [line.text for line in (*left, *right)]


def test_a_title_over_both_columns_comes_first() -> None:
    title = Line("A title that runs over both of the columns", 60, -60, 500, -40)
    left = [_line(f"the left column, line {n}", 0, 30 * n) for n in range(5)]
    right = [_line(f"the right column, line {n}", 320, 30 * n) for n in range(5)]

    text = "\n".join(_texts([*right, title, *left])).split("\n")

    assert text == [line.text for line in (title, *left, *right)]


def test_aligned_cells_are_a_table_with_its_header() -> None:
    cells = [("Article", "Name", "Pieces"), ("LN-100", "Lantern", "24"), ("LN-200", "Lamp", "12")]
    lines = [
        _line(text, 200 * column, 40 * row)
        for row, texts in enumerate(cells)
        for column, text in enumerate(texts)
    ]

    (placed,) = arrange(lines)

    assert placed.block == Block(
        BlockKind.TABLE, "LN-100 | Lantern | 24\nLN-200 | Lamp | 12", "Article | Name | Pieces"
    )


def test_an_empty_cell_stays_empty() -> None:
    places = {0: (0, 1, 2), 1: (0, 1, 2), 2: (0, 2), 3: (0, 1, 2)}
    lines = [
        _line(f"{row}{column}", 200 * column, 40 * row)
        for row, columns in places.items()
        for column in columns
    ]

    (placed,) = arrange(lines)

    assert placed.block.text.split("\n")[2] == "20 |  | 22"


def test_a_ruled_table_of_two_columns_is_read_between_its_texts() -> None:
    drawn = draw_lines(PRICES, (600, 420), 20)
    draw = ImageDraw.Draw(drawn)
    for x in (30, 380, 570):
        draw.line((x, 98, x, 258), "black", 2)
    for y in (98, 130, 194, 226, 258):
        draw.line((30, y, 570, y), "black", 2)

    blocks = [placed.block for placed in read_picture(np.asarray(drawn.convert("RGB"))).blocks]

    assert [block.text for block in blocks] == [
        "Our prices in March",
        "Storm lantern, brass | 24.50\nDeck lamp | 61.00\nSignal lamp | 112.40",
        "All prices are in euros.",
    ]
    assert blocks[1].header == "Article | Price"


def test_the_second_line_of_a_cell_belongs_to_it() -> None:
    rows = [0, 60, 120, 180]
    lines = [_line(f"c{n}{y}", 200 * n, y) for y in rows for n in range(3)]
    lines.append(_line("more", 200, 82))

    (placed,) = arrange(lines)

    assert "c060 | c160 more | c260" in placed.block.text


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        pytest.param("lantern", "1 | lantern more | 9", id="text"),
        pytest.param("7", "1 | 7 | 9\n | more", id="figure"),
    ],
)
def test_a_text_alone_below_a_text_goes_on(above: str, expected: str) -> None:
    lines = [
        _line(text, 200 * n, y)
        for y in (0, 40, 120, 160)
        for n, text in enumerate(("1", above, "9"))
    ]
    lines.append(_line("more", 200, 80))

    (placed,) = arrange(lines)

    assert expected in placed.block.text


def test_cells_that_are_empty_here_and_there_leave_the_columns_known() -> None:
    lines = [
        _line(f"{row}{column}", 100 * column, 40 * row)
        for row in range(8)
        for column in range(6)
        if row < 2 or column != row - 1
    ]

    (placed,) = arrange(lines)

    assert placed.block.text.split("\n")[3:5] == [
        "30 | 31 |  | 33 | 34 | 35",
        "40 | 41 | 42 |  | 44 | 45",
    ]


def test_the_names_of_columns_begin_another_table() -> None:
    first = [_line(text, 200 * n, 40 * y) for y in range(3) for n, text in enumerate("123")]
    title = _line("Stock", 0, 120)
    second = [
        _line(text, 200 * n, 160 + 40 * y)
        for y, row in enumerate([("Name", "Place", "Unit"), ("A", "B", "7"), ("C", "D", "8")])
        for n, text in enumerate(row)
    ]

    blocks = [placed.block for placed in arrange([*first, title, *second])]

    assert [block.header for block in blocks if block.kind is BlockKind.TABLE] == [
        "",
        "Name | Place | Unit",
    ]


def test_large_letters_are_a_heading() -> None:
    lines = [
        Line("Opening hours", 0, 0, 300, 40),
        *(_line("The gate is open from seven to eleven", 0, 60 + 30 * n) for n in range(4)),
    ]

    assert next(arrange(lines)).block == Block(BlockKind.HEADING, "Opening hours")


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
