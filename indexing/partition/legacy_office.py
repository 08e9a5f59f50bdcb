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
from indexing.partition.written_document import WrittenDocument
from indexing.types import Block, Document


def open_doc(path: Path, skip_pages: int = 0) -> Document:
    """Open the Word document: its structure from a docx of it, its pages from a PDF of it.

    The first `skip_pages` pages are left out, and their pictures not looked at.
    """
    with converted(path, "doc", ["docx", "pdf"]) as (docx, pdf):
        return _on_pages_of(pdf, read_docx(docx), skip_pages)


def open_rtf(path: Path, skip_pages: int = 0) -> Document:
    """Open the text; where LibreOffice makes nothing of it, pages and footnotes stay unknown."""
    with (
        contextlib.suppress(ConversionFailed),
        converted(path, "rtf", ["docx", "pdf"]) as (docx, pdf),
    ):
        written = read_docx(docx)
        # It leaves out the rows of tables that do not begin or end as they should.
        whole = written.with_lost(_plain_blocks(path))
        return _on_pages_of(pdf, whole, skip_pages)
    document = rich_text.open_rtf(path)
    return replace(document, pages=itertools.islice(document.pages, skip_pages, None))


def open_ppt(path: Path, skip_pages: int = 0) -> Document:
    """Open the presentation; a slide is a page."""
    with converted(path, "ppt", ["pptx"]) as (pptx,):
        return open_pptx(pptx, skip_pages)


def _on_pages_of(pdf: Path, written: WrittenDocument, skip_pages: int) -> Document:
    pages = written.on_pages_of(pdf)
    return Document(written.title, count_numbered(pages), written.album.pages(pages, skip_pages))


def _plain_blocks(path: Path) -> list[Block]:
    """Return what an RTF text says, as far as it can be told without LibreOffice."""
    with contextlib.suppress(LookupError, TypeError, ValueError):
        return list(rich_text.rtf_blocks(path.read_bytes()))
    return []  # An encoding or a number is not known to Python.
