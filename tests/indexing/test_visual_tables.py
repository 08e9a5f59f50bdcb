import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from indexing.ocr import Line
from indexing.ruling import Grid
from indexing.types import Block, BlockKind
from indexing.visual_layer import arrange, read_picture
from tests.files.drawn import draw_lines

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


def test_names_so_close_that_they_are_one_line_are_the_header_of_the_cells_below() -> None:
    names = [("Article", 0), ("Name", 80), ("Pieces", 130)]
    rows = [[("LN-100", 0), ("Lamp", 85), ("24", 160)], [("LN-200", 0), ("Line", 85), ("12", 160)]]
    lines = [
        _line(text, left, 40 * number)
        for number, row in enumerate([names, *rows, rows[0]])
        for text, left in row
    ]

    (placed,) = arrange(lines)

    assert placed.block.header == "Article | Name | Pieces"
    assert placed.block.text.split("\n")[1] == "LN-200 | Line | 12"


def test_years_over_all_columns_but_the_first_are_their_header() -> None:
    rows = [[("2023", 200), ("2022", 300)]]
    rows += [[(text, 0), ("41,2", 200), ("38,9", 300)] for text in ("Sales", "Costs", "Taxes")]
    lines = [
        _line(text, left, 40 * number) for number, row in enumerate(rows) for text, left in row
    ]

    (placed,) = list(arrange([_line("Income statement", 0, -60), *lines]))[1:]

    assert placed.block.header == " | 2023 | 2022"


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


def test_a_heading_over_several_columns_is_joined_with_the_names_below() -> None:
    texts = [("", "Sold in 2024", ""), ("Region", "Spring", "Autumn"), ("North", "120", "130")]
    drawn = Image.new("RGB", (640, 300), "white")
    draw, font = ImageDraw.Draw(drawn), ImageFont.load_default(24)
    for row, cells in enumerate([*texts, ("South", "90", "80")]):
        for column, text in enumerate(cells):
            draw.text((50 + 200 * column, 35 + 60 * row), text, "black", font)
    for n in range(5):
        draw.line((200 if n == 1 else 30, 20 + 60 * n, 620, 20 + 60 * n), "black", 2)
    for n, x in enumerate((30, 220, 420, 620)):
        draw.line((x, 80 if n == 2 else 20, x, 260), "black", 2)

    (placed,) = read_picture(np.asarray(drawn)).blocks

    assert placed.block.header == "Region | Sold in 2024 Spring | Sold in 2024 Autumn"
    assert placed.block.text == "North | 120 | 130\nSouth | 90 | 80"
    assert len(placed.lines) == 3


def test_ruled_tables_beside_each_other_and_a_stamp_at_their_height_stay_apart() -> None:
    cells = [("Month", "Sales"), ("April", "88"), ("May", "94")]
    lefts = 0, 210
    lines = [
        _line(text, left + 100 * column + 10, 40 * row + 10)
        for left in lefts
        for row, texts in enumerate(cells)
        for column, text in enumerate(texts)
    ]
    everywhere = np.ones((3, 2), bool)
    grids = [
        Grid((left, left + 100.0, left + 200.0), (0.0, 40.0, 80.0, 120.0), everywhere, everywhere)
        for left in lefts
    ]

    placed = arrange([*lines, _line("PAID", 415, 50)], grids)

    table = Block(BlockKind.TABLE, "April | 88\nMay | 94", "Month | Sales")
    assert [one.block for one in placed] == [table, table, Block(BlockKind.TEXT, "PAID")]


def test_the_second_line_of_a_cell_belongs_to_it() -> None:
    rows = [0, 60, 120, 180]
    lines = [_line(f"c{n}{y}", 200 * n, y) for y in rows for n in range(3)]
    lines.append(_line("more", 200, 82))

    (placed,) = arrange(lines)

    assert "c060 | c160 more | c260" in placed.block.text


def test_lines_of_a_sum_that_stand_closer_than_the_items_are_rows() -> None:
    items = [
        [("No.", 0), ("Work", 100), ("Hours", 300), ("Amount", 400)],
        [("1", 0), ("Painting", 100), ("12", 300), ("480.00", 400)],
        [("2", 0), ("Plastering", 100), ("4", 300), ("192.00", 400)],
        [("3", 0), ("Cleaning", 100), ("2", 300), ("58.00", 400)],
    ]
    sums = [[("Net", 300), ("730.00", 400)], [("Tax", 300), ("138.70", 400)]]
    lines = [_line(text, at, 50 * n) for n, row in enumerate(items) for text, at in row]
    lines += [_line(text, at, 200 + 26 * n) for n, row in enumerate(sums) for text, at in row]

    (placed,) = arrange(lines)

    assert placed.block.text.split("\n")[3:] == [" |  | Net | 730.00", " |  | Tax | 138.70"]


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


