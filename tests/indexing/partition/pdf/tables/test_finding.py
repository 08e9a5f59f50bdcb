"""Tables in the text of PDFs, made with reportlab in each test."""

from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table, TableStyle

from indexing.boxes import union
from indexing.partition.continuation import continued
from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.in_step import alone
from indexing.partition.pdf.pictures import drawn_objects
from indexing.partition.pdf.tables.finding import find_tables
from indexing.types import Block, BlockKind
from tests.files.drawn import RECEIPT, draw_lines
from tests.indexing.partition.drawn_tables import STOCK, STOCK_BLOCK, blocks_of, draw_table
from tests.indexing.partition.from_right import draw, hebrew
from tests.indexing.partition.pdf_page import text_of

PROSE = "The landlord keeps the warehouse and its gates in good repair."


def test_a_ruled_table_stands_in_its_place(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "ruled.pdf"), pagesize=A4)
    canvas.drawString(60, 780, "These goods lie in the warehouse.")
    draw_table(canvas, STOCK, 640, [("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    canvas.drawString(60, 600, "They were counted on 5 March 2024.")
    canvas.save()

    assert blocks_of(tmp_path / "ruled.pdf") == [
        Block(BlockKind.TEXT, "These goods lie in the warehouse."),
        STOCK_BLOCK,
        Block(BlockKind.TEXT, "They were counted on 5 March 2024."),
    ]


def test_rules_between_the_rows_hold_cells_of_several_lines(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "bands.pdf"), pagesize=A4)
    rows = [
        ["Step", "Action", "Owner"],
        ["1", "Open the gate and wait\nfor the lamp to turn green", "Guard"],
        ["2", "Close the gate", "Driver"],
    ]
    draw_table(canvas, rows, 640, [("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.black)])
    canvas.save()

    assert blocks_of(tmp_path / "bands.pdf") == [
        Block(
            BlockKind.TABLE,
            "1 | Open the gate and wait for the lamp to turn green | Guard\n"
            "2 | Close the gate | Driver",
            header="Step | Action | Owner",
        )
    ]


def test_a_table_without_rules_is_found_right_below_one_with_rules(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "both.pdf"), pagesize=A4)
    draw_table(canvas, STOCK, 640, [("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    costs = [["Cost", "2023", "2024"], ["Rent", "120", "130"], ["Oil", "40", "45"]]
    draw_table(canvas, costs, 580)
    canvas.save()

    assert blocks_of(tmp_path / "both.pdf") == [
        STOCK_BLOCK,
        Block(BlockKind.TABLE, "Rent | 120 | 130\nOil | 40 | 45", header="Cost | 2023 | 2024"),
    ]


@pytest.mark.parametrize("has_rules", [True, False])
def test_the_first_column_of_a_table_from_the_right_is_the_right_one(
    tmp_path: Path, has_rules: bool
) -> None:
    rows = [
        ("cba", "2023", "feda"),
        ("lmn opq", "1,200", "ACME LTD"),
        ("rst uvw", "(800)", "hij klm"),
        ("xyz", "400", "nop"),
    ]
    cells = [
        (x, 200 - 14 * row, cell)
        for row, own in enumerate(rows)
        for x, cell in zip((210, 140, 40), own, strict=True)
    ]
    lines = [b"%d 154 m %d 212 l S " % (x, x) for x in (36, 136, 206, 276)]
    lines += [b"36 %d m 276 %d l S " % (y, y) for y in (154, 168, 182, 196, 212)]

    (table,) = blocks_of(draw(tmp_path, *cells, rules=b"".join(lines) if has_rules else b""))

    assert (table.kind, table.header) == (BlockKind.TABLE, hebrew("abc | 2023 | adef"))
    assert table.text.split("\n") == [
        hebrew("qpo nml | 1,200 | ACME LTD"),
        hebrew("wvu tsr | (800) | mlk jih"),
        hebrew("zyx | 400 | pon"),
    ]


def test_headings_between_columns_are_read_above_names_that_come_again(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "years.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(174, 640, "2025")
    canvas.drawCentredString(342, 640, "2024")
    for y, row in (
        (622, ["Item", "Plan", "Actual", "Plan", "Actual"]),
        (604, ["Rope for", "", "5,234", "-176", "5,379"]),
        (592, ["all boats"]),
        (574, ["Lamps", "5,718", "6,668", "4,429", ""]),
        (556, ["Paint and", "", "2,482", "8,936", "8,125"]),
        (544, ["brushes"]),
        (526, ["Oil", "3,648", "", "1,415", "713"]),
    ):
        canvas.drawString(60, y, row[0])
        for right, text in zip((172, 256, 340, 424), row[1:], strict=False):
            canvas.drawRightString(right, y, text)
    canvas.save()

    (table,) = blocks_of(tmp_path / "years.pdf")

    assert table.header == "Item | 2025 Plan | 2025 Actual | 2024 Plan | 2024 Actual"


def test_headings_above_the_first_of_their_columns_are_above_all_of_them(tmp_path: Path) -> None:
    rows = [
        ["", "2025", "", "2024", ""],
        ["Item", "Plan", "Actual", "Plan", "Actual"],
        ["Rope", "1,200", "1,180", "1,100", "1,140"],
        ["Lamps", "300", "280", "310", "295"],
        ["Paint", "90", "75", "80", "85"],
    ]
    canvas = Canvas(str(tmp_path / "years.pdf"), pagesize=A4)
    draw_table(canvas, rows, 640)
    canvas.save()

    (table,) = blocks_of(tmp_path / "years.pdf")

    assert table.header == "Item | 2025 Plan | 2025 Actual | 2024 Plan | 2024 Actual"


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([["C-27", "Paint", "kg", ""]], id="the first row"),
        pytest.param([["Wares", "", "", ""], ["C-27", "Paint", "kg", ""]], id="below a title"),
    ],
)
def test_a_row_without_its_figure_is_no_header(tmp_path: Path, rows: list[list[str]]) -> None:
    names = ["Article", "Name", "Unit", "Price"]
    below = [["A-17", "Rope", "m", "4.50"], ["B-02", "Lamp", "pcs", "30.00"]]
    canvas = Canvas(str(tmp_path / "prices.pdf"), pagesize=A4)
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    draw_table(canvas, [names, *rows, *below], 640, grid)
    canvas.save()

    (table,) = blocks_of(tmp_path / "prices.pdf")

    assert table.header == "Article | Name | Unit | Price"
    assert "C-27 | Paint | kg" in table.text


def test_a_wrapped_cell_of_a_ruled_table_is_one_cell(tmp_path: Path) -> None:
    style = getSampleStyleSheet()["Normal"]
    words = "The lamp is dim when its wick is wet"
    rows = [
        ["Sign", "Cause", "Help"],
        ["Dim", Paragraph(words, style), "Dry it"],
        ["Dark", "No oil", Paragraph("Fill the tank up to the mark", style)],
    ]
    canvas = Canvas(str(tmp_path / "wrapped.pdf"), pagesize=A4)
    draw_table(canvas, rows, 640, [("GRID", (0, 0), (-1, -1), 0.5, colors.black)], width=90)
    canvas.save()

    assert blocks_of(tmp_path / "wrapped.pdf") == [
        Block(
            BlockKind.TABLE,
            f"Dim | {words} | Dry it\nDark | No oil | Fill the tank up to the mark",
            header="Sign | Cause | Help",
        )
    ]


def test_a_ruled_table_is_told_though_all_its_cells_have_several_lines(tmp_path: Path) -> None:
    style = getSampleStyleSheet()["Normal"]
    terms = ["English", "Deutsch"], [f"{PROSE} {PROSE}"] * 2, [f"{PROSE} {PROSE}", PROSE]
    table = Table([[Paragraph(cell, style) for cell in row] for row in terms], colWidths=[220, 220])
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)]))
    canvas = Canvas(str(tmp_path / "terms.pdf"), pagesize=A4)
    table.wrapOn(canvas, 440, 700)
    table.drawOn(canvas, 60, 500)
    canvas.save()

    (block,) = blocks_of(tmp_path / "terms.pdf")

    assert block.header == "English | Deutsch"
    assert block.text == f"{PROSE} {PROSE} | {PROSE} {PROSE}\n{PROSE} {PROSE} | {PROSE}"


def test_rows_between_rules_stay_whole_where_every_second_one_has_no_others(tmp_path: Path) -> None:
    heights = (193, 207, 220.5, 247, 273, 287, 300.5)
    canvas = Canvas(str(tmp_path / "style.pdf"), pagesize=A4, bottomup=0)
    canvas.setFont("Helvetica", 8)
    for column in range(3):
        canvas.rect(84 + 86 * column, 193, 86, 14, stroke=0, fill=1)
    for y in heights:
        canvas.line(84, y, 342, y)
    for x in (84, 342):
        canvas.line(x, 193, x, 300.5)
    for x in (170, 256):
        for top, bottom in ((207, 220.5), (247, 273), (287, 300.5)):
            canvas.line(x, top, x, bottom)
    canvas.setFillColor("red")
    rows = ["Name|Pieces|Sum", "Bell|107|1,143.66", "Deck lamp|702|472.70", "of brass"]
    rows += ["Oil for|591|sent on", "lamps||Friday", "Buoy|403|4,178.78", "Signal|842|1,812.01"]
    for row, y in zip(rows, (204, 217.5, 231, 244, 257.5, 270.5, 284, 297.5), strict=True):
        for x, text in zip((90, 190, 270), row.split("|"), strict=False):
            canvas.drawString(x, y, text)
    canvas.drawString(90, 160, PROSE)
    canvas.drawString(90, 360, PROSE)
    canvas.save()

    table, _ = blocks_of(tmp_path / "style.pdf")

    assert table.header == "Name | Pieces | Sum"
    assert table.text.splitlines() == [
        "Bell | 107 | 1,143.66",
        "Deck lamp of brass | 702 | 472.70",
        "Oil for lamps | 591 | sent on Friday",
        "Buoy | 403 | 4,178.78",
        "Signal | 842 | 1,812.01",
    ]


@pytest.mark.parametrize("padding", [0.5, 1.5])
def test_cells_with_hardly_a_margin_are_parted_by_their_rules(
    tmp_path: Path, padding: float
) -> None:
    style = TableStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
            ("LEFTPADDING", (0, 0), (-1, -1), padding),
            ("RIGHTPADDING", (0, 0), (-1, -1), padding),
        ]
    )
    canvas = Canvas(str(tmp_path / "narrow.pdf"), pagesize=A4)
    table = Table(STOCK, style=style)
    table.wrapOn(canvas, 400, 400)
    table.drawOn(canvas, 60, 640)
    canvas.save()

    assert blocks_of(tmp_path / "narrow.pdf") == [STOCK_BLOCK]


