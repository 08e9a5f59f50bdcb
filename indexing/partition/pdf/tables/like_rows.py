"""Tell a row without figures that is one of those below it, and not a second line of names.

A price may not be known yet: then nothing but this tells it from names of the columns.
"""

import re
from collections.abc import Sequence

_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")


def is_like(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Tell whether the row has a text of the same column below, or a label of the form of these.

    Labels with a number in them have a form: `B-17` that of `A-02`.
    """
    columns = zip(*below, strict=True)
    if any(text and text in column for text, column in zip(row, columns, strict=True)):
        return True
    return has_label_like(row, below)


def has_label_like(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Tell whether the label of the row is of the form of most of those below it."""
    form = _form(row[0])
    return form != "" and 2 * [_form(one[0]) for one in below].count(form) > len(below)


def _form(text: str) -> str:
    """Return the text with one letter and one digit for all; empty without a digit."""
    return _LETTER.sub("a", _DIGIT.sub("0", text)) if _DIGIT.search(text) else ""
