"""Put pieces of the text of a PDF page in another order, with where their letters stand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pypdfium2

from indexing.partition.pdf.boxes import letter_places
from indexing.partition.pdf.letters import PageLetters

Piece = slice | str
"""A piece of a text, or a sign that is new."""

_NEW = -1


def reordered(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    letters: PageLetters,
    pieces: Sequence[Piece],
) -> PageLetters:
    """Return the letters with these pieces in order; a new sign stands nowhere."""
    text = letters.text
    each = np.arange(len(text))
    if letters.stand is None and len(text) == len(letters.raw):
        stand = letter_places(page, textpage, letters.raw, range(len(text)))
    else:
        stand = letters.places(page, textpage, np.array([each, each + 1]).T)
    parts = [[_NEW] * len(one) if isinstance(one, str) else each[one] for one in pieces]
    order = np.concatenate(parts).astype(np.int_)
    is_new = order == _NEW
    return replace(
        letters,
        text="".join(one if isinstance(one, str) else text[one] for one in pieces),
        stand=np.where(is_new[:, None], np.nan, stand[order]),
        dropped=np.flatnonzero(np.isin(order, letters.dropped)).tolist(),
        added=np.flatnonzero(np.isin(order, letters.added) | is_new).tolist(),
    )
