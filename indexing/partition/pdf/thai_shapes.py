"""Name the letters of Thai that a PDF names as shapes of them.

Fonts have a tone or a vowel once more for where it stands lower or further left. Those of Windows
and of the Macintosh have these shapes at places of Unicode that are nobody's, and programs that ask
the font what a shape stands for (Word, MuPDF) write these down. Of the vowel am many draw the two
halves, and name both as halves, or the first one, or each, as the whole.
"""

import re

from indexing.partition.pdf.joining_letters import NOT_WRITTEN

_TONES = "\u0e48\u0e49\u0e4a\u0e4b\u0e4c"
_WINDOWS = dict(
    zip(
        map(chr, range(0xF700, 0xF71B)),
        "\u0e10\u0e34\u0e35\u0e36\u0e37"
        + _TONES * 2
        + "\u0e0d\u0e31\u0e4d\u0e47"
        + _TONES
        # Below their letters.
        + "\u0e38\u0e39\u0e3a",
        strict=True,
    )
)
_MACINTOSH = dict(
    zip(
        map(chr, range(0xF884, 0xF89F)),
        "\u0e31\u0e34\u0e35\u0e36\u0e37\u0e47"
        + "".join(3 * tone for tone in _TONES)
        + "\u0e4d\u0e0d\u0e38\u0e39\u0e3a\u0e10",
        strict=True,
    )
)
_SHAPES = str.maketrans(_WINDOWS | _MACINTOSH)
_IS_SHAPE = re.compile("[\uf700-\uf71a\uf884-\uf89e]")
_IS_THAI = re.compile("[\u0e01-\u0e33\u0e40-\u0e46]")
_HALVES = re.compile("[\u0e33\u0e4d]([\u0e48-\u0e4b]?)[\u0e32\u0e33]")


def with_letters(text: str) -> str:
    """Return the text with the letters of its shapes, as long as it was."""
    if not _IS_THAI.search(text):
        return text
    if _IS_SHAPE.search(text):
        text = text.translate(_SHAPES)
    return _HALVES.sub(rf"\1{chr(0xE33)}{NOT_WRITTEN}", text)
