"""A PDF page as it is seen: drawn, read where its pictures are, and joined with its text."""

import ctypes
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.boxes import union
from indexing.drawing import Box, FigureMaker
from indexing.ocr import Glance, glance
from indexing.ocr_models import Mask, Picture
from indexing.partition.pdf.hidden_text import HiddenTexts
from indexing.partition.pdf.pictures import Area
from indexing.types import Block, BlockKind, PageBox
from indexing.visual_layer import (
    PlacedFigure,
    VisibleText,
    read_picture,
    with_boxes,
)
from indexing.visual_rows import PlacedBlock

PIXELS_PER_POINT = 200 / 72
MAX_PIXELS_PER_POINT = 400 / 72
FINE_PIXELS = 2000
"""A page as small as a stamp is drawn as large as this, if its picture is."""

MAX_PIXELS = 3000 * 3000
MAX_REMEMBERED = 64

MIN_LETTERS = 4
"""Less in a picture between text is the edge of something or the mark of its maker."""

NOTHING_ABOVE = (-1, -1)
Remembered = dict[bytes, VisibleText]
"""What was read in a picture, by its pixels: a logo or background stands on every page."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is kept of a document's pictures from page to page."""

    has_pictures: bool  # else only what has no text is to be looked at
    read: Remembered = field(default_factory=dict)
    hidden_texts: HiddenTexts = field(default_factory=HiddenTexts)
    figures: FigureMaker = field(default_factory=FigureMaker)


class PageView:
    """A page as it is seen: drawn once, and read area by area."""

    def __init__(self, page: pypdfium2.PdfPage, areas: Sequence[Area]) -> None:
        self._page = page
        width, height = page.get_size()
        finest = max(area.pixels_per_point for area in areas)
        scale = max(PIXELS_PER_POINT, min(finest, MAX_PIXELS_PER_POINT))
        scale = max(scale, min(finest, FINE_PIXELS / max(width, height, 1)))
        scale = min(scale, (MAX_PIXELS / max(width * height, 1)) ** 0.5)
        bitmap = page.render(scale=scale)
        self.has_unknown_letters = False  # so has most of the text in one of the areas read
        self._picture: Picture = np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])
        bitmap.close()

    def read(
        self, area: Area, textpage: pypdfium2.PdfTextPage | None, seen: Seen
    ) -> Iterator[PlacedBlock | PlacedFigure]:
        """Yield what can be read there and is not in the text of the page, if one is given.

        What is a figure comes before the words in it.

        Raises:
            RecognitionFailed: memory or the libraries gave out.
        """
        left, top, right, bottom = self.place(area)
        picture = self._picture[top:bottom, left:right]
        covered = None
        if textpage is not None:
            covered = self._text_mask(textpage)[top:bottom, left:right]
        visible = _read_once(picture, covered, seen)
        self.has_unknown_letters |= visible.has_unknown_letters
        # Of a page that is a picture only its figure is taken, of a picture on a page all of it.
        box = visible.figure if textpage is None else None
        has_words = textpage is None or _count_letters(visible) >= MIN_LETTERS
        share = self._share(left, top, right, bottom)
        for placed in _with_figure(visible, picture, box, seen.figures):
            if isinstance(placed, PlacedBlock):
                if not has_words:
                    continue
                block = with_boxes(placed, picture, visible.quarter_turns, share)
                placed = replace(placed, block=block)
            if visible.quarter_turns:
                yield replace(placed, left=left, top=top, right=right, bottom=bottom)
            else:
                yield replace(
                    placed,
                    left=placed.left + left,
                    top=placed.top + top,
                    right=placed.right + left,
                    bottom=placed.bottom + top,
                )

    def glance(self, area: Area) -> Glance:
        """Return what some lines of an area say.

        Raises:
            RecognitionFailed: memory or the libraries gave out.
        """
        left, top, right, bottom = self.place(area)
        return glance(np.ascontiguousarray(self._picture[top:bottom, left:right]))

    def place(self, area: Area) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of an area of the page in the view of it."""
        height, width = self._picture.shape[:2]
        x, y = ctypes.c_int(), ctypes.c_int()
        across, down = [], []
        for corner in ((area.left, area.bottom), (area.right, area.top)):
            pdfium.FPDF_PageToDevice(self._page, 0, 0, width, height, 0, *corner, x, y)
            across.append(min(max(x.value, 0), width))
            down.append(min(max(y.value, 0), height))
        return min(across), min(down), max(across), max(down)

    def place_text(self, blocks: Sequence[Block]) -> list[list[PlacedBlock]]:
        """Return each block of the page's text as its lines with their places."""
        height, width = self._picture.shape[:2]
        # What has no place of its own, because it is cut off, stands where the line above it does.
        place: PageBox = (0.0, 0.0, 1.0, 0.0)
        placed: list[list[PlacedBlock]] = []
        for block in blocks:
            placed.append([])
            if block.kind is BlockKind.TABLE:
                place = union(block.line_boxes) or place
                left, top, right, bottom = place
                placed[-1].append(
                    PlacedBlock(block, left * width, top * height, right * width, bottom * height)
                )
                continue
            for text, box in zip(block.text.split("\n"), block.line_boxes, strict=True):
                place = box or place
                left, top, right, bottom = place
                line = replace(block, text=text, line_boxes=(box,))
                placed[-1].append(
                    PlacedBlock(line, left * width, top * height, right * width, bottom * height)
                )
        return placed

    def _share(self, left: int, top: int, right: int, bottom: int) -> PageBox:
        height, width = self._picture.shape[:2]
        return left / width, top / height, right / width, bottom / height

    def _text_mask(self, textpage: pypdfium2.PdfTextPage) -> Mask:
        mask = np.zeros(self._picture.shape[:2], dtype=np.bool_)
        for number in range(textpage.count_rects()):
            left, top, right, bottom = self.place(Area(*textpage.get_rect(number)))
            mask[top:bottom, left:right] = True
        return mask


