from pathlib import Path

import docx
import pytest
from docx.oxml import OxmlElement

from indexing.partition.formats import DocumentFormat
from indexing.partition.ragged_columns import aligned
from indexing.partition.reader import open_document


def test_cells_whose_borders_were_dragged_stand_below_each_other() -> None:
    rows = [["Name", "Town", ""], ["Ann", "", "Bonn"]]

    found = aligned(rows, [((0, 1), (0, 2)), ((1, 0), (1, 1))])

    assert found == ([["Name", "Town"], ["Ann", "Bonn"]], [((0, 1), (0, 1)), ((1, 0), (1, 0))])


def test_headings_over_several_names_stay_over_all_of_them() -> None:
    rows = [["", "2024", ""], ["Town", "Sales", "Cost"]]
    areas = [((0, 1), (0, 2))]

    assert aligned(rows, areas) == (rows, areas)


def test_an_indented_row_stands_below_the_names() -> None:
    rows = [["Name", "", "Town"], ["", "Ann", "Bonn"]]

    found, _ = aligned(rows, [((0, 0), (0, 1))])

    assert found == [["Name", "Town"], ["Ann", "Bonn"]]


def test_no_cell_of_a_row_comes_to_stand_on_another() -> None:
    rows = [["a", "", "b", ""], ["c", "d", "", "e"]]

    found, areas = aligned(rows, [((0, 0), (0, 1)), ((0, 2), (0, 3)), ((1, 1), (1, 2))])

    assert found == [["a", "b", ""], ["c", "d", "e"]]
    assert ((0, 1), (0, 2)) in areas


@pytest.mark.parametrize("spans", [[(1, 2), (2, 1)], [(2, 1), (1, 2)]])
def test_a_word_table_with_dragged_borders_keeps_its_rows(
    tmp_path: Path, spans: list[tuple[int, int]]
) -> None:
    document = docx.Document()
    table = document.add_table(0, 3)
    for texts, widths in zip([("Name", "Town"), ("Ann", "Bonn")], spans, strict=True):
        cells = table.add_row().cells
        for cell, text, width in zip(cells, texts, widths, strict=False):
            cell.text = text
            span = OxmlElement("w:gridSpan")
            span.set(
                "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}val", str(width)
            )
            cell._tc.get_or_add_tcPr().append(span)
        cells[2]._tc.getparent().remove(cells[2]._tc)
    document.save(str(tmp_path / "dragged.docx"))

    [page] = open_document(tmp_path / "dragged.docx", DocumentFormat.DOCX).pages

    assert (page.blocks[0].header, page.blocks[0].text) == ("Name | Town", "Ann | Bonn")


def test_a_web_page_of_word_with_dragged_borders_keeps_its_rows(tmp_path: Path) -> None:
    (tmp_path / "dragged.html").write_text(
        "<table><tr><td>Name<td colspan=2>Town<tr><td colspan=2>Ann<td>Bonn"
        "<tr height=0><td width=99><td width=3><td width=97></table>"
    )

    [page] = open_document(tmp_path / "dragged.html", DocumentFormat.HTML).pages

    assert (page.blocks[0].header, page.blocks[0].text) == ("Name | Town", "Ann | Bonn")
