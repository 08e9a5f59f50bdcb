"""Tables drawn by reportlab, and what is read of them, for tests of tables in PDFs."""

from collections.abc import Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table, TableStyle

from indexing.partition.pdf.document import open_pdf
from indexing.types import Block, BlockKind

STOCK = [
    ["Article", "Name", "Pieces"],
    ["LN-100", "Storm lantern", "24"],
    ["LN-200", "Deck lamp", "12"],
    ["LN-300", "Signal lamp", "3"],
]
STOCK_BLOCK = Block(
    BlockKind.TABLE,
    "LN-100 | Storm lantern | 24\nLN-200 | Deck lamp | 12\nLN-300 | Signal lamp | 3",
    header="Article | Name | Pieces",
)


def blocks_of(path: Path) -> list[Block]:
    """Return what is read of the only page of a PDF, each line of which has its place."""
    (page,) = open_pdf(path).pages
    for block in page.blocks:
        lines = [block.header] * bool(block.header) + block.text.split("\n")
        assert len(block.line_boxes) == len(lines)
        assert None not in block.line_boxes
    return list(page.blocks)


def draw_table(
    canvas: Canvas,
    rows: Sequence[Sequence[object]],
    bottom: float,
    style: Sequence[tuple[object, ...]] = (),
    *,
    width: float | Sequence[float] | None = None,
) -> None:
    """Draw a table with its lower edge at this height, in a style as reportlab has them."""
    table = Table(rows, colWidths=width, style=TableStyle(style))
    table.wrapOn(canvas, 450, 400)
    table.drawOn(canvas, 60, bottom)
