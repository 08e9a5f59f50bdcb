import io
import zipfile
from pathlib import Path

import pytest

from indexing.partition.open_document.sheets import open_ods
from indexing.partition.sheets.spreadsheet import MAX_CELLS
from indexing.types import NO_PAGE, Block, BlockKind, ReadBy
from tests.files.drawn import draw_lines
from tests.files.hostile_packages import member, with_members
from tests.indexing.partition.open_documents import (
    OTHER_FILE,
    frame,
    image,
    write,
    write_with_picture,
)
from tests.libreoffice import needs_calc

FILES = Path(__file__).parents[3] / "files"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    """A picture of a line of text."""
    draw_lines([["Twelve lamps at gate three"]], (640, 300), 28).save(tmp_path / "note.png")
    return tmp_path / "note.png"


def test_entities_of_a_sheet_are_not_followed(path: Path) -> None:
    cell = "<table:table-cell><text:p>before &file; behind</text:p></table:table-cell>"
    table = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"
    write(path, table, "spreadsheet", before=OTHER_FILE)

    (page,) = open_ods(path).pages

    assert [block.text for block in page.blocks] == ["before behind"]


def test_a_sheet_is_read_as_those_of_excel_are() -> None:
    prices, discounts = open_ods(FILES / "price-list.ods").pages

    assert (prices.number, prices.label) == (NO_PAGE, "Prices")
    assert prices.blocks[1].header == "Article | Name | Price | In stock | Valid from"
    assert prices.blocks[1].text.startswith("LN-100 | Storm lantern | 24.5 | 120 | 2024-01-15\n")
    assert discounts.blocks == (
        Block(BlockKind.TABLE, "10 | 0.05\n100 | 0.12", header="Pieces | Discount"),
    )


def test_numbers_come_with_what_is_displayed_around_them(path: Path) -> None:
    cells = "".join(
        f'<table:table-cell office:value-type="float" office:value="{value}">'
        f"<text:p>{displayed}</text:p></table:table-cell>"
        for value, displayed in [
            ("4255551234", "(425) 555-1234"),
            ("42", "00042"),
            ("1234.5", "1,234.5 kg"),
            ("1234567", "1.2M"),
        ]
    )
    table = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
    write(path, table, "spreadsheet")

    (page,) = open_ods(path).pages

    assert page.blocks[0].text == "(425) 555-1234 | 00042 | 1234.5 kg | 1234567"


def test_a_heading_over_two_columns_stands_in_front_of_theirs(path: Path) -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    wide = cell.format("2024").replace("cell>", "cell table:number-columns-spanned='2'>", 1)
    rows = [
        cell.format("Region") + wide + "<table:covered-table-cell/>",
        "<table:table-cell/>" + cell.format("Sales") + cell.format("Profit"),
        cell.format("North") + cell.format("5") + cell.format("1"),
    ]
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    write(path, f'<table:table table:name="A">{body}</table:table>', "spreadsheet")

    (page,) = open_ods(path).pages

    assert page.blocks == (
        Block(BlockKind.TABLE, "North | 5 | 1", header="Region | 2024 Sales | 2024 Profit"),
    )


def test_percentages_and_amounts_are_shown_with_their_units(path: Path) -> None:
    kinds = [
        'percentage" office:value="0.125',
        'currency" office:currency="EUR" office:value="1234.5',
        'currency" office:currency="no code" office:value="5',
        'float" office:currency="EUR" office:value="7',
    ]
    cells = "".join(f'<table:table-cell office:value-type="{kind}"/>' for kind in kinds)
    write(
        path,
        f"<table:table><table:table-row>{cells}</table:table-row></table:table>",
        "spreadsheet",
    )

    (page,) = open_ods(path).pages

    assert page.blocks == (Block(BlockKind.TABLE, "12.5% | 1234.5 EUR | 5 | 7"),)


def test_repeated_cells_are_not_unpacked_without_bound(path: Path) -> None:
    body = (
        '<table:table table:name="A"><table:table-row table:number-rows-repeated="1048576">'
        '<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p>'
        "</table:table-cell></table:table-row></table:table>"
    )
    write(path, body, "spreadsheet")

    (page,) = open_ods(path).pages

    assert page.warning.startswith("the sheet 'A' has more than 3,000,000 filled cells")
    assert page.blocks[0].text.count("x") <= MAX_CELLS