@pytest.mark.parametrize("align", ["LEFT", "RIGHT"])
def test_a_name_that_runs_over_the_next_one_is_in_its_own_column(
    tmp_path: Path, align: str
) -> None:
    rows = [["Article", "Number of units", "Price", "Total value in euros"]]
    rows += [["Deck lamp", "118", "30.00", "3,540.00"], ["Buoy", "7", "12.00", "84.00"]]
    style = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("ALIGN", (0, 0), (-1, -1), align)]
    canvas = Canvas(str(tmp_path / "narrow.pdf"), pagesize=A4)
    draw_table(canvas, rows, 500, style, width=[60, 60, 60, 80])
    canvas.save()

    (block,) = blocks_of(tmp_path / "narrow.pdf")

    assert block.header == "Article | Number of units | Price | Total value in euros"


def test_text_that_runs_over_the_rule_of_its_cell_is_one_cell(tmp_path: Path) -> None:
    rows = [["Sign", "Help", "Days"], ["The lamp is dim or dark", "", "4"], ["Dark", "Oil", "2"]]
    canvas = Canvas(str(tmp_path / "over.pdf"), pagesize=A4)
    draw_table(canvas, rows, 640, [("GRID", (0, 0), (-1, -1), 0.5, colors.black)], width=90)
    canvas.save()

    (table,) = blocks_of(tmp_path / "over.pdf")

    assert "The lamp is dim or dark |  | 4" in table.text


