"""Bring the tables of a Word document into the shape in which they are read: as one piece each.

A table ends where its page does, holds no other table, and has all of its cells in each row.
"""

import copy
import re

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.office.tables import GOES_ON, IS_CUT, MERGED
from indexing.partition.word.elements import (
    MARK,
    PLACE,
    TBL,
    TC,
    TR,
    P,
    T,
    W,
    new_paragraph,
    new_run,
    new_run_with_mark,
    text_of,
)

# A cell beside a table within the table that has more than this holds text, not a value.
MAX_CELL_CHARACTERS = 200

MAX_SPAN_DIGITS = 4
_SPAN = re.compile("[1-9][0-9]*")


def keep_places(body: Element) -> None:
    """Let each paragraph say its place, in whose order lists are counted, wherever it is moved."""
    for place, paragraph in enumerate(body.iter(P)):
        paragraph.set(PLACE, str(place))


def widen_merged_cells(body: Element) -> None:
    """Let cells that are merged with those behind them, as older programs write it, span these."""
    merges = [one for one in body.iter(f"{W}hMerge") if one.getparent().tag == f"{W}tcPr"]
    for merge in merges:
        cell = merge.getparent().getparent()
        before = cell.getprevious()
        goes_on = merge.get(f"{W}val") != "restart" and before is not None
        if goes_on and before.find(f"{W}tcPr/{W}hMerge") is not None and not text_of(cell):
            _set_span(before, _span(before) + _span(cell))
            cell.getparent().remove(cell)
    for merge in merges:
        merge.getparent().remove(merge)


def split_tables(body: Element) -> None:
    """Part each table where a page ends, because a table is read as one piece."""
    for table in list(body.iterchildren(TBL)):
        rest: Element | None = table
        while rest is not None:
            rest = _split_at_first_mark(rest)


def untangle_tables(body: Element) -> None:
    """Set a table within a cell behind the table it is in, so that both keep rows and columns.

    A table that only lays out a page, in one column or with running text, is read cell by cell.
    """
    # Inner tables first: where they end up is up to the outer one.
    for table in reversed(list(body.iter(TBL))):
        inner = list(table.iterdescendants(TBL))
        cells = [list(row.iterchildren(TC)) for row in table.iterchildren(TR)]
        if max(map(len, cells), default=0) < 2 or (inner and _has_running_text(table)):
            for block in [one for row in cells for cell in row for one in cell.iter(P, TBL)]:
                if next(block.iterancestors(TBL)) is table:
                    table.addprevious(block)
            # To take out what is full takes lxml a time that grows with the square of its nodes.
            table.clear()
            table.getparent().remove(table)
        else:
            for one in reversed(inner):
                table.addnext(one)


def part_merged_cells(body: Element) -> None:
    """Let cells that go on from the row above hold a mark that says so, and each span be one.

    The library looks for the beginning of each row by row, and has no row where it finds none. Of
    a cell that spans no column at all it makes none.
    """
    for span in list(body.iter(f"{W}gridSpan")):
        if not _SPAN.fullmatch(span.get(f"{W}val", "")):
            span.getparent().remove(span)
    for cell in body.iter(TC):
        merge = cell.find(f"{W}tcPr/{W}vMerge")
        if merge is None:
            continue
        merge.getparent().remove(merge)
        if merge.get(f"{W}val") != "restart" and _has_row_above(cell.getparent()):
            words = "".join(cell.itertext(T))
            for content in cell.xpath("*[not(self::w:tcPr)]", namespaces={"w": W.strip("{}")}):
                cell.remove(content)
            kept = "".join(mark for mark in (IS_CUT, GOES_ON) if mark in words)
            cell.append(new_paragraph(new_run(f"{kept}{MERGED}")))


def _span(cell: Element) -> int:
    span = cell.find(f"{W}tcPr/{W}gridSpan")
    value = "" if span is None else span.get(f"{W}val", "")
    return int(value) if _SPAN.fullmatch(value) and len(value) < MAX_SPAN_DIGITS else 1


def _set_span(cell: Element, width: int) -> None:
    properties = cell.find(f"{W}tcPr")
    span = properties.find(f"{W}gridSpan")
    span = etree.SubElement(properties, f"{W}gridSpan") if span is None else span
    span.set(f"{W}val", str(width))


def _has_row_above(row: Element) -> bool:
    """Tell whether a row stands above, be it on the page before."""
    above = next(row.itersiblings(TR, preceding=True), None)
    return above is not None or GOES_ON in "".join(row.itertext(T))


def _split_at_first_mark(table: Element) -> Element | None:
    """Move what stands behind the first mark to a table of its own and return that."""
    mark = next(table.iter(MARK), None)
    if mark is None:
        return None
    row = next(one for one in mark.iterancestors(TR) if one.getparent() is table)
    rest = etree.Element(TBL)
    rest.extend(copy.deepcopy(one) for one in table.iterchildren(f"{W}tblPr", f"{W}tblGrid"))
    following = list(row.itersiblings(TR))
    rest.extend([_split_row(row), *following])
    table.addnext(rest)
    table.addnext(new_paragraph(new_run_with_mark()))
    if table.find(TR) is None:
        table.getparent().remove(table)
    else:
        _put_in(table, IS_CUT)
        _put_in(rest, GOES_ON)
    return rest


def _put_in(table: Element, mark: str) -> None:
    """Put a mark that is left out of texts before the first words of the table."""
    paragraph = table.find(f"{TR}/{TC}/{P}")
    if paragraph is not None:
        paragraph.insert(len(paragraph.findall(f"{W}pPr")), new_run(mark))


def _split_row(row: Element) -> Element:
    """Cut a row at the first mark of each of its cells; return what is on the next page."""
    first_words = next((one for one in row.iter(T, MARK) if one.tag == MARK or one.text), None)
    if first_words is not None and first_words.tag == MARK:
        # The row as a whole begins the page; only its first cell need say so.
        for cell in row.iterchildren(TC):
            first = next((one for one in cell.iter(T, MARK) if one.tag == MARK or one.text), None)
            if first is not None and first.tag == MARK:
                first.getparent().remove(first)
        return row
    rest = copy.deepcopy(row)
    for part in (row, rest):
        for cell in part.iterchildren(TC):
            _keep_side(cell, is_rest=part is rest)
    for merge in rest.iterfind(f"{TC}/{W}tcPr/{W}vMerge"):
        # A name stays above, and is that of what goes on here.
        if not text_of(merge.getparent().getparent()):
            merge.attrib.clear()
    return rest


def _keep_side(cell: Element, *, is_rest: bool) -> None:
    """Keep the words of the cell before its first mark, or those behind it."""
    cut = next(cell.iter(MARK), None)
    is_behind = False
    for node in list(cell.iter(T, MARK)):
        is_behind = is_behind or node is cut
        if node.tag == T and is_behind != is_rest:
            node.text = ""
        elif node is cut or (node.tag == MARK and not is_rest):
            node.getparent().remove(node)


def _has_running_text(table: Element) -> bool:
    return any(
        sum(len(text.text or "") for text in cell.iterfind(f"{P}//{T}")) > MAX_CELL_CHARACTERS
        for cell in table.iterfind(f"{TR}/{TC}")
    )
