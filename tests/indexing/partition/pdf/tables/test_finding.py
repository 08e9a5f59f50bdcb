"""Tables in the text of PDFs, made with reportlab in each test."""

from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

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


def test_names_of_two_lines_around_others_are_whole_without_rules(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "names.pdf"), pagesize=A4)
    names = ["N/\nN", "Name", "Pieces\nleft"]
    rows = [names, *([str(n), "Lamp of\nthe gate", f"{n}.50"] for n in range(1, 6))]
    draw_table(canvas, rows, 500, [("VALIGN", (0, 0), (-1, -1), "MIDDLE")], width=90)
    canvas.save()

    (table,) = blocks_of(tmp_path / "names.pdf")

    assert table.header == "N/N | Name | Pieces left"
    assert table.text.split("\n")[0] == "1 | Lamp of the gate | 1.50"


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
