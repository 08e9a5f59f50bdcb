import re
import zipfile
from pathlib import Path

import docx
import pytest

from indexing.partition.office.package_xml import parse
from indexing.partition.word.document import read_docx
from indexing.partition.word.drawn import write_out
from indexing.partition.word.elements import P, T
from indexing.types import Block, BlockKind

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
CHART = '<w:drawing><c:chart r:id="rId90"/></w:drawing>'
DIAGRAM = '<w:drawing><dgm:relIds r:dm="rId91" r:lo="rId92"/></w:drawing>'
RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STEPS = f"""<dgm:dataModel {NAMESPACES}><dgm:pt><a:p><a:r><a:t>Pick the </a:t></a:r><a:r><a:t>order
</a:t></a:r></a:p></dgm:pt><dgm:pt><a:p/></dgm:pt><dgm:pt><a:p><a:r><a:t>Ship it</a:t></a:r></a:p>
</dgm:pt></dgm:dataModel>"""

TREE = f"""<dgm:dataModel {NAMESPACES}><dgm:ptLst><dgm:pt modelId="2"><a:p><a:r><a:t>Ship it</a:t>
</a:r></a:p></dgm:pt><dgm:pt modelId="1"><a:p><a:r><a:t>Pick the order</a:t></a:r></a:p></dgm:pt>
<dgm:pt modelId="0" type="doc"/></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="2" srcOrd="1"/>
<dgm:cxn srcId="0" destId="1" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>"""

PASTED = """<w:drawing><a:txBody><a:p><a:r><a:t>Pick the order</a:t></a:r></a:p>
<a:p><a:r><a:t>Ship it</a:t></a:r></a:p></a:txBody></w:drawing>"""


def points(name: str, *values: str) -> str:
    cached = "".join(f'<c:pt idx="{n}"><c:v>{one}</c:v></c:pt>' for n, one in enumerate(values))
    return f"<c:{name}><c:numRef><c:numCache>{cached}</c:numCache></c:numRef></c:{name}>"


def series(name: str, *data: str) -> str:
    return f"<c:ser><c:tx><c:v>{name}</c:v></c:tx>{''.join(data)}</c:ser>"


def chart(*content: str) -> bytes:
    title = "<c:title><a:p><a:r><a:t>Lamps sold</a:t></a:r></a:p></c:title>"
    plot = f"<c:plotArea><c:barChart>{''.join(content)}</c:barChart></c:plotArea>"
    return f"<c:chartSpace {NAMESPACES}><c:chart>{title}{plot}</c:chart></c:chartSpace>".encode()


BARS = chart(
    series("Brass", points("cat", "2023", "2024"), points("val", "310", "0.45000000000000001")),
    series("Steel", points("cat", "2023", "2024"), points("val", "12")),
)


def written_out(drawing: str, part: bytes | None) -> list[str]:
    """Return what the paragraphs say of a document with this drawing between two words."""
    content = (
        f"<w:p><w:r><w:t>Before</w:t></w:r>{drawing}</w:p><w:p><w:r><w:t>After</w:t></w:r></w:p>"
    )
    body = parse(f"<w:body {NAMESPACES}>{content}</w:body>".encode())
    parts = {"drawn.xml": part} if part is not None else {}
    write_out(body, {"rId90": "drawn.xml", "rId91": "drawn.xml"}, parts)
    return ["".join(text.text or "" for text in one.iter(T)) for one in body.iter(P)]


@pytest.mark.parametrize(
    ("drawing", "part", "said"),
    [
        pytest.param(DIAGRAM, STEPS.encode(), ["Pick the order", "Ship it"], id="diagram"),
        pytest.param(DIAGRAM, TREE.encode(), ["Pick the order", "Ship it"], id="tree"),
        pytest.param(
            CHART,
            BARS,
            ["Lamps sold", "", "Brass", "Steel", "2023", "310", "12", "2024", "0.45", ""],
            id="chart",
        ),
        pytest.param(
            CHART,
            chart(series("Price", points("xVal", "1", "2"), points("yVal", "10", "20"))),
            ["Lamps sold", "", "Price", "1", "10", "2", "20"],
            id="points",
        ),
        pytest.param(CHART, chart(), ["Lamps sold"], id="chart without data"),
        pytest.param(CHART, None, [], id="missing part"),
        pytest.param(PASTED, None, ["Pick the order", "Ship it"], id="pasted shape"),
    ],
)
def test_what_is_drawn_stands_behind_its_paragraph(
    drawing: str, part: bytes | None, said: list[str]
) -> None:
    assert written_out(drawing, part) == ["Before", *said, "After"]


def test_chart_of_a_word_document_is_read_as_a_table(tmp_path: Path) -> None:
    write_with_chart(tmp_path / "sales.docx")

    (page,) = read_docx(tmp_path / "sales.docx").pages

    assert page.blocks[-2] == Block(
        BlockKind.TABLE, "2023 | 310 | 12\n2024 | 0.45", header=" | Brass | Steel"
    )
    assert page.blocks[-1].text == "Steel lamps are discontinued."


def write_with_chart(path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Sales of lamps")
    document.add_paragraph("Steel lamps are discontinued.")
    document.save(str(path))
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    namespaces = NAMESPACES.split(" ", 1)[1]
    parts["word/document.xml"] = re.sub(
        rb"(Sales of lamps</w:t></w:r>)",
        rb"\1<w:r>" + CHART.replace("<c:chart", f"<c:chart {namespaces}").encode() + b"</w:r>",
        parts["word/document.xml"],
    )
    relation = f'<Relationship Id="rId90" Type="{RELATIONSHIPS}/chart" Target="charts/c.xml"/>'
    relations = "word/_rels/document.xml.rels"
    parts[relations] = parts[relations].replace(b"</Rel", relation.encode() + b"</Rel", 1)
    parts["word/charts/c.xml"] = BARS
    with zipfile.ZipFile(path, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)
