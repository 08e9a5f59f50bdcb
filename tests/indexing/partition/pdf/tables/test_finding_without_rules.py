"""Tables in PDFs that are told by where their words stand alone, made with reportlab."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.types import Block, BlockKind
from tests.indexing.partition.drawn_tables import STOCK, STOCK_BLOCK, blocks_of, draw_table

GATES = [
    ("Oil all the gates", "of the north quay"),
    ("Count the lamps", "and their chains"),
    ("Paint the bells of", "the harbour in blue"),
]
PROSE = "The landlord keeps the warehouse and its gates in good repair."


def test_a_table_without_rules_is_told_by_its_columns(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "plain.pdf"), pagesize=A4)
    draw_table(canvas, STOCK, 640)
    canvas.save()

    assert blocks_of(tmp_path / "plain.pdf") == [STOCK_BLOCK]


@pytest.mark.parametrize("place", ["TOP", "MIDDLE", "BOTTOM"])
def test_figures_beside_labels_of_several_lines_are_in_their_columns(
    tmp_path: Path, place: str
) -> None:
    canvas = Canvas(str(tmp_path / "lines.pdf"), pagesize=A4)
    rows = [
        ["Lamp", "Stock", "Price"],
        ["Deck lamp\nwith chain\nof brass\nand blue\nglass for\nthe gate", "24", "30.00"],
    ]
    rows += [["Buoy", "12", "7.50"], ["Bell of\nbrass", "9", "15.25"]]
    style = [("VALIGN", (0, 0), (-1, -1), place), ("ALIGN", (1, 0), (-1, -1), "RIGHT")]
    draw_table(canvas, rows, 600, style)
    canvas.drawString(66, 560, PROSE)
    canvas.save()

    table, text = blocks_of(tmp_path / "lines.pdf")

    assert table.header == "Lamp | Stock | Price"
    assert table.text.splitlines() == [
        "Deck lamp with chain of brass and blue glass for the gate | 24 | 30.00",
        "Buoy | 12 | 7.50",
        "Bell of brass | 9 | 15.25",
    ]
    assert text.text == PROSE


@pytest.mark.parametrize("place", ["TOP", "MIDDLE", "BOTTOM"])
def test_cells_of_words_in_several_lines_are_whole_as_they_are_drawn(
    tmp_path: Path, place: str
) -> None:
    canvas = Canvas(str(tmp_path / "words.pdf"), pagesize=A4)
    rows = [
        ["Risk", "What is to be done", "Who"],
        ["Gates of the\nnorth quay", "Oil all of them\nbefore the harvest\nmarket", "Ida Berg"],
        ["Lamps", "Count them, with\ntheir chains", "Jan Holm"],
        ["Bells of\nbrass and of\nsteel", "None", "Ada Lund"],
    ]
    space = [(f"{side}PADDING", (0, 0), (-1, -1), 0.5) for side in ("TOP", "BOTTOM")]
    draw_table(canvas, rows, 600, [("VALIGN", (0, 0), (-1, -1), place), *space])
    canvas.save()

    (table,) = blocks_of(tmp_path / "words.pdf")

    assert table.header == "Risk | What is to be done | Who"
    assert table.text.splitlines() == [
        "Gates of the north quay | Oil all of them before the harvest market | Ida Berg",
        "Lamps | Count them, with their chains | Jan Holm",
        "Bells of brass and of steel | None | Ada Lund",
    ]


def test_cells_of_several_lines_that_a_sheet_prints_last_are_in_their_rows(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "sheet.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 10)
    rows = [("No.", "What to do", "Who", "Cost"), ("1", "", "Ida", "12"), ("2", "", "Jan", "7")]
    for top, row in zip((700, 679, 651, 623), [*rows, ("3", "", "Ada", "31")], strict=True):
        for x, text in zip((60, 90, 300, 400), row, strict=True):
            canvas.drawString(x, top, text)
    for top, lines in zip((685, 657, 629), GATES, strict=True):
        for n, text in enumerate(lines):
            canvas.drawString(90, top - 12 * n, text)
    canvas.save()

    (table,) = blocks_of(tmp_path / "sheet.pdf")

    assert table.header == "No. | What to do | Who | Cost"
    assert table.text.splitlines() == [
        "1 | Oil all the gates of the north quay | Ida | 12",
        "2 | Count the lamps and their chains | Jan | 7",
        "3 | Paint the bells of the harbour in blue | Ada | 31",
    ]


def test_a_table_of_a_print_out_is_told_below_a_line_of_dashes(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "print.pdf"), pagesize=A4)
    canvas.setFont("Courier", 9)
    lines = [
        "All lamps of the quay were counted in spring, and these here",
        "were found in the hall at the gate:",
        "",
        "Lamp of the quay      Stock      Sold in May      Price",
        "-------------------------------------------------------",
        "Deck lamp with chain     24            1,204      30.00",
        "Buoy light               12               97       7.50",
        "Bell of the gate          9              118      15.25",
        "                    =======          =======    =======",
        "Sum of them all          45            1,419      52.75",
        "",
        "The keeper of the gate has signed the list of this year.",
    ]
    for number, line in enumerate(lines):
        canvas.drawString(60, 700 - 11 * number, line)
    canvas.save()

    above, table, below = blocks_of(tmp_path / "print.pdf")

    assert above.text.endswith("gate:")
    assert table.header == "Lamp of the quay | Stock | Sold in May | Price"
    assert table.text.splitlines() == [
        "Deck lamp with chain | 24 | 1,204 | 30.00",
        "Buoy light | 12 | 97 | 7.50",
        "Bell of the gate | 9 | 118 | 15.25",
        "Sum of them all | 45 | 1,419 | 52.75",
    ]
    assert below.text.startswith("The keeper")


@pytest.mark.parametrize("mark", ["’", "'"])
def test_apostrophes_part_the_thousands_of_figures(tmp_path: Path, mark: str) -> None:
    canvas = Canvas(str(tmp_path / "account.pdf"), pagesize=A4)
    rows = [
        ["Date", "Text", "Paid out", "Paid in", "Balance"],
        ["1 March", "Salary", "", f"5{mark}400.00", f"12{mark}650.35"],
        ["3 March", "Rent of the flat", f"1{mark}850.00", "", f"10{mark}800.35"],
        ["4 March", "Bakery", "84.20", "", f"10{mark}716.15"],
    ]
    for number, row in enumerate(rows):
        for x, cell in zip((60, 130), row, strict=False):
            canvas.drawString(x, 700 - 15 * number, cell)
        for x, cell in zip((350, 430, 510), row[2:], strict=True):
            canvas.drawRightString(x, 700 - 15 * number, cell)
    canvas.save()

    (table,) = blocks_of(tmp_path / "account.pdf")

    assert [table.header, *table.text.splitlines()] == [" | ".join(row) for row in rows]


def test_a_financial_statement_has_its_figures_in_columns(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "statement.pdf"), pagesize=A4)
    canvas.drawString(60, 780, "STATEMENTS OF OPERATIONS")
    canvas.drawString(60, 766, "(in millions)")
    canvas.drawCentredString(430, 740, "Year Ended December 31,")
    for x, year in ((400, "2023"), (480, "2024")):
        canvas.drawRightString(x, 726, year)
    _row(canvas, 710, "Product sales . . . . . . . . .", "$", "118,573", "$", "9,905")
    canvas.drawString(60, 696, "Operating expenses:")
    _row(canvas, 682, "Cost of sales", "", "(1,934)", "", "—")
    canvas.drawString(60, 668, "Interest on bonds, notes and")
    _row(canvas, 654, "other debt", "", "12", "", "8")
    _row(canvas, 640, "Tax rate", "", "24 %", "", "7 %")
    canvas.drawString(
        60, 600, "See the accompanying notes to these statements, which are a part of them."
    )
    canvas.save()

    caption, table, end = blocks_of(tmp_path / "statement.pdf")

    assert caption.text == "STATEMENTS OF OPERATIONS\n(in millions)"
    assert table == Block(
        BlockKind.TABLE,
        "Product sales | $ 118,573 | $ 9,905\n"
        "Operating expenses:\n"
        "Cost of sales | (1,934) | —\n"
        "Interest on bonds, notes and other debt | 12 | 8\n"
        "Tax rate | 24 % | 7 %",
        header=" | Year Ended December 31, 2023 | Year Ended December 31, 2024",
    )
    assert end.text.startswith("See the accompanying notes")


def test_tables_below_each_other_keep_their_own_headers(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "two.pdf"), pagesize=A4)
    for top, years in ((700, ("2021", "2022")), (620, ("2023", "2024"))):
        for x, year in zip((400, 480), years, strict=True):
            canvas.drawRightString(x, top, year)
        for n, label in enumerate(["Lamps", "Buoys", "Bells"], 1):
            _row(canvas, top - 14 * n, label, "", f"{n}00", "", f"{n}50")
    canvas.save()

    tables = blocks_of(tmp_path / "two.pdf")

    assert [table.header for table in tables] == [" | 2021 | 2022", " | 2023 | 2024"]
    assert tables[0].text == "Lamps | 100 | 150\nBuoys | 200 | 250\nBells | 300 | 350"


def test_names_of_many_lines_do_not_part_the_others_from_the_table(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "names.pdf"), pagesize=A4)
    rows = [
        ["", "2023", "2024", "Share\nof all\nlamps", "Price\nof one\nlamp"],
        ["Deck lamps", "2,411", "1,018", "12 %", "$ 45"],
        ["Storm lanterns", "1,200", "20", "3 %", "$ 61"],
    ]
    draw_table(canvas, rows, 640)
    canvas.save()

    assert blocks_of(tmp_path / "names.pdf") == [
        Block(
            BlockKind.TABLE,
            "Deck lamps | 2,411 | 1,018 | 12 % | $ 45\nStorm lanterns | 1,200 | 20 | 3 % | $ 61",
            " | 2023 | 2024 | Share of all lamps | Price of one lamp",
        )
    ]


def test_the_lines_of_a_cell_without_rules_are_one_text(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "long.pdf"), pagesize=A4)
    work = [
        "Check the old",
        "gauge, move",
        "the small",
        "ladder, move",
        "the oak pump",
        "and the sail",
    ]
    rows = [
        ["Place", "Sign", "Work to do", "Share", "Price"],
        ["Izola", "A120", "\n".join(work), "13%", "24.50"],
        ["Corvo", "B868", "Paint the\nhull", "19%", "8.00"],
        ["Husum", "N121", "\n".join(work[::-1]), "44%", "9.30"],
    ]
    draw_table(canvas, rows, 500, [("VALIGN", (0, 0), (-1, -1), "TOP")])
    canvas.save()

    (table,) = blocks_of(tmp_path / "long.pdf")

    assert table.header == "Place | Sign | Work to do | Share | Price"
    assert table.text.split("\n") == [
        f"Izola | A120 | {' '.join(work)} | 13% | 24.50",
        "Corvo | B868 | Paint the hull | 19% | 8.00",
        f"Husum | N121 | {' '.join(work[::-1])} | 44% | 9.30",
    ]


def test_a_list_that_is_written_column_by_column_comes_row_by_row(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "list.pdf"), pagesize=A4)
    rows = [
        ["Name", "Post", "Mail", "Work phone"],
        ["Ann Aker", "Head of the harbour", "a.aker@lamps.example", "951 9545"],
        ["Bo Corvo", "Pilot", "b.corvo@lamps.example", "951 9627"],
        ["Cy Faro", "Keeper", "c.faro@lamps.example", "951 9556"],
        ["Di Husum", "Assistant to Ann Aker", "d.husum@lamps.example", "951 9666"],
    ]
    for x, name in zip((60, 160, 310, 470), rows[0], strict=True):
        canvas.drawString(x, 700, name)
    for x, column in zip((60, 160, 310, 470), zip(*rows[1:], strict=True), strict=True):
        for number, cell in enumerate(column, 1):
            canvas.drawString(x, 700 - 20 * number, cell)
    canvas.save()

    assert blocks_of(tmp_path / "list.pdf") == [
        Block(
            BlockKind.TABLE,
            "\n".join(" | ".join(row) for row in rows[1:]),
            header="Name | Post | Mail | Work phone",
        )
    ]


def test_strokes_below_a_sum_are_no_words_of_its_row(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "strokes.pdf"), pagesize=A4)
    draw_table(canvas, STOCK, 640)
    canvas.drawString(220, 636, "_____________")
    canvas.save()

    assert blocks_of(tmp_path / "strokes.pdf")[0] == STOCK_BLOCK


def test_prose_in_two_columns_is_no_table(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "columns.pdf"), pagesize=A4)
    lines = ["In 2023 the gate was shut", "for 14 days, in 2024 for 9", "and the lamps were lit at"]
    for x in (60, 320):
        for n in range(24):
            canvas.drawString(x, 780 - 14 * n, lines[n % 3])
    canvas.save()

    blocks = blocks_of(tmp_path / "columns.pdf")

    assert {block.kind for block in blocks} == {BlockKind.TEXT}
    assert "\n".join(block.text for block in blocks).split("\n") == lines * 16


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([["1. Term", "2"], ["2. Rent", "4"], ["3. Use", "11"]], id="contents"),
        pytest.param(
            [["Item 1.", "Term", "2"], ["Item 2.", "Rent", "4"], ["Item 3.", "Use", "11"]],
            id="contents in three columns",
        ),
        pytest.param(
            [["Name:", "Ana Ruiz", "Date:", "5 March"], ["Gate:", "Three", "Hour:", "Noon"]] * 2,
            id="form",
        ),
        pytest.param(
            [["Tenant", "Harbour Light"], ["Landlord", "Dock Road"]] * 2, id="two columns"
        ),
        pytest.param([["•", PROSE], ["•", PROSE], ["•", PROSE]], id="list"),
    ],
)
def test_what_only_looks_like_a_table_stays_as_lines(
    tmp_path: Path, rows: Sequence[Sequence[str]]
) -> None:
    canvas = Canvas(str(tmp_path / "lines.pdf"), pagesize=A4)
    draw_table(canvas, rows, 640)
    canvas.save()

    blocks = blocks_of(tmp_path / "lines.pdf")

    assert BlockKind.TABLE not in {block.kind for block in blocks}
    words = " ".join(block.text for block in blocks).split()
    assert words == " ".join(cell for row in rows for cell in row).split()


def _row(canvas: Canvas, y: float, label: str, *cells: str) -> None:
    """Draw a label and two figures, each behind its sign, as statements have them."""
    canvas.drawString(60, y, label)
    for x, text in zip((345, 400, 430, 480), cells, strict=True):
        canvas.drawRightString(x, y, text)
