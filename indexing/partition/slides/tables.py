"""Write what stands in the merged cells of a slide's tables where each row and column needs it.

Unstructured reads the cells one by one, and knows of none that they are merged. Nor does it hand on
whether the first row is a header, or the first column, as the table says.
"""

from collections.abc import Iterable

from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.table import Table

from indexing.partition.merged_cells import Area, write_out_merged
from indexing.partition.office.tables import NO_HEADER
from indexing.partition.slides.shapes import placed_shapes

_LABEL_AND_VALUE = 2  # columns


def write_out_tables(shapes: Iterable[BaseShape]) -> None:
    """Rewrite the tables in place."""
    for one in placed_shapes(shapes):
        if isinstance(one.shape, GraphicFrame) and one.shape.has_table:
            _write_out(one.shape.table)


def _write_out(table: Table) -> None:
    cells = [list(row.cells) for row in table.rows]
    if len(table.columns) == _LABEL_AND_VALUE and table.first_col and not table.first_row:
        table.cell(0, 0).text_frame.paragraphs[0].add_run().text = NO_HEADER
    merged: list[Area] = [
        ((at, column), (at + cell.span_height - 1, column + cell.span_width - 1))
        for at, row in enumerate(cells)
        for column, cell in enumerate(row)
        if cell.is_merge_origin
    ]
    if not merged:
        return
    before = [[cell.text.strip() for cell in row] for row in cells]
    after = [list(row) for row in before]
    write_out_merged(after, merged)
    for row, old, new in zip(cells, before, after, strict=True):
        for cell, was, text in zip(row, old, new, strict=True):
            if text != was:
                cell.text = text
