"""Write out what a Word document draws from data: a chart as a table, a diagram as paragraphs."""

from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from indexing.partition.office.charts import chart_tables, chart_titles
from indexing.partition.office.diagrams import settle_points
from indexing.partition.office.newer_charts import NEWER_CHART, leave_out_fallbacks
from indexing.partition.office.package_xml import Element, parse
from indexing.partition.office.powers import sign_drawn_powers
from indexing.partition.word.elements import TBL, TC, TR, P, W, new_paragraph, new_run

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_REL = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

_CHARTS = (f"{_C}chart", NEWER_CHART)


def write_out(document: Element, members: Mapping[str, str], parts: Mapping[str, bytes]) -> None:
    """Set what charts, diagrams and pasted shapes say behind the paragraph each is anchored in.

    `members` are the names of the parts that the document refers to, by their ids.
    """
    leave_out_fallbacks(document)
    kinds = (*_CHARTS, f"{_DGM}relIds", f"{_A}txBody")
    for drawn in reversed(list(document.iter(*kinds))):
        part_id = drawn.get(f"{_REL}id") or drawn.get(f"{_REL}dm") or ""
        part = parts.get(members.get(part_id, ""))
        anchor = next(drawn.iterancestors(P), None)
        if anchor is None or not (part or drawn.tag == f"{_A}txBody"):
            continue
        data = parse(part) if part else drawn
        blocks = _chart(data) if drawn.tag in _CHARTS else _paragraphs(data)
        for block in reversed(list(blocks)):
            anchor.addnext(block)


def _chart(chart: Element) -> Iterator[Element]:
    for title in chart_titles(chart):
        yield new_paragraph(new_run(title))
    for table in chart_tables(chart):
        yield _table([table.header, *table.rows])


def _paragraphs(data: Element) -> Iterator[Element]:
    settle_points(data)
    sign_drawn_powers(data)
    for paragraph in data.iter(f"{_A}p"):
        if words := _words(paragraph):
            yield new_paragraph(new_run(words))


def _words(element: Element) -> str:
    return "".join(run.text or "" for run in element.iter(f"{_A}t")).strip()


def _table(rows: Sequence[Sequence[str]]) -> Element:
    table = etree.Element(TBL)
    grid = etree.SubElement(table, f"{W}tblGrid")
    for _ in rows[0]:
        etree.SubElement(grid, f"{W}gridCol")
    for cells in rows:
        row = etree.SubElement(table, TR)
        for words in cells:
            etree.SubElement(row, TC).append(new_paragraph(new_run(words)))
    return table
