"""Read the binary formats of Word and PowerPoint, by way of LibreOffice."""

import contextlib
import itertools
import zipfile
from dataclasses import replace
from pathlib import Path

from indexing.partition.office.libreoffice import HOW_TO_INSTALL_MATH, ConversionFailed, converted
from indexing.partition.office.rendered_pages import count_numbered
from indexing.partition.office.written_document import WrittenDocument
from indexing.partition.slides.presentation import open_pptx
from indexing.partition.texts import rich_text
from indexing.partition.texts.rtf_choices import with_choices
from indexing.partition.texts.rtf_formulas import write_out_formulas
from indexing.partition.word.document import read_docx
from indexing.types import NO_PAGE, Block, Document, Page

FORMULA_STREAM = "Equation Native".encode("utf-16-le")
"""Where a formula is that an editor of formulas has set into a Word document."""
FORMULAS_LOST = (
    "its formulas are not read: LibreOffice Math makes text of those that it knows "
    f"({HOW_TO_INSTALL_MATH})"
)

CUT_OFF = "the text is cut off: its end is missing; upload an intact copy"
BOXES_LOST = (
    "its text boxes were not read, for LibreOffice did not convert it; "
    "save it as docx and upload that"
)
_TEXT_BOX = rb"\shptxt"


def open_doc(path: Path, skip_pages: int = 0) -> Document:
    """Open the Word document: its structure from a docx of it, its pages from a PDF of it.

    The first `skip_pages` pages are left out, and their pictures not looked at.
    """
    with converted(path, "doc", ["docx", "pdf"]) as (docx, pdf):
        are_lost = FORMULA_STREAM in path.read_bytes() and not _has_formulas(docx)
        return _on_pages_of(pdf, read_docx(docx), skip_pages, FORMULAS_LOST if are_lost else "")


def open_rtf(path: Path, skip_pages: int = 0) -> Document:
    """Open the text; where LibreOffice makes nothing of it, pages and footnotes stay unknown."""
    rtf = path.read_bytes()
    warning = CUT_OFF if _is_cut_off(rtf) else ""
    chosen = with_choices(rtf)
    # On the page a formula takes the room in which it is drawn, not that of a line.
    written_out = write_out_formulas(chosen)
    with (
        contextlib.suppress(ConversionFailed),
        converted(path, "rtf", ["pdf"], None if chosen is rtf else chosen) as (pdf,),
        converted(path, "rtf", ["docx"], None if written_out is rtf else written_out) as (docx,),
    ):
        written = read_docx(docx)
        # It leaves out the rows of tables that do not begin or end as they should.
        whole = written.with_lost(_plain_blocks(path))
        return _on_pages_of(pdf, whole, skip_pages, warning)
    document = rich_text.open_rtf(path)
    warning = "; ".join(filter(None, [warning, BOXES_LOST if _TEXT_BOX in rtf else ""]))
    last = [Page(NO_PAGE, (), warning=warning)] if warning else []
    pages = itertools.chain(document.pages, last)
    return replace(document, pages=itertools.islice(pages, skip_pages, None))


def open_ppt(path: Path, skip_pages: int = 0) -> Document:
    """Open the presentation; a slide is a page."""
    with converted(path, "ppt", ["pptx"]) as (pptx,):
        return open_pptx(pptx, skip_pages)


def _on_pages_of(
    pdf: Path, written: WrittenDocument, skip_pages: int, warning: str = ""
) -> Document:
    pages = written.on_pages_of(pdf)
    if warning:
        said = "; ".join(filter(None, [pages[0].warning, warning]))
        pages[:1] = [replace(pages[0], warning=said)]
    return Document(written.title, count_numbered(pages), written.album.pages(pages, skip_pages))


def _is_cut_off(rtf: bytes) -> bool:
    """Tell whether an RTF text ends before the group that holds all of it."""
    opened, closed = (rtf.count(brace) - rtf.count(b"\\" + brace) for brace in (b"{", b"}"))
    # Behind its end some programs write zeros, and pictures may hold any bytes.
    return opened > closed and not rtf.rstrip(b"\0\x1a \t\r\n").endswith(b"}")


def _plain_blocks(path: Path) -> list[Block]:
    """Return what an RTF text says, as far as it can be told without LibreOffice."""
    with contextlib.suppress(LookupError, TypeError, ValueError):
        return list(rich_text.rtf_blocks(path.read_bytes()))
    return []  # An encoding or a number is not known to Python.


def _has_formulas(docx: Path) -> bool:
    with zipfile.ZipFile(docx) as package:
        return b"<m:oMath" in package.read("word/document.xml")
