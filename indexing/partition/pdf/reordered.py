"""Put pieces of the text of a PDF page in another order."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from indexing.partition.pdf.letter_order import NEW
from indexing.partition.pdf.letters import PageLetters

Piece = slice | str
"""A piece of a text, or a sign that is new."""


def reordered(letters: PageLetters, pieces: Sequence[Piece]) -> PageLetters:
    """Return the letters with these pieces in order; a new sign stands nowhere."""
    text = letters.text
    each = np.arange(len(text))
    parts = [[NEW] * len(one) if isinstance(one, str) else each[one] for one in pieces]
    places = np.concatenate(parts).astype(np.int_)
    return replace(
        letters.with_order(places),
        text="".join(one if isinstance(one, str) else text[one] for one in pieces),
        dropped=np.flatnonzero(np.isin(places, letters.dropped)).tolist(),
    )
