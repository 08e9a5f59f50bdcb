"""Read the binary formats of Word and PowerPoint, by way of LibreOffice."""

import contextlib
import itertools
from dataclasses import replace
from pathlib import Path

from indexing.partition import rich_text
from indexing.partition.libreoffice import ConversionFailed, converted
from indexing.partition.office import read_docx
from indexing.partition.presentation import open_pptx
from indexing.partition.rendered_pages import count_numbered
from indexing.types import Document


def open_doc(path: Path, skip_pages: int = 0) -> Document:
    """Open the Word document: its structure from a docx of it, its pages from a PDF of it.

    The first `skip_pages` pages are left out, and their pictures not looked at.
    """
    return _open_text_document(path, "doc", skip_pages)


def open_rtf(path: Path, skip_pages: int = 0) -> Document:
    """Open the text; where LibreOffice makes nothing of it, pages and footnotes stay unknown."""
    with contextlib.suppress(ConversionFailed):
        return _open_text_document(path, "rtf", skip_pages)
    document = rich_text.open_rtf(path)
    return replace(document, pages=itertools.islice(document.pages, skip_pages, None))


def open_ppt(path: Path, skip_pages: int = 0) -> Document:
    """Open the presentation; a slide is a page."""
    with converted(path, "ppt", ["pptx"]) as (pptx,):
        return open_pptx(pptx, skip_pages)


def _open_text_document(path: Path, suffix: str, skip_pages: int) -> Document:
    with converted(path, suffix, ["docx", "pdf"]) as (docx, pdf):
        written = read_docx(docx)
        pages = written.on_pages_of(pdf)
    return Document(written.title, count_numbered(pages), written.album.pages(pages, skip_pages))
