"""Read the binary formats of Word and PowerPoint, by way of LibreOffice."""

import contextlib
import itertools
from pathlib import Path

from indexing.partition import rich_text
from indexing.partition.libreoffice import ConversionFailed, converted, pdf_page_texts
from indexing.partition.office import open_docx, open_pptx
from indexing.partition.rendered_pages import count_numbered, place_on_pages
from indexing.types import Document


def open_doc(path: Path) -> Document:
    """Open the Word document: its structure from a docx of it, its pages from a PDF of it."""
    return _open_text_document(path, "doc")


def open_rtf(path: Path) -> Document:
    """Open the text; where LibreOffice makes nothing of it, pages and footnotes stay unknown."""
    with contextlib.suppress(ConversionFailed):
        return _open_text_document(path, "rtf")
    return rich_text.open_rtf(path)


def open_ppt(path: Path) -> Document:
    """Open the presentation; a slide is a page."""
    with converted(path, "ppt", ["pptx"]) as (pptx,):
        return open_pptx(pptx)


def _open_text_document(path: Path, suffix: str) -> Document:
    with converted(path, suffix, ["docx", "pdf"]) as (docx, pdf):
        document = open_docx(docx)
        blocks = itertools.chain.from_iterable(page.blocks for page in document.pages)
        pages = place_on_pages(blocks, pdf_page_texts(pdf))
    return Document(document.title, count_numbered(pages), iter(pages))
