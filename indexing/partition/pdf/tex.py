"""Name the letters of PDFs that TeX made with fonts of pictures.

Before TeX had outlines its programs drew every letter as a picture, under the number that it has in
TeX's own fonts, and named none. PDFium returns these numbers: plain letters are right, ligatures
("fi"), accents, dashes and quotation marks come as control characters or as other signs.

The two encodings are OT1, with 128 letters, and T1, which the Cork meeting of 1990 made for the
languages of Europe ("LaTeX font encodings", The LaTeX Project).
"""

import ctypes
import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import compress

import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.blocks import HYPHENS
from indexing.partition.pdf.unnamed import are_unnamed

OT1 = {
    **dict(enumerate("ΓΔΘΛΞΠΣΥΦΨΩﬀﬁﬂﬃﬄıȷ`´ˇ˘¯˚¸ßæœøÆŒØ")),
    **{ord(one): other for one, other in zip("\"'<>\\^_`{|}~\x7f", "”’¡¿“ˆ˙‘–—˝˜¨", strict=True)},
}
T1 = {
    **dict(enumerate("`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—\u200c0ıȷﬀﬁﬂﬃﬄ")),
    **{ord(one): other for one, other in zip("'`\x7f", "’‘-", strict=True)},
    **dict(enumerate("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", 0x80)),
    **{0xD7: "Œ", 0xDF: "ẞ", 0xF7: "œ", 0xFF: "ß"},
}

MAX_LETTERS = 50_000
"""A page with more is left as PDFium has it."""

WIDTHS_ALIKE = 0.05
"""So much, of the widest, do the letters of a typewriter differ; its fonts have ASCII's signs."""

_NUMBER = re.compile(rb"[\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NO_CONTROL_CHARACTERS = bytes({*range(0x100)} - {*range(0x20), 0x7F})
_OF_OT1 = re.compile("[\x0b-\x0f\x17\x1a]")
_OF_T1 = re.compile("[\x1b-\x1f\x80-\xff]")
_BREAK = re.compile(r"(?<=[ﬀﬁﬂﬃﬄ])-\r\n(?=[^\W\d_])|(?<=[^\W\d_])-\r\n(?=[ﬀﬁﬂﬃﬄ])")
_WORD = re.compile("[A-Za-z]{3,}")
_LETTER = re.compile("[A-Za-z]")

Letters = list[int]
"""Places in the text of a page, in order."""


def with_names(textpage: pypdfium2.PdfTextPage, raw: str) -> str:
    """Return the text of a page with its letters named; `raw` is its text as PDFium has it."""
    is_asked = _has_numbers(raw) and len(raw) <= MAX_LETTERS
    if not is_asked or textpage.count_chars() != len(raw):
        return raw
    fonts = [letters for letters in _unnamed(textpage) if _is_text(textpage, raw, letters)]
    numbers = "".join(raw[at] for letters in fonts for at in letters)
    has_ot1 = bool(_OF_OT1.search(numbers)) or not _OF_T1.search(numbers)
    encoding = OT1 if has_ot1 else T1
    named = list(raw)
    for letters in fonts:
        for at in letters:
            named[at] = encoding.get(ord(raw[at]), raw[at])
    # PDFium takes no word for broken beside a letter that it does not know.
    return _BREAK.sub(f"{HYPHENS[0]}\r\n", "".join(named))


def _has_numbers(raw: str) -> bool:
    # Among the control characters of ASCII alone a search takes a tenth of its time.
    control = raw.encode("utf-8", "surrogatepass").translate(None, _NO_CONTROL_CHARACTERS)
    # The ends of lines are \r\n.
    has_odd_ends = not control.count(b"\r") == control.count(b"\n") == raw.count("\r\n")
    return has_odd_ends or _NUMBER.search(control) is not None


def _unnamed(textpage: pypdfium2.PdfTextPage) -> list[Letters]:
    """Return the letters of each font that has no name and names none of them."""
    fonts: defaultdict[int, Letters] = defaultdict(list)
    numbers = range(textpage.count_chars())
    for at in compress(numbers, are_unnamed(textpage, numbers)):
        font = pdfium.FPDFTextObj_GetFont(pdfium.FPDFText_GetTextObject(textpage, at))
        fonts[ctypes.cast(font, ctypes.c_void_p).value or 0].append(at)
    return [letters for font, letters in fonts.items() if font and not _has_name(font)]


def _has_name(font: int) -> bool:
    handle = ctypes.cast(font, pdfium.FPDF_FONT)
    return bool(pdfium.FPDFFont_GetBaseFontName(handle, None, 0) > 1)


def _is_text(textpage: pypdfium2.PdfTextPage, raw: str, letters: Sequence[int]) -> bool:
    """Tell whether a font is one of running text; those of formulas have other signs."""
    text = "".join(
        # What stands elsewhere parts words.
        raw[at] if before + 1 == at else " " + raw[at]
        for before, at in zip((-1, *letters), letters, strict=False)
    )
    in_words = sum(map(len, _WORD.findall(text)))
    if not in_words or in_words < len(_LETTER.findall(text)) / 2:
        return False
    widths = [_width(textpage, at) for at in letters if _LETTER.match(raw[at])]
    return min(widths) < (1 - WIDTHS_ALIKE) * max(widths)


def _width(textpage: pypdfium2.PdfTextPage, at: int) -> float:
    """Return how far it is to the next letter, in points."""
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(textpage, at, box)
    width: float = box.right - box.left
    return width
