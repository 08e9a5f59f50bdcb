"""Read the hyphens and signs of minus that a PDF names as soft hyphens.

Many fonts have one shape for both, and MuPDF, which makes PDFs of web pages too, writes down the
last name that a shape has. A soft hyphen is left out wherever text is cleaned, and -12 would be 12.
"""

import pypdfium2

from indexing.partition.pdf.boxes import letter_indices

SOFT_HYPHEN = "\xad"


def with_hyphens(textpage: pypdfium2.PdfTextPage, raw: str) -> str:
    """Return the text of a page with a hyphen for each soft one of which something is drawn."""
    first, *others = raw.split(SOFT_HYPHEN)
    if not others:
        return raw
    parts = [first]
    at = len(first)
    indices = letter_indices(textpage, raw)
    for part in others:
        parts += ["-" if _is_drawn(textpage, indices[at]) else SOFT_HYPHEN, part]
        at += 1 + len(part)
    return "".join(parts)


def _is_drawn(textpage: pypdfium2.PdfTextPage, index: int) -> bool:
    left, bottom, right, top = textpage.get_charbox(index)
    return bool(right > left and top > bottom)
