import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.drawing.image import Image
from openpyxl.workbook import Workbook

from indexing.partition.sheets.drawings import with_drawings
from indexing.partition.sheets.spreadsheet import open_xlsx
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page, ReadBy
from tests.files.drawn import draw_lines

DRAWING = "xl/drawings/drawing1.xml"
MAIN = "http://schemas.openxmlformats.org/drawingml/2006/main"
PARAGRAPHS = (
    f'<a:p xmlns:a="{MAIN}"><a:r><a:t>Prices hold </a:t></a:r>'
    "<a:r><a:t>until {until}.</a:t></a:r></a:p>"
    f'<a:p xmlns:a="{MAIN}"><a:r><a:t>Ask</a:t></a:r><a:br/><a:r><a:t>first.</a:t></a:r></a:p>'
)
TEXT_BOX = """
<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>{row}</xdr:row></xdr:from>
<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="7" name="Box" {attributes}/></xdr:nvSpPr><xdr:txBody>
{paragraphs}
</xdr:txBody></xdr:sp></xdr:twoCellAnchor>
"""


@pytest.fixture
def workbook() -> Workbook:
    """A workbook of two sheets; a picture lies on the second."""
    workbook = openpyxl.Workbook()
    workbook.worksheets[0]["A1"] = "plain"
    second = workbook.create_sheet("With picture")
    second["A1"] = "above"
    second.add_image(picture("Code 4711"), "C3")
    return workbook


def picture(words: str, width: int = 640) -> Image:
    content = io.BytesIO()
    draw_lines([[words]], (width, 300), 28).save(content, "PNG")
    return Image(content)


def saved(workbook: Workbook, path: Path, drawing: Callable[[str], str] = str) -> Path:
    """Save the workbook, its drawing rewritten."""
    workbook.save(path / "made.xlsx")
    target = path / "book.xlsx"
    with zipfile.ZipFile(path / "made.xlsx") as made, zipfile.ZipFile(target, "w") as written:
        for name in made.namelist():
            content = made.read(name)
            written.writestr(name, drawing(content.decode()) if name == DRAWING else content)
    return target


def with_boxes(*boxes: str) -> Callable[[str], str]:
    namespace = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"

    def rewrite(drawing: str) -> str:
        prefixed = "".join(boxes).replace("<xdr:", "<").replace("</xdr:", "</")
        assert f'xmlns="{namespace}"' in drawing
        return drawing.replace("</wsDr>", f"{prefixed}</wsDr>")

    return rewrite


def text_box(row: int, until: str = "May", attributes: str = "") -> str:
    paragraphs = PARAGRAPHS.format(until=until)
    return TEXT_BOX.format(row=row, attributes=attributes, paragraphs=paragraphs)


def test_words_of_a_picture_follow_the_cells_of_its_sheet(
    workbook: Workbook, tmp_path: Path
) -> None:
    plain, second = open_xlsx(saved(workbook, tmp_path)).pages

    assert plain == Page(NO_PAGE, (Block(BlockKind.TEXT, "plain"),), label="Sheet")
    assert [block.text for block in second.blocks] == ["above", "Code 4711"]
    assert (second.read_by, second.pictures, second.warning) == (ReadBy.MIXED, 1, "")


def test_text_boxes_are_read_in_the_order_of_their_rows(workbook: Workbook, tmp_path: Path) -> None:
    drawing = with_boxes(text_box(9, "June"), text_box(0))

    _, second = open_xlsx(saved(workbook, tmp_path, drawing)).pages

    assert [block.text for block in second.blocks] == [
        "above",
        "Prices hold until May.\nAsk first.",
        "Code 4711",
        "Prices hold until June.\nAsk first.",
    ]


def test_title_of_a_chart_is_read(workbook: Workbook, tmp_path: Path) -> None:
    sheet = workbook.worksheets[0]
    for title in ("Sales of lamps", None):
        chart = BarChart()
        chart.title = title
        chart.add_data(Reference(sheet, min_col=1, min_row=1))
        sheet.add_chart(chart, "F2")

    plain, _ = open_xlsx(saved(workbook, tmp_path)).pages

    assert [block.text for block in plain.blocks] == ["plain", "Sales of lamps"]


def test_hidden_chart_is_not_read(workbook: Workbook, tmp_path: Path) -> None:
    chart = BarChart()
    chart.title = "Sales of lamps"
    sheet = workbook.worksheets[0]
    chart.add_data(Reference(sheet, min_col=1, min_row=1))
    sheet.add_chart(chart, "F2")

    def hidden(drawing: str) -> str:
        assert "<cNvPr " in drawing
        return drawing.replace("<cNvPr ", '<cNvPr hidden="1" ')

    plain, _ = open_xlsx(saved(workbook, tmp_path, hidden)).pages

    assert [block.text for block in plain.blocks] == ["plain"]


def test_entities_of_a_drawing_are_not_followed(workbook: Workbook, tmp_path: Path) -> None:
    def with_entity(drawing: str) -> str:
        boxed = with_boxes(text_box(0, until="&file;"))(drawing)
        return f'<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/hostname">]>{boxed}'

    _, second = open_xlsx(saved(workbook, tmp_path, with_entity)).pages

    assert second.blocks[1].text == "Prices hold until\nAsk first."