def _read_once(picture: Picture, covered: Mask | None, seen: Seen) -> VisibleText:
    known = b"" if covered is None else covered.tobytes()
    key = hashlib.sha256(picture.tobytes() + known).digest()
    if key not in seen.read:
        if len(seen.read) >= MAX_REMEMBERED:
            seen.read.clear()
        seen.read[key] = read_picture(np.ascontiguousarray(picture), covered)
    return seen.read[key]


def _with_figure(
    visible: VisibleText, picture: Picture, box: Box | None, figures: FigureMaker
) -> Sequence[PlacedBlock | PlacedFigure]:
    """Return the words of the picture, and before those in its figure the figure."""
    if visible.figure is None:
        return visible.blocks
    image = figures.make(picture, visible.quarter_turns, box)
    if not image:
        return visible.blocks
    left, top, right, _ = visible.figure
    # It stands where it begins: what is said of it comes before what lies beside it.
    figure = PlacedFigure(image, left, top, right, top)
    at = visible.figure_position
    return [*visible.blocks[:at], figure, *visible.blocks[at:]]


def merged(
    text: Sequence[Sequence[PlacedBlock]], visible: Iterable[PlacedBlock | PlacedFigure]
) -> list[Block | PlacedFigure]:
    """Put what was seen behind the line that stands above it, in its own column if there is one.

    A figure parts no paragraph that is not parted by words: it may be left undescribed.
    """
    places = [(_line_above(text, seen), seen) for seen in visible]
    parted = {place for place, seen in places if isinstance(seen, PlacedBlock)}
    behind: dict[tuple[int, int], list[Block | PlacedFigure]] = {}
    for place, seen in places:
        if isinstance(seen, PlacedBlock):
            behind.setdefault(place, []).append(seen.block)
        else:
            n, _ = place
            is_end = place in parted or place == NOTHING_ABOVE
            behind.setdefault(place if is_end else (n, len(text[n]) - 1), []).append(seen)
    blocks = behind.get(NOTHING_ABOVE, [])
    for n, lines in enumerate(text):
        start = 0
        for m in range(len(lines)):
            if m + 1 == len(lines) or (n, m) in behind:
                blocks += [_whole(lines[start : m + 1]), *behind.get((n, m), [])]
                start = m + 1
    return blocks


def _whole(lines: Sequence[PlacedBlock]) -> Block:
    """Put the lines of a block together again."""
    return replace(
        lines[0].block,
        text="\n".join(line.block.text for line in lines),
        line_boxes=tuple(box for line in lines for box in line.block.line_boxes),
    )


def _line_above(
    text: Sequence[Sequence[PlacedBlock]], seen: PlacedBlock | PlacedFigure
) -> tuple[int, int]:
    """Return the numbers of a block and its line; the last one, if the block runs beside it."""
    middle = (seen.top + seen.bottom) / 2
    above = [
        ((n, m), line.left < seen.right and seen.left < line.right)
        for n, lines in enumerate(text)
        for m, line in enumerate(lines)
        if line.top < middle
    ]
    in_column = [place for place, is_in_column in above if is_in_column]
    n, m = max(in_column or [place for place, _ in above], default=NOTHING_ABOVE)
    below = text[n][m + 1 :] if n >= 0 else []
    return (n, m) if not below or below[0].top >= middle else (n, len(text[n]) - 1)


def lines_not_seen(lines: Sequence[str], visible: Sequence[PlacedBlock]) -> list[int]:
    """Return which lines of a page's text have words that were not recognised on it as well."""
    seen = Counter(
        word for placed in visible for word in _words(f"{placed.block.header} {placed.block.text}")
    )
    return [number for number, line in enumerate(lines) if Counter(_words(line)) - seen]


def _count_letters(visible: VisibleText) -> int:
    texts = (f"{placed.block.header}{placed.block.text}" for placed in visible.blocks)
    return sum(character.isalnum() for text in texts for character in text)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
