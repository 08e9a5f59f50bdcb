from pathlib import Path

import pytest

from indexing.partition.formats import DocumentFormat, check_readable
from indexing.partition.sheets.spreadsheet import open_xlsx
from indexing.partition.sheets.workbook_xml import is_to_compute, open_workbook_xml
from indexing.partition.sheets.xls import open_xls
from indexing.types import NO_PAGE, Block, BlockKind
from tests.conftest import FILES
from tests.libreoffice import needs_calc

BOOK = """<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:html="http://www.w3.org/TR/REC-html40">
<Styles>
<Style ss:ID="share"><NumberFormat ss:Format="Percent"/></Style>
<Style ss:ID="money"><NumberFormat ss:Format="&quot;$&quot;#,##0.00"/></Style>
<Style ss:ID="day"><NumberFormat ss:Format="d/m/yy"/></Style>
<Style ss:ID="named"><NumberFormat ss:Format="Standard"/></Style>
</Styles>
{sheets}
</Workbook>
"""
SHEET = '<Worksheet ss:Name="{name}"><Table>{rows}</Table></Worksheet>'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.xls"


def cell(kind: str, value: str, attributes: str = "") -> str:
    return f'<Cell {attributes}><Data ss:Type="{kind}">{value}</Data></Cell>'


def words(*values: str) -> str:
    return f"<Row>{''.join(cell('String', value) for value in values)}</Row>"


def row(*cells: str, attributes: str = "") -> str:
    return f"<Row {attributes}>{''.join(cells)}</Row>"


def blocks_of(path: Path, *rows: str) -> tuple[Block, ...]:
    sheet = SHEET.format(name="Prices", rows="".join(rows))
    path.write_text(BOOK.format(sheets=sheet), encoding="utf-8")
    (page,) = open_xls(path).pages
    return page.blocks


def test_each_sheet_is_a_page_with_its_name(path: Path) -> None:
    sheets = [SHEET.format(name=f"No. {n}", rows=words(f"word {n}")) for n in (1, 2)]
    path.write_text(BOOK.format(sheets="".join(sheets)))

    assert check_readable(path, path.name) is DocumentFormat.XLS
    document = open_xls(path)

    assert document.page_count == 2
    assert [(page.number, page.label, page.blocks[0].text) for page in document.pages] == [
        (NO_PAGE, "No. 1", "word 1"),
        (NO_PAGE, "No. 2", "word 2"),
    ]


def test_binary_workbook_is_read_as_before() -> None:
    old = open_xls(FILES / "price-list.xls")

    assert list(old.pages) == list(open_xlsx(FILES / "price-list.xlsx").pages)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(cell("Number", "0.125", 'ss:StyleID="share"'), "12.5%", id="percentage"),
        pytest.param(cell("Number", "61", 'ss:StyleID="money"'), "$61", id="money"),
        pytest.param(cell("Number", "45415", 'ss:StyleID="day"'), "2024-05-03", id="day by style"),
        pytest.param(cell("Number", "7", 'ss:StyleID="named"'), "7", id="named style"),
        pytest.param(cell("Number", "1.5E3"), "1500", id="power"),
        pytest.param(cell("Number", "1E999"), "1E999", id="too large"),
        pytest.param(cell("Number", "twelve"), "twelve", id="no number"),
        pytest.param(cell("DateTime", "2024-03-31T00:00:00.000"), "2024-03-31", id="day"),
        pytest.param(cell("DateTime", "2024-03-31T08:30:00"), "2024-03-31 08:30:00", id="moment"),
        pytest.param(cell("DateTime", "1899-12-31T14:30:00.000"), "14:30:00", id="time"),
        pytest.param(cell("Boolean", "1"), "TRUE", id="true"),
        pytest.param(cell("Error", "#DIV/0!"), "#DIV/0!", id="error"),
        pytest.param(
            cell("String", "<html:B>bold</html:B> and <html:I>thin</html:I>"),
            "bold and thin",
            id="letters of several kinds",
        ),
    ],
)
def test_values_come_as_they_are_shown(path: Path, value: str, shown: str) -> None:
    (table,) = blocks_of(path, words("Name", "Value"), row(cell("String", "this"), value))

    assert (table.header, table.text) == ("Name | Value", f"this | {shown}")


def test_cells_and_rows_that_were_left_out_keep_their_places(path: Path) -> None:
    third = cell("Number", "3", 'ss:Index="3"')
    tables = blocks_of(
        path,
        words("Name", "Old", "New"),
        row(cell("String", "lamp"), third),
        row(cell("String", "A note"), attributes='ss:Index="9"'),
    )

    assert [block.text for block in tables] == ["lamp |  | 3", "A note"]