def test_hidden_box_is_not_read(workbook: Workbook, tmp_path: Path) -> None:
    drawing = with_boxes(text_box(0, attributes='hidden="1"'))

    _, second = open_xlsx(saved(workbook, tmp_path, drawing)).pages

    assert [block.text for block in second.blocks] == ["above", "Code 4711"]


@pytest.mark.parametrize("around", ["anchor", "shape"])
def test_box_for_older_programs_is_not_read_twice(
    workbook: Workbook, tmp_path: Path, around: str
) -> None:
    whole = text_box(0).strip()
    shape = whole[whole.index("<xdr:sp>") : whole.index("</xdr:twoCell")]
    part = shape if around == "shape" else whole
    namespace = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    both = (
        f'<mc:AlternateContent xmlns:mc="{namespace}"><mc:Choice Requires="a14">{part}</mc:Choice>'
        f"<mc:Fallback>{part}</mc:Fallback></mc:AlternateContent>"
    )
    drawing = with_boxes(whole.replace(part, both))

    _, second = open_xlsx(saved(workbook, tmp_path, drawing)).pages

    assert len(second.blocks) == 3


def test_logo_is_not_looked_at(workbook: Workbook, tmp_path: Path) -> None:
    logo = picture("Acme")
    logo.width, logo.height = 60, 20
    workbook.worksheets[0].add_image(logo, "C1")

    first, _ = open_xlsx(saved(workbook, tmp_path)).pages

    assert [block.text for block in first.blocks] == ["plain"]


def test_size_is_that_of_the_cells_below_where_no_other_is_said(
    workbook: Workbook, tmp_path: Path
) -> None:
    def without_size(drawing: str) -> str:
        start, _, rest = drawing.partition("<ext ")
        drawing = start + rest.partition("/>")[2]
        return (
            drawing.replace("oneCellAnchor", "twoCellAnchor")
            .replace("</from>", "</from><to><col>12</col><row>20</row></to>")
            .replace("</wsDr>", "</wsDr>")
        )

    _, second = open_xlsx(saved(workbook, tmp_path, without_size)).pages

    assert [block.text for block in second.blocks] == ["above", "Code 4711"]


@pytest.mark.parametrize("damage", ["<wsDr", "<a/>&", ""])
def test_cells_are_read_where_a_drawing_is_damaged(
    workbook: Workbook, tmp_path: Path, damage: str
) -> None:
    plain, second = open_xlsx(saved(workbook, tmp_path, lambda _: damage)).pages

    assert plain.warning == ""
    assert [block.text for block in second.blocks] == ["above"]
    assert second.warning == "the drawings on 'With picture' cannot be read: it is damaged"


def test_a_drawing_that_is_named_but_not_there_is_none(workbook: Workbook, tmp_path: Path) -> None:
    path = saved(workbook, tmp_path)
    without = tmp_path / "without.xlsx"
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(without, "w") as written:
        for name in package.namelist():
            if name != DRAWING:
                written.writestr(name, package.read(name))

    _, second = open_xlsx(without).pages

    assert [block.text for block in second.blocks] == ["above"]
    assert second.warning == ""


def test_picture_that_is_damaged_keeps_the_other_warnings_of_its_sheet(
    workbook: Workbook, tmp_path: Path
) -> None:
    path = saved(workbook, tmp_path)
    damaged = tmp_path / "damaged.xlsx"
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(damaged, "w") as written:
        for name in package.namelist():
            content = package.read(name)
            written.writestr(name, content[:90] if name.endswith(".png") else content)
    pages = [Page(NO_PAGE, (), label="With picture", warning="its cells are too many")]

    (page,) = with_drawings(Document("", 1, iter(pages)), damaged).pages

    assert page.warning == (
        "its cells are too many; 1 of the pictures cannot be read: it is damaged"
    )


def test_sheets_that_are_left_out_are_not_looked_at(workbook: Workbook, tmp_path: Path) -> None:
    path = saved(workbook, tmp_path)

    (second,) = open_xlsx(path, skip_pages=1).pages

    assert second.label == "With picture"
    assert list(open_xlsx(path, skip_pages=2).pages) == []


def test_a_sheet_that_is_a_chart_is_a_page_with_its_title(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0].append(["Oil", 3])
    for title in ("Wicks by port", "Oil by year", ""):
        chart = BarChart()
        chart.title = title or None
        chart.add_data(Reference(workbook.worksheets[0], min_col=2, min_row=1))
        first = 0 if title.startswith("Oil") else None
        workbook.create_chartsheet(title or "Nameless", first).add_chart(chart)
    workbook.save(tmp_path / "book.xlsx")

    document = open_xlsx(tmp_path / "book.xlsx")
    pages = list(document.pages)

    assert document.page_count == len(pages) == 3
    assert [page.label for page in pages] == ["Oil by year", "Sheet", "Wicks by port"]
    assert [page.blocks[-1].text for page in pages] == ["Oil by year", "Oil | 3", "Wicks by port"]
