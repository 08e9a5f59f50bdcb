"""Write the texts of a sheet with the words that their format shows around them: Mr. Smith.

ECMA-376 part 1, 18.8.31.
"""

import re
from dataclasses import dataclass

from indexing.partition.sheets.format_codes import all_sections
from indexing.partition.sheets.number_formats import MAX_UNIT_CHARACTERS

# A text, a character of it, room as wide as one or more, a colour, the place of the cell's text.
_PIECE = re.compile(
    r"""
    "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | (?P<room>_.) | \*. | \[[^\]]*\]
    | (?P<place>@) | (?P<plain>[^"\\])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class TextFormat:
    """What stands around a text."""

    before: str
    after: str

    def shown(self, text: str) -> str:
        """Write a text as it is shown; where there is none, nothing is."""
        return f"{self.before}{text}{self.after}".strip() if text else ""


def parse_text_format(code: str) -> TextFormat | None:
    """Return the words that a format code shows around a text, None where there are none."""
    section = "".join(all_sections(code)[-1:])
    if "@" not in section:
        return None
    around = [""]
    for piece in _PIECE.finditer(section):
        if piece["place"]:
            around.append("")
        else:
            room = " " if piece["room"] else ""
            around[-1] += room or piece["quoted"] or piece["escaped"] or piece["plain"] or ""
    before, *after = around
    has_words = any(map(str.isalnum, "".join(around)))
    # The text stands there once, and each cell would repeat what is long.
    if len(after) != 1 or not has_words or len("".join(around)) > MAX_UNIT_CHARACTERS:
        return None
    return TextFormat(before, after[0])
