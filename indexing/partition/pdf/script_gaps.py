"""Put together what office programs set a little apart: Latin letters beside Chinese and Japanese.

Word and LibreOffice leave a quarter of a letter between both (`2023 年 12 月`), where nobody wrote
a space, and PDFium sees one. In Korean, which has spaces, one that was written may be no wider, nor
in what browsers print: they draw each space by itself, which PDFium takes for nothing.
"""

import ctypes
import re

import pypdfium2

from indexing.partition.pdf.calls import direct
from indexing.partition.pdf.joining_letters import NOT_WRITTEN

MAX_LETTERS = 50_000
"""A page with more is left as PDFium has it."""

_BROWSER = "Skia/PDF"

NEAR = 0.3  # of the height of the line

_EAST = "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"  # kana and Han
_MAY_BE = re.compile(_EAST)  # found, or not, in a fraction of the time
_BETWEEN = re.compile(rf"(?<={_EAST}) (?=[A-Za-z0-9])|(?<=[A-Za-z0-9%]) (?={_EAST})")

_is_generated = direct("FPDFText_IsGenerated", ctypes.c_int)


def with_scripts_closed(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, text: str
) -> str:
    """Return the text with `NOT_WRITTEN` for each space between such letters that nobody wrote.

    The text is as long as `raw`, which is that of the page as PDFium has it.
    """
    if len(raw) > MAX_LETTERS or not _MAY_BE.search(text):
        return text
    spaces = [match.start() for match in _BETWEEN.finditer(text)]
    if not spaces or _BROWSER in page.pdf.get_metadata_value("Producer"):
        return text
    written = list(text)
    for space in spaces:
        if _is_generated(textpage.raw, space) == 1 and _are_near(textpage, space - 1, space + 1):
            written[space] = NOT_WRITTEN
    return "".join(written)


def _are_near(textpage: pypdfium2.PdfTextPage, one: int, other: int) -> bool:
    """Tell whether two letters of a line stand nearer to each other than words do."""
    _, bottom, right, top = textpage.get_charbox(one, loose=True)
    left, other_bottom, _, other_top = textpage.get_charbox(other, loose=True)
    height = max(top - bottom, other_top - other_bottom)
    is_beside = bottom < (other_bottom + other_top) / 2 < top
    return bool(is_beside and -NEAR * height < left - right < NEAR * height)
