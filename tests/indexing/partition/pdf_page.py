"""The text of a page of a PDF, for tests of what is found in it."""

import pypdfium2

from indexing.partition.blocks import line_spans, page_text
from indexing.partition.pdf.letters import PageLetters
from indexing.partition.pdf.tables.words import PageText


def text_of(page: pypdfium2.PdfPage) -> PageText:
    """Return the text as PDFium has it, with where its lines stand."""
    textpage = page.get_textpage()
    raw = textpage.get_text_range()
    letters = PageLetters(raw, raw)
    boxes = letters.line_boxes(page, textpage)
    lines = page_text(raw).split("\n")
    return PageText(page, textpage, letters, line_spans(raw), lines, boxes, page.get_size())
