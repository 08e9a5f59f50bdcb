"""Bring the tables of an OpenDocument text apart that stand within each other."""

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import CELL, ROW, TABLE, P
from indexing.partition.word.tables import MAX_CELL_CHARACTERS

_TABLE = f"{TABLE}table"


def untangle_tables(body: Element) -> None:
    """Set a table within a cell behind the table it is in, so that both keep rows and columns.

    One that only lays out a page, in one column or with running text, is left: it is read cell by
    cell.
    """
    # Inner tables first: where they end up is up to the outer one.
    for table in reversed(list(body.iter(_TABLE))):
        inner = list(table.iterdescendants(_TABLE))
        if inner and not _lays_out_page(table):
            for one in reversed(inner):
                table.addnext(one)


def _lays_out_page(table: Element) -> bool:
    # Rows stand in groups, as those of the header do; of the cells each row has its own.
    rows = [row for row in table.iterdescendants(ROW) if next(row.iterancestors(_TABLE)) is table]
    cells = [list(row.iterchildren(CELL)) for row in rows]
    is_column = max(map(len, cells), default=0) < 2
    return is_column or any(_has_running_text(cell) for row in cells for cell in row)


def _has_running_text(cell: Element) -> bool:
    texts = (text for paragraph in cell.iterchildren(P) for text in paragraph.itertext())
    return sum(map(len, texts)) > MAX_CELL_CHARACTERS
