"""Tell powers of ten on a PDF page from other numbers: 10⁶ comes from PDFium as 106."""

import re
from itertools import islice

import pypdfium2

from indexing.partition.pdf.boxes import letter_places

MAX_LOOKED_AT = 500
"""Of so many numbers of a page it is looked whether they are powers."""

RAISED = 0.2  # of the height of the base, from its foot to that of the exponent
SMALLER = 0.85  # times the height of the base

# What is before it is looked at last: the search is for the first figures then, and far faster.
_MAY_BE_POWER = re.compile(r"10(?=[-−–]?\d{1,2}(?![\d.,]*\d))(?<![\d.,]10)")


def may_be_power(base: str, exponent: str) -> bool:
    """Tell whether one text may end in the ten that the figures of the other one are a power of."""
    return _MAY_BE_POWER.match(base + exponent, max(len(base) - 2, 0)) is not None


def exponents(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str) -> list[int]:
    """Return before which letters of PDFium's text the sign of a power is missing."""
    places = [match.end() for match in islice(_MAY_BE_POWER.finditer(raw), MAX_LOOKED_AT)]
    if not places:
        return []
    figures = [place if raw[place].isdecimal() else place + 1 for place in places]
    boxes = letter_places(page, textpage, raw, [*(place - 1 for place in places), *figures])
    bases, raised = boxes[: len(places)], boxes[len(places) :]
    heights = bases[:, 3] - bases[:, 1]
    are_smaller = raised[:, 3] - raised[:, 1] < SMALLER * heights
    are_higher = bases[:, 3] - raised[:, 3] > RAISED * heights
    are_powers = (are_smaller & are_higher).tolist()
    return [place for place, is_power in zip(places, are_powers, strict=True) if is_power]
