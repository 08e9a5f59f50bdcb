from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.table import Table

from indexing.partition.word.document import open_docx
from indexing.partition.word.labels import mark_labelled_tables
from tests.indexing.partition import docx_xml as xml
from tests.indexing.partition.docx_xml import NAMESPACES

LABELS = "Lessor | Hale\nLessee | Reed"


def bold(table: Table, *places: tuple[int, int]) -> None:
    for place in places:
        table.cell(*place).paragraphs[0].runs[0].bold = True


def grey(table: Table, *places: tuple[int, int]) -> None:
    for place in places:
        shading = parse_xml(f'<w:shd {NAMESPACES} w:val="clear" w:fill="D9D9D9"/>')
        table.cell(*place)._tc.get_or_add_tcPr().append(shading)


def with_look(table: Table, look: str) -> None:
    properties = table._tbl.tblPr
    for old in properties.xpath("w:tblLook"):
        properties.remove(old)
    properties.append(parse_xml(f"<w:tblLook {NAMESPACES} {look}/>"))


def header_of_bold_labels(table: Table) -> None:
    bold(table, (0, 0), (1, 0))
    header = parse_xml(f"<w:trPr {NAMESPACES}><w:tblHeader/></w:trPr>")
    table.rows[0]._tr.insert(0, header)


@pytest.mark.parametrize(
    ("look", "is_labelled"),
    [
        pytest.param(lambda table: None, False, id="plain"),
        pytest.param(lambda table: bold(table, (0, 0), (1, 0)), True, id="labels in bold print"),
        pytest.param(lambda table: grey(table, (0, 0), (1, 0)), True, id="labels on a ground"),
        pytest.param(lambda table: bold(table, (0, 0), (0, 1)), False, id="a row in bold print"),
        pytest.param(
            lambda table: bold(table, (0, 0), (0, 1), (1, 0)), False, id="a row and a column"
        ),
        pytest.param(lambda table: bold(table, (0, 0)), False, id="a corner"),
        pytest.param(header_of_bold_labels, False, id="a header that the file tells of"),
        pytest.param(
            lambda table: with_look(table, 'w:firstRow="0" w:firstColumn="1"'), True, id="style"
        ),
        pytest.param(
            lambda table: with_look(table, 'w:firstRow="1" w:firstColumn="1"'),
            False,
            id="style of a header",
        ),
        pytest.param(lambda table: with_look(table, 'w:val="0480"'), True, id="style in bits"),
        pytest.param(lambda table: with_look(table, 'w:val="04A0"'), False, id="header in bits"),
        pytest.param(lambda table: with_look(table, 'w:val="none"'), False, id="no bits"),
    ],
)
def test_labels_are_told_by_their_looks(
    look: Callable[[Table], None], is_labelled: bool, tmp_path: Path
) -> None:
    document = docx.Document()
    table = document.add_table(2, 2, style="Table Grid")
    for cell, text in zip(table._cells, ("Lessor", "Hale", "Lessee", "Reed"), strict=True):
        cell.text = text
    look(table)
    document.save(str(tmp_path / "lease.docx"))

    (page,) = open_docx(tmp_path / "lease.docx").pages

    (block,) = page.blocks
    assert (block.text if is_labelled else f"{block.header}\n{block.text}") == LABELS


def test_a_title_over_labels_is_one_of_their_rows(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(3, 2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Lease"
    for at, text in enumerate(("Lessor", "Hale", "Lessee", "Reed")):
        table.cell(1 + at // 2, at % 2).text = text
    bold(table, (1, 0), (2, 0))
    document.save(str(tmp_path / "lease.docx"))

    (page,) = open_docx(tmp_path / "lease.docx").pages

    assert [(block.header, block.text) for block in page.blocks] == [("", f"Lease\n{LABELS}")]


@pytest.mark.parametrize(
    ("bold_columns", "header"),
    [pytest.param((0, 2), "", id="labels"), pytest.param((0,), "Lessor | Hale | Since | May")],
)
def test_a_row_may_hold_several_labels(
    bold_columns: tuple[int, ...], header: str, tmp_path: Path
) -> None:
    document = docx.Document()
    table = document.add_table(2, 4)
    texts = ("Lessor", "Hale", "Since", "May", "Lessee", "Reed", "Until", "June")
    for cell, text in zip(table._cells, texts, strict=True):
        cell.text = text
    bold(table, *((row, column) for row in (0, 1) for column in bold_columns))
    document.save(str(tmp_path / "lease.docx"))

    (page,) = open_docx(tmp_path / "lease.docx").pages

    assert [block.header for block in page.blocks] == [header]


def test_a_row_without_cells_has_no_looks() -> None:
    cells = [xml.cell(xml.paragraph(xml.words(text))) for text in "abcd"]
    body = xml.body_of(xml.table("<w:tr/>", xml.row(*cells[:2]), xml.row(*cells[2:])))

    mark_labelled_tables(body)

    assert xml.pages_of(body) == ["abcd"]
