"""Read pictures: photographs and scans, each frame of a TIFF a page."""

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from indexing.drawing import FigureMaker
from indexing.ocr import Picture, RecognitionFailed
from indexing.partition.text import document_title
from indexing.types import Document, Figure, Page, ReadBy
from indexing.visual_layer import VisibleText, read_picture, with_boxes

FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
MAX_PIXELS = 3000 * 3000
"""More than is needed to read a densely printed page; the rest is averaged away."""

TITLE_TAG = 270  # of TIFF and EXIF: the description of the picture


def open_image(path: Path, skip_pages: int = 0) -> Document:
    """Open the picture; its frames from `skip_pages` on are read as they are iterated."""
    # How large a picture may be was decided at its upload; Pillow warns of far smaller ones.
    warnings.simplefilter("ignore", Image.DecompressionBombWarning)
    Image.MAX_IMAGE_PIXELS = None
    image = Image.open(path, formats=FORMATS)
    # The frames of a WebP or PNG are those of a film.
    frames: int = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
    title = document_title(str(image.getexif().get(TITLE_TAG, "")))
    return Document(title, frames, _pages(image, range(skip_pages, frames)))


def picture_of(image: Image.Image) -> Picture:
    """Return the pixels as they are looked at: turned as the camera says, on white paper."""
    if image.width * image.height > MAX_PIXELS:
        image.draft("RGB", (image.width // 2, image.height // 2))
    excess = (image.width * image.height / MAX_PIXELS) ** 0.5
    image = _shown(image)
    if excess > 1:
        image = image.resize((round(image.width / excess), round(image.height / excess)))
    turned = ImageOps.exif_transpose(image)
    return np.ascontiguousarray(np.asarray(turned.convert("RGB"))[:, :, ::-1])


def _pages(image: Image.Image, frames: range) -> Iterator[Page]:
    maker = FigureMaker()
    with image:
        for frame in frames:
            number = frame + 1
            try:
                image.seek(frame)
                picture = picture_of(image)
                visible = read_picture(picture)
                figures = _figures(picture, visible, maker)
            except (OSError, EOFError, SyntaxError, ValueError, UnidentifiedImageError) as error:
                warning = f"page {number} cannot be read: {error}"
                yield Page(number, (), warning=warning, read_by=ReadBy.OCR)
            except RecognitionFailed as error:
                warning = f"the text of page {number} cannot be recognised: {error}"
                yield Page(number, (), warning=warning, read_by=ReadBy.OCR)
            else:
                blocks = tuple(
                    with_boxes(placed, picture, visible.quarter_turns) for placed in visible.blocks
                )
                yield Page(number, blocks, read_by=ReadBy.OCR, figures=figures)


def _figures(picture: Picture, visible: VisibleText, maker: FigureMaker) -> tuple[Figure, ...]:
    """Return the whole picture as a figure, if it shows more than words."""
    maker.begin_page()
    image = maker.make(picture, visible.quarter_turns) if visible.figure else b""
    return (Figure(0, image),) if image else ()


def _shown(image: Image.Image) -> Image.Image:
    if image.mode in ("1", "L", "RGB"):
        return image
    if image.mode.startswith(("I", "F")):
        # Pillow cuts values above 255 off; a scan of 16 bits has little else.
        values = np.asarray(image, dtype=np.float32)
        spread = max(float(values.max() - values.min()), 1.0)
        levels = (values - values.min()) * (255 / spread)
        shown = Image.fromarray(levels.astype(np.uint8))
        shown.info = image.info
        return shown
    if image.has_transparency_data:
        visible = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(paper, visible).convert("RGB")
    return image.convert("RGB")
