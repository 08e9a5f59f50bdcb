"""Read the letters of a PDF page, those of Arabic ligatures in the order in which they are read."""

import re

import numpy as np
import pypdfium2

from indexing.partition.pdf_boxes import places

_ALEF_BEFORE_LAM = re.compile("[اأإآٱ]ل")


def page_letters(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage) -> str:
    """Return the text of the page as PDFium has it, but with each lam-alef the right way round.

    Lam and alef are written as one shape, whose two letters PDFium returns turned round. Only of
    these both letters have the same place: in the article "al" each has its own.
    """
    # Halves of characters are kept, so that what follows is found by its place; `page_text` drops
    # them.
    raw: str = textpage.get_text_range(errors="surrogatepass")
    starts = [match.start() for match in _ALEF_BEFORE_LAM.finditer(raw)]
    if not starts:
        return raw
    spans = [(at, at + 1) for start in starts for at in (start, start + 1)]
    found = places(page, textpage, raw, spans)
    is_one_shape = np.all(found[::2] == found[1::2], axis=1)
    letters = list(raw)
    for start in np.array(starts)[is_one_shape].tolist():
        letters[start : start + 2] = reversed(letters[start : start + 2])
    return "".join(letters)
