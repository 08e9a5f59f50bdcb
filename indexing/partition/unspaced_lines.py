"""Put the lines of a cell together: with a space, but in scripts that have none between words."""

import re

from indexing.partition.text import may_have_other_scripts

_THAI = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # and Lao, Burmese, Khmer
_SQUARE = "\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60"  # signs, kana, Han, wide forms
_WITHIN = re.compile(f"(?<=[{_THAI}])\n(?=[{_THAI}])|(?<=[{_SQUARE}])\n(?=[{_SQUARE}])")


def on_one_line(text: str) -> str:
    """Return the lines of a cell on one.

    Thai, Chinese and Japanese go on in the next line wherever one is full.
    """
    if "\n" in text and may_have_other_scripts(text):
        text = _WITHIN.sub("", text)
    return text.replace("\n", " ")
