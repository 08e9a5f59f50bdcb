"""Find out on which page of the laid out document each picture stands."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from indexing.types import Block, Page

# A picture is known again by the shape in which it is shown.
SAME_SHAPE = 0.05


def drawn_shapes(pdf: Path) -> list[list[float]]:
    """Return the pictures on each page of a PDF, as their widths over their heights."""
    import pypdfium2
    import pypdfium2.raw

    shapes = []
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            drawn = page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])
            bounds = [picture.get_bounds() for picture in drawn]
            shapes.append(
                [(right - left) / (top - low) for left, low, right, top in bounds if top > low]
            )
            page.close()
    return shapes


def place_pictures(
    pages: Sequence[Page],
    shape_of: Callable[[Block], float | None],
    drawn: Sequence[Sequence[float]],
) -> list[Page]:
    """Move the blocks that are pictures to the pages on which they are drawn.

    `shape_of` tells the shape of a picture, None for a text. Between the text before and the text
    behind it a picture may stand on any page: it goes where one of its shape is drawn.
    """
    left = [list(shapes) for shapes in drawn]
    blocks = [
        (at, block, shape_of(block)) for at, page in enumerate(pages) for block in page.blocks
    ]
    pages_behind, behind = [], len(pages) - 1
    for at, _, shape in reversed(blocks):
        behind = at if shape is None else behind
        pages_behind.append(behind)
    placed: list[list[Block]] = [[] for _ in pages]
    place = 0
    for (at, block, shape), last in zip(blocks, reversed(pages_behind), strict=True):
        place = max(place, at)
        if shape is not None:
            place = _take(left, shape, range(place, max(place, last) + 1))
        placed[place].append(block)
    return [replace(page, blocks=tuple(found)) for page, found in zip(pages, placed, strict=True)]


def _take(drawn: list[list[float]], shape: float, pages: range) -> int:
    """Return the first of the pages on which the shape is drawn, and take it from there."""
    for page in pages:
        for one in drawn[page]:
            if abs(one / shape - 1) < SAME_SHAPE:
                drawn[page].remove(one)
                return page
    return pages[0]
