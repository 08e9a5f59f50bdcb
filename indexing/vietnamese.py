"""Tell Vietnamese among what was recognised: of its letters many are not known, and left out."""

import re
from collections.abc import Sequence

FEWEST_WORDS = 3
FEWEST = 1 / 30
"""Of all words, with a letter that no other language has: about one of twelve in Vietnamese."""

_HORNED = re.compile("[ơƠưƯ]")


def is_vietnamese(texts: Sequence[str]) -> bool:
    """Tell whether lines that were recognised are Vietnamese.

    The text recognition knows the letters without a tone, and some with: of `được` comes `đưc`.
    """
    words = [word for text in texts for word in text.split()]
    horned = sum(1 for word in words if _HORNED.search(word))
    return horned >= max(FEWEST_WORDS, FEWEST * len(words))