def test_a_ruled_table_is_told_by_long_cells_beside_short_ones(tmp_path: Path) -> None:
    style = getSampleStyleSheet()["Normal"]
    rules = [["1", f"{PROSE} {PROSE}"], ["2", PROSE], ["3", f"{PROSE} {PROSE}"]]
    table = Table([[n, Paragraph(rule, style)] for n, rule in rules], colWidths=[60, 220])
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)]))
    table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP")]))
    canvas = Canvas(str(tmp_path / "rules.pdf"), pagesize=A4)
    table.wrapOn(canvas, 440, 700)
    table.drawOn(canvas, 60, 500)
    canvas.save()

    (block,) = blocks_of(tmp_path / "rules.pdf")

    assert block.text == "\n".join(" | ".join(row) for row in rules)


def test_a_ruled_table_from_the_right_is_told_by_cells_of_several_lines(tmp_path: Path) -> None:
    cells = []
    for top, name in ((200, "1"), (158, "2")):
        cells += [(220, top, name)]
        cells += [(x, top - 14 * n, "lmn opq rst") for x in (140, 40) for n in range(3)]
    lines = [b"%d 120 m %d 212 l S " % (x, x) for x in (36, 136, 206, 276)]
    lines += [b"36 %d m 276 %d l S " % (y, y) for y in (120, 170, 212)]

    (table,) = blocks_of(draw(tmp_path, *cells, rules=b"".join(lines)))

    cell = " ".join([hebrew("tsr qpo nml")] * 3)
    assert table.text == "\n".join(f"{name} | {cell} | {cell}" for name in "12")


