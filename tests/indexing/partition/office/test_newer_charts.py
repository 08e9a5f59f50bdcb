import io
import zipfile
from pathlib import Path

import openpyxl
import pptx
import pytest
from lxml import etree
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI

from indexing.partition.formats import DocumentFormat
from indexing.partition.office.charts import chart_tables, chart_titles
from indexing.partition.office.newer_charts import usual_chart
from indexing.partition.office.package_xml import parse
from indexing.partition.reader import open_document
from indexing.partition.word.drawn import write_out
from indexing.partition.word.elements import W, text_of
from tests.indexing.partition.docx_xml import NAMESPACES

CX = "http://schemas.microsoft.com/office/drawing/2014/chartex"
TYPE = "http://schemas.microsoft.com/office/2014/relationships/chartEx"
TITLE = (
    "<cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Oil</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>"
)


def chart(categories: str, code: str = "General") -> str:
    numbers = "".join(f'<cx:pt idx="{n}">{value}</cx:pt>' for n, value in enumerate(("0.5", "2")))
    return f"""<cx:chartSpace xmlns:cx="{CX}"
    xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
    <cx:chartData><cx:data id="3">{categories}
    <cx:numDim type="val"><cx:lvl formatCode="{code}">{numbers}</cx:lvl></cx:numDim></cx:data>
    </cx:chartData><cx:chart>{TITLE}<cx:plotArea><cx:plotAreaRegion>
    <cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Litres</cx:v></cx:txData></cx:tx>
    <cx:dataId val="3"/></cx:series><cx:series layoutId="paretoLine"/></cx:plotAreaRegion>
    <cx:axis><cx:valScaling/>{TITLE.replace("Oil", "Thousands")}</cx:axis>
    </cx:plotArea></cx:chart></cx:chartSpace>"""


def level(*names: str) -> str:
    points = "".join(f'<cx:pt idx="{n}">{name}</cx:pt>' for n, name in enumerate(names) if name)
    return f"<cx:lvl>{points}</cx:lvl>"


LAMPS = f'<cx:strDim type="cat">{level("Deck", "Mast")}</cx:strDim>'


@pytest.mark.parametrize(
    ("categories", "labels"),
    [
        pytest.param(LAMPS, ["Deck", "Mast"], id="waterfall"),
        pytest.param("", ["", ""], id="histogram"),
        pytest.param(
            f'<cx:strDim type="cat">{level("Deck", "Mast")}{level("Ship")}</cx:strDim>',
            ["Ship Deck", "Ship Mast"],
            id="tree map",
        ),
    ],
)
def test_a_chart_of_newer_programs_is_a_table(categories: str, labels: list[str]) -> None:
    drawn = parse(chart(categories, "0%").encode())

    (table,) = chart_tables(drawn)

    assert table.header == ["", "Litres"]
    assert table.rows == [[labels[0], "50%"], [labels[1], "200%"]]
    assert list(chart_titles(drawn)) == ["Oil", "Thousands"]


def test_other_charts_stay_as_they_are() -> None:
    usual = etree.Element("chartSpace")

    assert usual_chart(usual) is usual


def frame(kind: str, fallback: str) -> str:
    return (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f'<mc:Choice Requires="cx1">{kind}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


GRAPHIC = f"""<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
<a:graphicData uri="{CX}"><cx:chart xmlns:cx="{CX}" r:id="rId9"
xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></a:graphicData>
</a:graphic>"""


def test_word_documents_have_its_numbers_and_not_what_stands_for_it() -> None:
    content = frame(f"<w:drawing>{GRAPHIC}</w:drawing>", "<w:t>This chart is not available.</w:t>")
    document = parse(f"<w:body {NAMESPACES}><w:p><w:r>{content}</w:r></w:p></w:body>".encode())

    write_out(document, {"rId9": "chart.xml"}, {"chart.xml": chart(LAMPS).encode()})

    assert text_of(document) == "Oil Thousands  Litres Deck 0.5 Mast 2"
    assert document.find(f".//{W}t[.='This chart is not available.']") is None


def test_slides_have_its_numbers_and_not_what_stands_for_it(tmp_path: Path) -> None:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    box = slide.shapes.add_textbox(0, 0, 99, 99)
    box.text_frame.text = "This chart is not available."
    names = '<p:nvGraphicFramePr><p:cNvPr id="7" name="c"/><p:cNvGraphicFramePr/><p:nvPr/>'
    shape = f"<p:graphicFrame>{names}</p:nvGraphicFramePr><p:xfrm/>{GRAPHIC}</p:graphicFrame>"
    content = frame(shape, "").replace(
        "<mc:Choice",
        '<mc:Choice xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
    )
    alternatives = etree.fromstring(content)
    slide.shapes._spTree.append(alternatives)
    alternatives[1].append(box._element)
    part = Part(
        PackURI("/ppt/charts/chartEx1.xml"),
        "application/vnd.ms-office.chartex+xml",
        presentation.part.package,
        chart(LAMPS).encode(),
    )
    slide.part.relate_to(part, TYPE)
    presentation.save(str(tmp_path / "chart.pptx"))

    [page] = open_document(tmp_path / "chart.pptx", DocumentFormat.PPTX).pages

    assert [block.text for block in page.blocks] == ["Oil", "Thousands", "Deck | 0.5\nMast | 2"]


def test_sheets_have_its_title(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook(write_only=True)
    workbook.create_sheet().append(["Lamp"])
    plain = io.BytesIO()
    workbook.save(plain)
    spreadsheet = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
    shape = f"<xdr:graphicFrame>{GRAPHIC}</xdr:graphicFrame>"
    drawing = (
        f'<xdr:wsDr xmlns:xdr="{spreadsheet}"><xdr:twoCellAnchor>{frame(shape, "")}'
        "</xdr:twoCellAnchor></xdr:wsDr>"
    )
    namespace = "http://schemas.openxmlformats.org/package/2006/relationships"
    relations = (
        '<Relationships xmlns="{}"><Relationship Id="{}" Type="{}" Target="{}"/></Relationships>'
    )
    usual = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing"
    with zipfile.ZipFile(plain, "a") as package:
        package.writestr("xl/drawings/drawing1.xml", drawing)
        package.writestr("xl/charts/chartEx1.xml", chart(LAMPS))
        to_drawing = relations.format(namespace, "rId1", usual, "../drawings/drawing1.xml")
        package.writestr("xl/worksheets/_rels/sheet1.xml.rels", to_drawing)
        to_chart = relations.format(namespace, "rId9", TYPE, "../charts/chartEx1.xml")
        package.writestr("xl/drawings/_rels/drawing1.xml.rels", to_chart)
    (tmp_path / "chart.xlsx").write_bytes(plain.getvalue())

    [page] = open_document(tmp_path / "chart.xlsx", DocumentFormat.XLSX).pages

    assert [block.text for block in page.blocks] == ["Lamp", "Oil"]
