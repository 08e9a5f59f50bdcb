"""Put together what is written in boxes for single letters, as forms and bank orders have them."""

import re

_IN_BOXES = re.compile(r"[|\[]?[^\W_]{1,2}(?:[|\]][^\W_]{0,2}[.,]?){4,}")
_WALLS = str.maketrans("", "", "|[]")
_LETTERS = re.compile(r"[^\W_]")
MOST_LETTERS = 1.5
"""For each box, where a wall here and there was not seen."""


def without_boxes(text: str) -> str:
    """Return the text without the walls between its letters; an empty box parts two words."""
    plain = text.replace("| ", "|").replace(" |", "|")
    boxes = [box for box in re.split(r"[|\[\]]", plain) if box]
    letters = len(_LETTERS.findall(plain))
    if not _IN_BOXES.fullmatch(plain) or letters > MOST_LETTERS * len(boxes):
        return text
    return " ".join(re.sub(r"[|\[\]]{2,}", " ", plain).translate(_WALLS).split())
