"""Name the files that are attached to a PDF, or of which it is but the cover: a portfolio."""

from dataclasses import replace
from itertools import islice

import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.text import clean_line
from indexing.types import Block, BlockKind, Page

MAX_NAMED = 100
MAX_NAME_LETTERS = 200


def with_attachments(page: Page, pdf: pypdfium2.PdfDocument) -> Page:
    """Return the last page of the document with the names of what is attached.

    Of a portfolio these files are the document: it has a warning that they are not read.
    """
    count: int = pdfium.FPDFDoc_GetAttachmentCount(pdf)
    if count <= 0:
        return page
    names = [_name(pdf, number) for number in islice(range(count), MAX_NAMED)]
    named = ", ".join(names) + (f" and {count - MAX_NAMED} more" if count > MAX_NAMED else "")
    block = Block(BlockKind.TEXT, f"Attachments: {named}", line_boxes=(None,))
    page = replace(page, blocks=(*page.blocks, block))
    # A program that shows a portfolio shows its files first.
    if pdfium.FPDFDoc_GetPageMode(pdf) != pdfium.PAGEMODE_USEATTACHMENTS:
        return page
    warning = "the files attached to the document are not read, upload them by themselves"
    return replace(page, warning="; ".join(filter(None, [page.warning, warning])))


def _name(pdf: pypdfium2.PdfDocument, number: int) -> str:
    try:
        name = clean_line(pdf.get_attachment(number).get_name())
    except pypdfium2.PdfiumError:
        name = ""
    return name[:MAX_NAME_LETTERS] or "without a name"
