"""Read pictures: photographs and scans, each frame of a TIFF a page."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image, ImageFile

from indexing.drawing import FigureMaker
from indexing.ocr import RecognitionFailed
from indexing.ocr_models import Picture
from indexing.partition.pictures.fax_rows import undecoded_rows
from indexing.partition.pictures.jpeg_codes import lacks_codes
from indexing.partition.pictures.upright import DAMAGED, count_pages, open_picture, upright
from indexing.partition.processes.complaints import heard
from indexing.partition.text import document_title
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import Block, Document, Figure, Page, ReadBy
from indexing.visual_layer import VisibleText, read_picture, unknown_letters, with_boxes

MOST_DAMAGED = 0.02
"""Of the rows of a fax: that is half a line of letters."""

PHOTOGRAPHS = ("JPEG", "MPO")
"""Of MPO, as some cameras write them, the first picture counts."""

TITLE_TAG = 270  # of TIFF and EXIF: the description of the picture


def open_image(path: Path, skip_pages: int = 0) -> Document:
    """Open the picture; its frames from `skip_pages` on are read as they are iterated."""
    image = open_picture(path)
    frames = count_pages(image)
    with _in_memory(image):  # Of a PNG all is unpacked, for its title may stand at its end.
        title = document_title(str(image.getexif().get(TITLE_TAG, "")))
    return Document(title, frames, _pages(image, range(skip_pages, frames)))


def picture_of(image: Image.Image) -> Picture:
    """Return the pixels as they are looked at."""
    return np.ascontiguousarray(np.asarray(upright(image).convert("RGB"))[:, :, ::-1])


def _pages(image: ImageFile.ImageFile, frames: range) -> Iterator[Page]:
    maker = FigureMaker()
    with image:
        for frame in frames:
            number, is_found = frame + 1, False
            try:
                image.seek(frame)
                is_found = True
                with heard() as complaints, _in_memory(image):
                    picture = picture_of(image)
                    undecoded = undecoded_rows(image) or _lost_rows(image)
                visible = read_picture(picture)
                figures = _figures(picture, visible, maker)
            except DAMAGED:
                # It says where the next one is, if it is there itself.
                may_have_more = not is_found and number == frames.stop
                yield Page(number, (), warning=_lost(number, may_have_more), read_by=ReadBy.OCR)
            except RecognitionFailed as error:
                warning = f"the text of page {number} cannot be recognised: {error}"
                yield Page(number, (), warning=warning, read_by=ReadBy.OCR)
            else:
                blocks = tuple(
                    with_boxes(placed, picture, visible.quarter_turns) for placed in visible.blocks
                )
                damaged = len(complaints.lines) + undecoded
                warning = _damage(number, damaged, image.height, blocks)
                if not warning and visible.has_unknown_letters:
                    warning = unknown_letters(number)
                yield Page(number, blocks, read_by=ReadBy.OCR, figures=figures, warning=warning)


def _lost_rows(image: ImageFile.ImageFile) -> int:
    """Return how many rows may be lost of a photograph: all, for the codes of one follow others."""
    is_spoilt = image.format in PHOTOGRAPHS and lacks_codes(
        Path(os.fsdecode(image.filename)).read_bytes()
    )
    return image.height if is_spoilt else 0


def _lost(number: int, may_have_more: bool) -> str:
    lost = f"page {number}, and any behind it," if may_have_more else f"page {number}"
    return f"{lost} cannot be read: it is damaged; upload an intact copy"


@contextmanager
def _in_memory(image: Image.Image) -> Iterator[None]:
    """Say what to do where there is no room for a picture."""
    try:
        yield
    except MemoryError as error:
        raise DocumentUnreadable(
            f"its {image.width} x {image.height} pixels need more memory than reading may take; "
            "save it at a lower resolution"
        ) from error


def _damage(number: int, rows: int, height: int, blocks: tuple[Block, ...]) -> str:
    """Return a warning for a page of which too many rows are damaged; of a fax each is by itself.

    Those of other kinds are not unpacked at all. One that came over a bad line is read none the
    worse for some.
    """
    if not rows or (blocks and rows < MOST_DAMAGED * height):
        return ""
    lost = "parts of it are lost" if blocks else "nothing of it was read"
    return f"page {number} is damaged, and {lost}; upload an intact copy"


def _figures(picture: Picture, visible: VisibleText, maker: FigureMaker) -> tuple[Figure, ...]:
    """Return the whole picture as a figure, if it shows more than words."""
    maker.begin_page()
    image = maker.make(picture, visible.quarter_turns) if visible.figure else b""
    return (Figure(0, image),) if image else ()
