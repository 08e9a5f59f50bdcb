"""Tell how many rows of a fax in a TIFF are white only because nothing was decoded.

libtiff stops without a word where it finds no code, and leaves the rest of the strip white.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.TiffTags import TAGS_V2

_TAGS = {tag.name: number for number, tag in TAGS_V2.items()}
_GROUP_4 = 4
_FAXES = (2, 3, _GROUP_4)  # as tag of compression
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

FEWEST_ROWS = 8
STEP = 64
_NO_CODES = re.compile(rb"\0{64}")
"""Each code has a bit that is set, and gaps between them are shorter."""


def undecoded_rows(image: Image.Image) -> int:
    """Return how many rows at the ends of strips nothing stands for, of a picture in memory."""
    is_fax = image.format == "TIFF" and image.mode == "1" and _tag(image, "Compression") in _FAXES
    # Of one that is turned the rows are elsewhere.
    if not is_fax or _tag(image, "Orientation", 1) != 1:
        return 0
    rows = _tag(image, "RowsPerStrip", image.height)
    lost = 0
    for number, strip in enumerate(_strips(image)):
        top = number * rows
        white = _white_rows(image, top, min(top + rows, image.height))
        if white >= FEWEST_ROWS and not _has_codes(strip, white, _tag(image, "Compression")):
            lost += white
    return lost


def _tag(image: Image.Image, name: str, otherwise: int = 0) -> int:
    value = image.tag_v2.get(_TAGS[name], otherwise)  # type: ignore[attr-defined]
    return int(value) if isinstance(value, int) else otherwise


def _strips(image: Image.Image) -> Iterator[bytes]:
    tags = image.tag_v2  # type: ignore[attr-defined]
    places = zip(
        tags.get(_TAGS["StripOffsets"], ()), tags.get(_TAGS["StripByteCounts"], ()), strict=False
    )
    with Path(image.filename).open("rb") as file:  # type: ignore[attr-defined]
        for at, length in places:
            file.seek(at)
            strip = file.read(length)
            yield strip.translate(_REVERSED) if _tag(image, "FillOrder", 1) == 2 else strip


def _white_rows(image: Image.Image, top: int, bottom: int) -> int:
    """Count the rows at the end of a strip that are white; little of it at a time is looked at."""
    blank = _tag(image, "PhotometricInterpretation") == 0  # else black, for the colours are turned
    for end in range(bottom, top, -STEP):
        begin = max(end - STEP, top)
        rows = np.asarray(image.crop((0, begin, image.width, end)))
        written = np.flatnonzero((rows != blank).any(axis=1))
        if written.size:
            return bottom - begin - int(written[-1]) - 1
    return max(bottom - top, 0)


def _has_codes(strip: bytes, white: int, compression: int) -> bool:
    """Tell whether white rows at the end of a strip are there in codes.

    In group 4 each that follows another is a bit that is set. Behind the last comes the mark of
    the end, or nothing.
    """
    if _NO_CODES.search(strip):
        return False
    if compression != _GROUP_4:
        return True
    bits = f"{int.from_bytes(strip):b}"
    # From the first bit of a row of them on, or a strip of such bits alone would take for ever.
    return re.search(f"(?<!1)1{{{white - 1},}}+(?:0{{11}}1|0*$)", bits) is not None
