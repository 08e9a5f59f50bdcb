"""Marks on the picture of a page: over the lines that a text stands on."""

from collections.abc import Sequence
from io import BytesIO

from indexing.evidence import locate, page_text
from indexing.types import Page, PageBox

SHORTEST_PIECE = 12
"""Letters of a line that is looked for by itself; less stands in too many places."""

LONGEST_PAGE = 200_000
"""Letters; a page with more is no page that a person reads, and nothing is looked for in it."""

MARK = (255, 214, 0, 90)
EDGE = (200, 130, 0, 255)
MARGIN = 3
"""Pixels around a line, so that the edge of the mark hides no letter."""


def lines_with(text: str, page: Page) -> list[PageBox]:
    """Return the boxes of the lines that a text stands on, wherever on the page it does.

    A passage need not stand on it as a whole: it may go on over the end of the page, or repeat the
    header of its table. Then its lines are looked for one by one.
    """
    if sum(len(block.text) for block in page.blocks) > LONGEST_PAGE:
        return []
    read = page_text(page)
    places = locate(text, [read])
    if not places:
        pieces = [line for line in text.split("\n") if len(line) >= SHORTEST_PIECE]
        places = [place for piece in pieces for place in locate(piece, [read])[:1]]
    lines = (line for place in places for line in read.lines_of(place.start, place.end))
    return list(dict.fromkeys(line.box for line in lines if line.box is not None))


def marked(png: bytes, boxes: Sequence[PageBox]) -> bytes:
    """Draw a translucent mark over each box; black on white and white on black stay readable."""
    from PIL import Image, ImageDraw

    with Image.open(BytesIO(png), formats=("PNG",)) as image:
        page = image.convert("RGBA")
    marks = Image.new("RGBA", page.size)
    draw = ImageDraw.Draw(marks)
    width, height = page.size
    for left, top, right, bottom in boxes:
        corners = (
            *(left * width - MARGIN, top * height - MARGIN),
            *(right * width + MARGIN, bottom * height + MARGIN),
        )
        draw.rectangle(corners, fill=MARK, outline=EDGE, width=2)
    file = BytesIO()
    Image.alpha_composite(page, marks).convert("RGB").save(file, "PNG")
    return file.getvalue()
