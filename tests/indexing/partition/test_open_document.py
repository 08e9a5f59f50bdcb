import zipfile
from pathlib import Path

import pytest

from indexing.partition.libreoffice import find_soffice
from indexing.partition.open_document import open_odp, open_ods, open_odt
from indexing.partition.spreadsheet import MAX_CELLS
from indexing.types import NO_PAGE, Block, BlockKind

FILES = Path(__file__).parents[2] / "files"

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style")
)
BREAK = (
    "<office:automatic-styles "
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0">'
    '<style:style style:name="new"><style:paragraph-properties fo:break-before="page"/>'
    "</style:style></office:automatic-styles>"
)

MANIFEST = (
    '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    '<m:file-entry m:full-path="/" m:media-type="application/vnd.oasis.opendocument.text"/>'
    '<m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>'
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "document"


def write(
    path: Path,
    body: str,
    kind: str = "text",
    before: str = "",
    breaks: str = 'text:use-soft-page-breaks="true"',
) -> None:
    """Write an OpenDocument package with nothing but a content."""
    content = (
        f"{before}<office:document-content {NAMES}>{BREAK}<office:body>"
        f"<office:{kind} {breaks}>{body}</office:{kind}></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        package.writestr("content.xml", content)
        package.writestr("META-INF/manifest.xml", MANIFEST)


def texts(path: Path) -> list[list[str]]:
    return [[block.text for block in page.blocks] for page in open_odt(path).pages]


def test_a_text_has_headings_tables_and_pages() -> None:
    document = open_odt(FILES / "supplier-handbook.odt")
    first, second = document.pages

    assert (document.title, document.page_count) == ("Supplier Handbook", 2)
    assert first.blocks[0].text == "Harbour Light Ltd, for suppliers"
    assert first.blocks[1] == Block(BlockKind.HEADING, "Ordering")
    assert first.blocks[-1].header == "Carrier | Days | Contact"
    assert second.blocks[0] == Block(BlockKind.HEADING, "Payment")


@pytest.mark.parametrize(
    ("body", "pages"),
    [
        pytest.param("<text:p>a<text:s/>b<text:tab/>c</text:p>", [["a b c"]], id="spaces"),
        pytest.param("<text:p>a<text:line-break/>b</text:p>", [["a\nb"]], id="line break"),
        pytest.param(
            "<text:p>a <text:soft-page-break/>b</text:p>", [["a"], ["b"]], id="page ends in it"
        ),
        pytest.param(
            '<text:p>a</text:p><text:p text:style-name="new">b</text:p>', [["a"], ["b"]], id="style"
        ),
        pytest.param('<text:p text:style-name="new">a</text:p>', [["a"]], id="first of all"),
        pytest.param(
            "<text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body>"
            "<text:p>below</text:p></text:note-body></text:note> b</text:p>",
            [["a b", "below"]],
            id="note",
        ),
        pytest.param(
            "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>a"
            "<office:annotation><text:p>said</text:p></office:annotation></text:p>",
            [["a"]],
            id="deleted, commented",
        ),
        pytest.param(
            "<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item>"
            "<text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>",
            [["a", "b"]],
            id="lists",
        ),
        pytest.param(
            "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
            "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>"
            "<text:soft-page-break/><table:table-row><table:table-cell><text:p>c</text:p>"
            "</table:table-cell><table:table-cell><text:p>d</text:p></table:table-cell>"
            "</table:table-row></table:table>",
            [["a | b"], ["c | d"]],
            id="page ends in a table",
        ),
    ],
)
def test_text_stands_on_its_page(body: str, pages: list[list[str]], path: Path) -> None:
    write(path, body)

    assert texts(path) == pages


OTHER_FILE = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/hostname">]>'


def test_entities_are_not_followed(path: Path) -> None:
    write(path, "<text:p>before &file; behind</text:p>", before=OTHER_FILE)

    assert texts(path) == [["before behind"]]


def test_entities_of_a_sheet_are_not_followed(path: Path) -> None:
    cell = "<table:table-cell><text:p>before &file; behind</text:p></table:table-cell>"
    table = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"
    write(path, table, "spreadsheet", before=OTHER_FILE)

    (page,) = open_ods(path).pages

    assert [block.text for block in page.blocks] == ["before behind"]


def test_the_pages_of_a_long_text_without_breaks_are_laid_out_or_unknown(path: Path) -> None:
    body = "".join(f"<text:p>Line {n} of a long text about lamps</text:p>" for n in range(100))
    write(path, body, breaks="")

    pages = list(open_odt(path).pages)

    assert sum(len(page.blocks) for page in pages) == 100
    assert pages[0].number == (NO_PAGE if find_soffice() is None else 1)


def test_a_slide_is_a_page_with_its_chart_and_notes() -> None:
    document = open_odp(FILES / "quarterly-review.odp")
    title, bullets, figures = document.pages

    assert (document.title, document.page_count) == ("Quarterly Review Q1 2024", 3)
    assert title.blocks[0] == Block(BlockKind.HEADING, "Quarterly Review")
    assert [block.text for block in bullets.blocks] == [
        "What went well",
        "Revenue grew by 14 percent",
        "Returns fell to 1.2 percent",
        "Lamps sold",
        "January | 310\nFebruary | 365",
        "Thank the Bristol team for the inventory week.",
    ]
    assert figures.blocks[1].header == "Measure | Value"


def test_a_sheet_is_read_as_those_of_excel_are() -> None:
    prices, discounts = open_ods(FILES / "price-list.ods").pages

    assert (prices.number, prices.label) == (NO_PAGE, "Prices")
    assert prices.blocks[1].header == "Article | Name | Price | In stock | Valid from"
    assert prices.blocks[1].text.startswith("LN-100 | Storm lantern | 24.5 | 120 | 2024-01-15\n")
    assert discounts.blocks == (
        Block(BlockKind.TABLE, "10 | 0.05\n100 | 0.12", header="Pieces | Discount"),
    )


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