def test_text_between_two_grids_of_the_same_columns_is_in_no_table(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "two.pdf"), pagesize=A4)
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    draw_table(canvas, STOCK, 660, grid, width=120)
    canvas.drawString(60, 646, PROSE)
    draw_table(canvas, STOCK, 566, grid, width=120)
    canvas.save()

    assert blocks_of(tmp_path / "two.pdf") == [
        STOCK_BLOCK,
        Block(BlockKind.TEXT, PROSE),
        STOCK_BLOCK,
    ]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_each_row_stands_where_its_box_is(tmp_path: Path, rotation: int) -> None:
    canvas = Canvas(str(tmp_path / "turned.pdf"), pagesize=A4)
    if rotation == 90:
        canvas.translate(A4[0], 0)
    elif rotation == 180:
        canvas.translate(*A4)
    elif rotation == 270:
        canvas.translate(0, A4[1])
    canvas.rotate(rotation)
    draw_table(canvas, STOCK, 400, [("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    canvas.save()
    with pypdfium2.PdfDocument(tmp_path / "turned.pdf") as pdf:
        pdf[0].set_rotation(rotation)
        pdf.save(tmp_path / "saved.pdf")

    (table,) = blocks_of(tmp_path / "saved.pdf")

    assert table == STOCK_BLOCK
    tops = [box[1] for box in table.line_boxes if box is not None]
    assert len(tops) == 4
    assert tops == sorted(tops)
    left, _, right, _ = union(table.line_boxes) or (0, 0, 0, 0)
    width = A4[rotation // 90 % 2]
    assert 60 / width < left < 80 / width
    assert right < 400 / width


@pytest.mark.parametrize("is_repeated", [True, False])
def test_a_table_over_two_pages_has_its_header_on_both(tmp_path: Path, is_repeated: bool) -> None:
    canvas = Canvas(str(tmp_path / "long.pdf"), pagesize=A4)
    for number in (0, 1):
        canvas.drawString(60, 800, "Stock of the harbour")
        rows = [[f"LN-{number}{n}", f"Lamp {n}", str(20 - n)] for n in range(4)]
        draw_table(canvas, STOCK[:1] + rows if is_repeated or not number else rows, 640, width=100)
        canvas.drawString(300, 30, str(number + 1))
        canvas.showPage()
    canvas.save()

    first, second = open_pdf(tmp_path / "long.pdf").pages
    second = continued(second, first.blocks)

    for page in (first, second):
        _, table, _ = page.blocks
        assert table.header == "Article | Name | Pieces"
        assert len(table.line_boxes) == 5
    assert (second.blocks[1].line_boxes[0] is None) is not is_repeated


def test_a_table_on_a_page_with_a_picture_keeps_its_header(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "picture.pdf"), pagesize=A4)
    draw_table(canvas, STOCK, 640)
    canvas.drawImage(ImageReader(draw_lines(RECEIPT, (420, 420), 20)), 60, 200, 300, 300)
    canvas.save()

    table, *seen = blocks_of(tmp_path / "picture.pdf")

    assert table == STOCK_BLOCK
    assert "TOTAL 85.50" in "\n".join(block.text for block in seen)


def test_a_page_of_tiny_words_is_left_as_lines(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "tiny.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 2)
    for y in range(100):
        for x in range(100):
            canvas.drawString(20 + 5 * x, 20 + 7 * y, "1")
    canvas.save()

    blocks = blocks_of(tmp_path / "tiny.pdf")

    assert sum(block.text.count("1") for block in blocks) == 10_000
    assert BlockKind.TABLE not in {block.kind for block in blocks}


def test_beside_running_text_nobody_asks_what_is_drawn(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "prose.pdf"), pagesize=A4)
    for y in (780, 766, 752):
        canvas.drawString(60, y, PROSE)
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "prose.pdf") as pdf:
        tables = alone(find_tables(text_of(pdf[0]), lambda: pytest.fail("asked")))

    assert tables == []


def test_of_running_text_between_tables_no_words_are_looked_for(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "between.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 10)
    for bottom, row in ((740, "Norway Oslo"), (560, "Italy Rome")):
        for at in (30, 14, -18):
            canvas.line(60, bottom + at, 500, bottom + at)
        for number, line in enumerate(("Country Capital", "France Paris", row)):
            for left, cell in zip((60, 300), line.split(), strict=True):
                canvas.drawString(left, bottom + 18 - 14 * number - 3 * (number > 0), cell)
    for number in range(6):
        canvas.drawString(60, 700 - 14 * number, f"{PROSE} {PROSE[:30]}".lower())
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "between.pdf") as pdf:
        text = text_of(pdf[0])
        tables = alone(find_tables(text, lambda: drawn_objects(text.page)))
        looked_for = vars(text)["_by_line"]

    assert [table.block.text for table in tables] == [
        "France | Paris\nNorway | Oslo",
        "France | Paris\nItaly | Rome",
    ]
    assert not any(text.lines[number].startswith("the landlord") for number in looked_for)
