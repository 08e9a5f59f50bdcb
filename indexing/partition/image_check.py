"""Say whether a picture opens: `python -m indexing.partition.image_check FILE` prints a word."""

import warnings
from enum import StrEnum
from pathlib import Path

from indexing.partition.file_check import say

MAX_PIXELS = 200_000_000
"""A page of A3 at 800 dpi has 123 million."""


class Verdict(StrEnum):
    OPENS = "opens"
    DAMAGED = "damaged"
    TOO_LARGE = "too large"


def check_image(path: Path) -> Verdict:
    """Open the picture and look through it without unpacking it."""
    from PIL import Image

    # What Pillow warns of is a number of pixels that is still well below ours.
    warnings.simplefilter("ignore")
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(path, formats=("PNG", "JPEG", "TIFF", "WEBP")) as image:
            if image.width * image.height > MAX_PIXELS:
                return Verdict.TOO_LARGE
            image.verify()
    # Pillow's readers of the single formats let out whatever they stumble over.
    except (OSError, SyntaxError, ValueError, ArithmeticError, LookupError, TypeError):
        return Verdict.DAMAGED
    return Verdict.OPENS


if __name__ == "__main__":
    say(check_image)
