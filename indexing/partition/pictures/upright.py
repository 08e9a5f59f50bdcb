"""Open a picture and show it as it is looked at: turned as the camera says, and on paper."""

import warnings
from pathlib import Path

import numpy as np
from PIL import ExifTags, Image, ImageFile, ImageOps

FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
MAX_PIXELS = 3000 * 3000
"""More than is needed to read a densely printed page; the rest is averaged away."""

MAX_DAMAGED = 100
"""Of so many frames it is found out that they cannot be read; what is behind them is not read."""

# Pillow's readers of the single formats let out whatever they stumble over.
DAMAGED = (
    OSError,
    EOFError,
    SyntaxError,
    ValueError,
    ArithmeticError,
    LookupError,
    TypeError,
    AssertionError,
)

UNEVEN = (1.5, 2.5)
"""How much closer the pixels of a fax stand in one direction; a photograph may state anything."""

LYING = 5  # from this orientation on a picture is turned by a quarter

STRIP_ROWS = 500

LIGHT = 192
MAX_DARKER = 0.01
"""Letters made for a dark background have hardly a pixel, of those that are seen, less light."""


def open_picture(path: Path) -> ImageFile.ImageFile:
    """Open a picture; its pixels are unpacked when they are asked for."""
    # How large a picture may be was decided at its upload; Pillow warns of far smaller ones. What
    # else it warns of are damages.
    warnings.simplefilter("ignore")
    Image.MAX_IMAGE_PIXELS = None
    return Image.open(path, formats=FORMATS)


def count_pages(image: Image.Image) -> int:
    """Return how many frames of a picture are pages: those of a WebP or PNG are a film's."""
    if image.format != "TIFF":
        return 1
    frames, damaged = 1, 0  # The first was there when the picture was opened.
    while damaged < MAX_DAMAGED:
        try:
            image.seek(frames)
        except EOFError:
            break
        except DAMAGED:
            damaged += 1
        frames += 1
    image.seek(0)
    return frames


def upright(image: Image.Image) -> Image.Image:
    """Return the picture as it is looked at, in grey or in colour, and not too large."""
    if image.width * image.height > MAX_PIXELS:
        image.draft("RGB", (image.width // 2, image.height // 2))
    across, down = _stretch(image)
    image = _shown(image)
    width, height = image.width * across, image.height * down
    excess = max((width * height / MAX_PIXELS) ** 0.5, 1)
    size = round(width / excess), round(height / excess)
    if size != image.size:
        # Of black and white Pillow would drop pixels instead, and with them the strokes of letters.
        image = image.convert("L") if image.mode == "1" else image
        image = image.resize(size)
    return ImageOps.exif_transpose(image)


def _stretch(image: Image.Image) -> tuple[float, float]:
    """Return how much wider and higher than its pixels a fax is: its rows may stand far apart."""
    if image.format != "TIFF":
        return 1, 1
    across, down = map(float, image.info.get("dpi") or image.info.get("resolution") or (1, 1))
    if image.getexif().get(ExifTags.Base.Orientation, 1) >= LYING:
        # Pillow has turned the size of such a TIFF, but not what is said of its pixels.
        across, down = down, across
    if across > 0 and down > 0 and UNEVEN[0] <= max(across / down, down / across) <= UNEVEN[1]:
        return max(down / across, 1), max(across / down, 1)
    return 1, 1


def _shown(image: Image.Image) -> Image.Image:
    if image.mode in ("1", "L", "RGB"):
        return image
    if image.mode.startswith(("I", "F")):
        # Pillow cuts values above 255 off; a scan of 16 bits has little else.
        levels = np.array(image, dtype=np.float32)
        # In place, for of a giant picture there is no room for two.
        levels -= levels.min()
        levels *= 255 / max(float(levels.max()), 1.0)
        shown = Image.fromarray(levels.astype(np.uint8))
        shown.info = image.info
        return shown
    if image.has_transparency_data:
        visible = image if image.mode == "RGBA" else image.convert("RGBA")
        return _on_paper(visible, "black" if _is_light(visible) else "white")
    return image.convert("RGB")


def _on_paper(visible: Image.Image, colour: str) -> Image.Image:
    """Lay the picture on paper, in strips: of a giant one there is no room for three."""
    shown = Image.new("RGB", visible.size)
    for top in range(0, visible.height, STRIP_ROWS):
        strip = visible.crop((0, top, visible.width, min(top + STRIP_ROWS, visible.height)))
        paper = Image.new("RGBA", strip.size, colour)
        shown.paste(Image.alpha_composite(paper, strip).convert("RGB"), (0, top))
    shown.info = visible.info  # It says how the picture is turned.
    return shown


def _is_light(visible: Image.Image) -> bool:
    """Tell whether what is seen of a picture could not be told from white paper."""
    seen = np.asarray(visible.getchannel("A"))
    darker = np.asarray(visible.convert("L")) < LIGHT
    return float(seen.sum()) > 0 and float(seen[darker].sum()) <= MAX_DARKER * float(seen.sum())