def test_pictures_and_text_boxes_follow_the_cells_of_their_sheet(path: Path, note: Path) -> None:
    box = frame(
        "<draw:text-box><text:p>Prices <text:span>hold</text:span></text:p></draw:text-box>"
    )
    body = sheet("A", row(f"<text:p>plain</text:p>{box}"), row(frame(image())))
    body += sheet("B", row("<text:p>second</text:p>"))
    write_with_picture(path, body, note, "spreadsheet")

    first, second = open_ods(path).pages

    assert [block.text for block in first.blocks] == [
        "plain",
        "Prices hold",
        "Twelve lamps at gate three",
    ]
    assert (first.label, first.read_by, first.pictures) == ("A", ReadBy.MIXED, 1)
    assert [block.text for block in second.blocks] == ["second"]


def test_lists_in_text_boxes_and_labels_of_lines_are_read(path: Path) -> None:
    items = "<text:list><text:list-item><text:p>fragile</text:p></text:list-item></text:list>"
    shapes = (
        f"<draw:frame><draw:text-box><text:p>Lamps</text:p>{items}</draw:text-box></draw:frame>"
        "<draw:line><text:p>to gate three</text:p></draw:line>"
        "<draw:connector><text:p>by cart</text:p></draw:connector>"
    )
    body = sheet("A", f"<table:shapes>{shapes}</table:shapes>", row("<text:p>cell</text:p>"))
    write(path, body, "spreadsheet")

    (page,) = open_ods(path).pages

    assert [block.text for block in page.blocks] == [
        "cell",
        "Lamps\nfragile",
        "to gate three",
        "by cart",
    ]


def test_shapes_of_the_sheet_itself_are_read_too(path: Path, note: Path) -> None:
    shape = (
        "<draw:custom-shape><text:p>Above</text:p><text:p/><text:p>all</text:p></draw:custom-shape>"
    )
    body = sheet("A", f"<table:shapes>{shape}</table:shapes>", row("<text:p>cell</text:p>"))
    write_with_picture(path, body, note, "spreadsheet")

    (page,) = open_ods(path).pages

    assert [block.text for block in page.blocks] == ["cell", "Above\nall"]


def test_what_another_program_was_asked_for_is_no_sheet(path: Path) -> None:
    copy = sheet(
        "", '<table:table-row><table:table-cell office:string-value="x"/></table:table-row>'
    )
    links = f"<table:dde-links><table:dde-link>{copy}</table:dde-link></table:dde-links>"
    write(path, sheet("A", row("<text:p>cell</text:p>")) + links, "spreadsheet")

    document = open_ods(path)

    assert document.page_count == 1
    assert [[block.text for block in page.blocks] for page in document.pages] == [["cell"]]


def test_a_table_in_a_cell_is_no_sheet(path: Path) -> None:
    within = sheet("B", words("lamp", "wick"))
    write(path, sheet("A", row(within), row("<text:p>cell</text:p>")), "spreadsheet")

    document = open_ods(path)

    (page,) = document.pages
    assert document.page_count == 1
    assert page.blocks == (Block(BlockKind.TABLE, "cell", header="lamp | wick"),)


def test_comments_of_cells_are_not_read(path: Path, note: Path) -> None:
    comment = "<office:annotation><text:p>why?</text:p></office:annotation>"
    body = sheet("A", row(f"{comment}<text:p>cell</text:p>"))
    write_with_picture(path, body, note, "spreadsheet")

    (page,) = open_ods(path).pages

    assert [block.text for block in page.blocks] == ["cell"]


def test_sheets_that_are_left_out_are_not_looked_at(path: Path, note: Path) -> None:
    body = sheet("A", row(frame(image()))) + sheet("B", row(frame(image())))
    write_with_picture(path, body, note, "spreadsheet")

    (second,) = open_ods(path, skip_pages=1).pages

    assert second.label == "B"