@pytest.mark.parametrize("names", [("Date", "Text", "Debit", "Credit", "Balance"), ()])
def test_debit_and_credit_of_which_each_row_has_one_are_two_columns(names: tuple[str, ...]) -> None:
    rows = [
        ("1 May", "Rent", "850.00", "", "150.00"),
        ("2 May", "Salary", "", "2,100.00", "2,250.00"),
        ("3 May", "Oil", "40.00", "", "2,210.00"),
        ("4 May", "Sale of a lamp", "", "61.00", "2,271.00"),
    ]
    lines = [
        _line(text, 200 * column + (100 - 10 * len(text) if column > 1 else 0), 40 * row)
        for row, texts in enumerate([names, *rows])
        for column, text in enumerate(texts)
        if text
    ]

    (placed,) = arrange(lines)

    assert placed.block.header == " | ".join(names)
    assert placed.block.text == "\n".join(" | ".join(row) for row in rows)


def test_a_credit_alone_is_a_column_of_its_own_if_it_has_a_name() -> None:
    rows = [
        ("Date", "Debit", "Credit", "Balance"),
        ("1 May", "850.00", "", "150.00"),
        ("2 May", "", "2,100.00", "2,250.00"),
        ("3 May", "40.00", "", "2,210.00"),
    ]
    lines = [
        _line(text, 200 * column + (100 - 10 * len(text) if column else 0), 40 * row)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if text
    ]

    (placed,) = arrange(lines)

    assert placed.block.text.split("\n")[1] == "2 May |  | 2,100.00 | 2,250.00"


def test_names_and_figures_that_nearly_touch_are_cells_below_and_above_each_other() -> None:
    rows = [
        ("Date", "Debit", "Credit", "Balance"),
        ("1 May", "850.00", "", "150.00"),
        ("2 May", "", "2,100.00", "2,250.00"),
        ("3 May", "40.00", "", "2,210.00"),
        ("4 May", "", "610.00", "2,820.00"),
    ]
    rights = (60, 300, 392, 484)
    lines = [
        Line(text, right - 10 * len(text), 40 * row, right, 40 * row + HEIGHT)
        for row, texts in enumerate(rows)
        for text, right in zip(texts, rights, strict=True)
        if text
    ]

    (placed,) = arrange(lines)

    assert placed.block.header == "Date | Debit | Credit | Balance"
    assert placed.block.text == "\n".join(" | ".join(row) for row in rows[1:])


def test_lines_of_cells_in_rows_far_apart_go_on_with_small_letters() -> None:
    rows = [
        (("Risk",), ("Effect",), ("Measure",)),
        (("Late delivery", "of parts"), ("Line stops", "for a day"), ("Supplier", "in Poland")),
        (("Data loss",), ("Orders missing",), ("Backup",)),
        (("Fire in hall",), ("Total loss", "of all stock"), ("Sprinklers",)),
    ]
    lines = [
        _line(text, 250 * column, 70 * row + 25 * number)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        for number, text in enumerate(cell)
    ]

    (placed,) = arrange(lines)

    assert placed.block.text == "\n".join(
        " | ".join(" ".join(cell) for cell in row) for row in rows[1:]
    )


def test_lines_of_cells_stand_nearer_than_rows_even_if_all_rows_have_as_many() -> None:
    lines = [
        _line(text, 250 * column, 54 * row + 24 * number)
        for row in range(4)
        for number, texts in enumerate((("Site", "Plans the", "E4"), ("Manager", "Works")))
        for column, text in enumerate(texts)
    ]

    (placed,) = arrange(lines)

    rows = [placed.block.header, *placed.block.text.split("\n")]
    assert rows == ["Site Manager | Plans the Works | E4"] * 4


def test_a_cell_may_go_on_alone_for_several_lines() -> None:
    lines = [
        _line(text, 250 * column, 110 * row + 25 * number)
        for row in range(3)
        for number, texts in enumerate((("L1", "Copying", "90"), ("", "of old"), ("", "texts")))
        for column, text in enumerate(texts)
        if text
    ]
    below = _line("All prices are in euros and without taxes.", 0, 400)

    table, text = [placed.block for placed in arrange([*lines, below])]

    assert table.text == "\n".join(["L1 | Copying of old texts | 90"] * 3)
    assert text.text == below.text


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


def _line(text: str, left: float, top: float) -> Line:
    return Line(text, left, top, left + 10 * len(text), top + HEIGHT)


def test_names_further_below_a_table_than_above_their_figures_begin_another() -> None:
    pay = [("Earnings", "Hours", "Rate", "Amount"), ("Basic pay", "150", "16.20", "2,430.00")]
    off = [("Deductions", "Month", "Year"), ("Income tax", "318.40", "1,273.60")]
    lines = [
        _line(text, 150 * column, top + 30 * number)
        for top, rows in ((0, [*pay, pay[1]]), (120, [*off, off[1]]))
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
    ]

    headers = [placed.block.header for placed in arrange(lines)]

    assert headers == ["Earnings | Hours | Rate | Amount", "Deductions | Month | Year"]