def test_heading_over_several_columns_is_written_before_those_below_it(path: Path) -> None:
    above = row(cell("String", ""), cell("String", "2024", 'ss:MergeAcross="1"'))
    numbers = row(cell("String", "lamp"), cell("Number", "1"), cell("Number", "2"))

    (table,) = blocks_of(path, above, words("Name", "Sales", "Profit"), numbers)

    assert table.kind is BlockKind.TABLE
    assert table.header == "Name | 2024 Sales | 2024 Profit"


def test_places_far_out_take_no_memory(path: Path) -> None:
    far = cell("String", "far", 'ss:Index="9999999" ss:MergeAcross="9999999"')

    assert [block.text for block in blocks_of(path, words("near"), row(far))] == ["near"]


def test_entities_are_not_followed(path: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("4711")
    named = f'<?xml version="1.0"?><!DOCTYPE Workbook [<!ENTITY of SYSTEM "{secret.as_uri()}">]>'
    sheet = SHEET.format(name="Prices", rows=words("&of;", "word"))
    path.write_text(BOOK.format(sheets=sheet).replace('<?xml version="1.0"?>', named))

    pages = list(open_xls(path).pages)

    assert "4711" not in str(pages)


def test_a_name_beside_several_rows_stands_in_each(path: Path) -> None:
    blocks = blocks_of(
        path,
        words("Region", "Name", "Pieces"),
        row(
            cell("String", "North", 'ss:MergeDown="3"'), cell("String", "Lamp"), cell("Number", "4")
        ),
        row(cell("String", "Wick", 'ss:Index="2"'), cell("Number", "5"), attributes='ss:Index="5"'),
        row(cell("String", "Oil", 'ss:Index="2"'), cell("Number", "6")),
    )

    assert blocks[0].text == "North | Lamp | 4\nNorth | Wick | 5\n | Oil | 6"


WITHOUT_VALUE = '<Cell ss:StyleID="share" ss:Formula="=RC[-1]/8"/>'


@pytest.mark.parametrize(
    ("formula", "is_found"),
    [
        pytest.param(WITHOUT_VALUE, True, id="no value"),
        pytest.param(cell("Number", "", 'ss:Formula="=RC[-1]/8"'), True, id="an empty number"),
        pytest.param(cell("String", "", 'ss:Formula="=RC[-2]"'), False, id="no text"),
        pytest.param(cell("Number", "0", 'ss:Formula="=RC[-1]*0"'), False, id="zero"),
        pytest.param("<Cell/>", False, id="no formula"),
        pytest.param(
            WITHOUT_VALUE + cell("Boolean", "1"), False, id="beside what would be left out"
        ),
    ],
)
def test_a_workbook_is_to_be_computed_where_formulas_lack_values(
    path: Path, formula: str, is_found: bool
) -> None:
    sheet = SHEET.format(name="Prices", rows=row(cell("Number", "2"), formula))
    path.write_text(BOOK.format(sheets=sheet))

    assert is_to_compute(path) is is_found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_formulas_are_found_in_any_encoding(path: Path, encoding: str) -> None:
    sheet = SHEET.format(name="Prices", rows=row(cell("String", "x" * (1 << 20)), WITHOUT_VALUE))
    book = "\ufeff" + BOOK.format(sheets=sheet)
    path.write_bytes(book.encode(encoding))

    assert is_to_compute(path)


def test_formulas_that_are_not_computed_are_named(path: Path) -> None:
    rows = row(cell("String", "Lamp"), WITHOUT_VALUE), row(cell("String", "Wick"), WITHOUT_VALUE)
    sheets = SHEET.format(name="Shares", rows="".join(rows)), SHEET.format(name="Other", rows="")
    path.write_text(BOOK.format(sheets="".join(sheets)))

    page, other = open_workbook_xml(path).pages

    assert page.warning.startswith("the sheet 'Shares' has formulas without values")
    assert "whose cells (2) are empty" in page.warning
    assert not other.warning


@needs_calc
def test_formulas_saved_without_values_are_computed(path: Path) -> None:
    (block,) = blocks_of(
        path,
        words("Name", "Parts", "Share"),
        row(cell("String", "Lamp"), cell("Number", "3"), WITHOUT_VALUE),
    )

    assert (block.header, block.text) == ("Name | Parts | Share", "Lamp | 3 | 37.5%")