def test_a_second_table_of_words_is_told_by_bold_print(path: Path) -> None:
    bold = '<style:text-properties fo:font-weight="bold"/>'
    style = f'<style:style style:name="b">{bold}</style:style>'
    rows = [
        words("Name", "City", style="b"),
        words("Hale", "Bath"),
        "<table:table-row><table:table-cell/></table:table-row>",
        words("Term", "Meaning", style="b"),
        words("Lessee", "who rents"),
    ]
    write(path, style + sheet("One", *rows), kind="spreadsheet")

    (page,) = open_ods(path).pages

    assert [block.header for block in page.blocks] == ["Name | City", "Term | Meaning"]


def words(*texts: str, style: str = "plain") -> str:
    cells = (
        f'<table:table-cell table:style-name="{style}"><text:p>{text}</text:p></table:table-cell>'
        for text in texts
    )
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def sheet(name: str, *content: str) -> str:
    return f'<table:table table:name="{name}">{"".join(content)}</table:table>'


def row(cell: str) -> str:
    return f"<table:table-row><table:table-cell>{cell}</table:table-cell></table:table-row>"


def test_a_name_beside_several_rows_stands_in_each(path: Path) -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    name = cell.replace("cell>", 'cell table:number-rows-spanned="2">', 1).format("North")
    covered = "<table:covered-table-cell/>"
    rows = [
        cell.format("Region") + cell.format("Name"),
        name + cell.format("Lamp"),
        covered + cell.format("Wick"),
        "<table:table-cell/>" + cell.format("Oil"),
    ]
    table = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    write(path, f"<table:table>{table}</table:table>", "spreadsheet")

    (page,) = open_ods(path).pages

    assert page.blocks[0].text == "North | Lamp\nNorth | Wick\n | Oil"


FORMULA = '<table:table-cell table:formula="=6*7" {attributes}/>'
NUMBER = '<table:table-cell office:value-type="float" office:value="5"/>'


@needs_calc
def test_formulas_saved_without_values_are_computed(path: Path) -> None:
    cells = f"{NUMBER}{FORMULA.format(attributes='')}"
    table = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
    write(path, table, "spreadsheet")

    (page,) = open_ods(path).pages

    assert [block.text for block in page.blocks] == ["5 | 42"]
    assert not page.warning


@pytest.mark.parametrize(
    ("attributes", "is_counted"),
    [
        pytest.param("", True, id="nothing"),
        pytest.param('office:value-type="float"', True, id="type alone"),
        pytest.param('office:value-type="float" office:value="0"', False, id="value unseen"),
        pytest.param('office:value-type="string"', False, id="empty text"),
    ],
)
def test_formulas_that_are_not_computed_are_named(
    attributes: str, is_counted: bool, path: Path, note: Path
) -> None:
    cells = f"{NUMBER}{FORMULA.format(attributes=attributes)}"
    table = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
    # Without a manifest, of which LibreOffice makes nothing.
    write_with_picture(path, table, note, "spreadsheet")

    (page,) = open_ods(path).pages

    assert ("whose cells (1) are empty" in page.warning) is is_counted


def test_of_a_workbook_whose_bytes_were_spoilt_the_beginning_is_read(tmp_path: Path) -> None:
    cell = (
        '<table:table-cell office:value-type="string"><text:p>Lamp {}</text:p></table:table-cell>'
    )
    cells = (cell.format(n**3 % 9973) + cell.format(n**5 % 997) for n in range(2000))
    rows = "".join(f"<table:table-row>{pair}</table:table-row>" for pair in cells)
    whole = member("price-list.ods", "content.xml").decode()
    content = whole.replace("<table:table-row", f"{rows}<table:table-row", 1).encode()
    book = bytearray(with_members("price-list.ods", {"content.xml": content}))
    with zipfile.ZipFile(io.BytesIO(book)) as package:
        spoilt = package.getinfo("content.xml")
    book[spoilt.header_offset + 41 + spoilt.compress_size * 3 // 4] ^= 0xFF
    (tmp_path / "spoilt.ods").write_bytes(book)

    first, *_ = open_ods(tmp_path / "spoilt.ods").pages

    text = "\n".join(f"{block.header}\n{block.text}" for block in first.blocks)
    assert "Lamp 8 | Lamp 32" in text
    assert text.count("Lamp") > 2000
    assert first.warning.startswith("parts of the file are damaged or missing")
