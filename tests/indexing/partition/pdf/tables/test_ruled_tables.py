"""Tables of PDFs that rules show, made with reportlab in each test."""

from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table, TableStyle

from indexing.types import Block, BlockKind
from tests.indexing.partition.drawn_tables import STOCK, STOCK_BLOCK, blocks_of, draw_table
from tests.indexing.partition.from_right import draw, hebrew

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
