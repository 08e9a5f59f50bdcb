"""Say whether a picture opens: `python -m indexing.partition.pictures.check FILE` prints a word."""

import warnings
from enum import StrEnum
from pathlib import Path

from indexing.partition.processes.file_check import MEMORY_BYTES, say

MAX_PIXELS = 200_000_000
"""A page of A3 at 800 dpi has 123 million."""

WEBP_BYTES = 8
"""Of memory for each pixel: so much its decoder asks for at once, and does not use yet."""

CPU_SECONDS = 5
"""One of 500 MB takes 0.7; a small one may be made so that a library goes through it for ever."""


class Verdict(StrEnum):
    OPENS = "opens"
    DAMAGED = "damaged"
    TOO_LARGE = "too large"


def check_image(path: Path) -> Verdict:
    """Open the picture and look through it without unpacking it."""
    from PIL import Image

    # Pillow only warns of as many, and refuses twice as many before it takes memory for them.
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS // 2
    warnings.simplefilter("ignore")
    try:
        with Image.open(path, formats=("PNG", "JPEG", "TIFF", "WEBP")) as image:
            image.verify()
    except Image.DecompressionBombError:
        return Verdict.TOO_LARGE
    # Pillow's readers of the single formats let out whatever they stumble over.
    except (OSError, SyntaxError, ValueError, ArithmeticError, LookupError, TypeError):
        return Verdict.DAMAGED
    return Verdict.OPENS


if __name__ == "__main__":
    say(check_image, MEMORY_BYTES + WEBP_BYTES * MAX_PIXELS, CPU_SECONDS)
