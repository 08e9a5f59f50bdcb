"""Open a document with the reader of its format."""

import itertools
from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from indexing.partition.formats import DocumentFormat
from indexing.types import Document

READERS: dict[DocumentFormat, tuple[str, str]] = {
    DocumentFormat.PDF: ("indexing.partition.pdf.document", "open_pdf"),
    DocumentFormat.DOCX: ("indexing.partition.word.document", "open_docx"),
    DocumentFormat.DOC: ("indexing.partition.office.legacy", "open_doc"),
    DocumentFormat.PPTX: ("indexing.partition.slides.presentation", "open_pptx"),
    DocumentFormat.PPT: ("indexing.partition.office.legacy", "open_ppt"),
    DocumentFormat.XLSX: ("indexing.partition.sheets.xlsx", "open_xlsx"),
    DocumentFormat.XLS: ("indexing.partition.sheets.xls", "open_xls"),
    DocumentFormat.CSV: ("indexing.partition.sheets.csv_table", "open_csv"),
    DocumentFormat.HTML: ("indexing.partition.web.markup", "open_html"),
    DocumentFormat.MD: ("indexing.partition.web.markup", "open_markdown"),
    DocumentFormat.TXT: ("indexing.partition.texts.plain_text", "open_plain_text"),
    DocumentFormat.EML: ("indexing.partition.mail.internet", "open_eml"),
    DocumentFormat.MSG: ("indexing.partition.mail.outlook", "open_msg"),
    DocumentFormat.EPUB: ("indexing.partition.web.markup", "open_epub"),
    DocumentFormat.ODT: ("indexing.partition.open_document.document", "open_odt"),
    DocumentFormat.ODP: ("indexing.partition.open_document.document", "open_odp"),
    DocumentFormat.ODS: ("indexing.partition.open_document.sheets", "open_ods"),
    DocumentFormat.RTF: ("indexing.partition.office.legacy", "open_rtf"),
    DocumentFormat.PNG: ("indexing.partition.pictures.image", "open_image"),
    DocumentFormat.JPG: ("indexing.partition.pictures.image", "open_image"),
    DocumentFormat.TIFF: ("indexing.partition.pictures.image", "open_image"),
    DocumentFormat.WEBP: ("indexing.partition.pictures.image", "open_image"),
}


NEED_LIBREOFFICE = frozenset(
    (
        DocumentFormat.DOC,
        DocumentFormat.DOCX,
        DocumentFormat.PPT,
        DocumentFormat.RTF,
        DocumentFormat.ODT,
        DocumentFormat.XLSX,
        DocumentFormat.XLS,
        DocumentFormat.ODS,
    )
)
"""Formats whose readers may start LibreOffice, which talks with itself through local sockets."""

SKIPPERS = frozenset(
    (
        DocumentFormat.PDF,
        DocumentFormat.DOCX,
        DocumentFormat.DOC,
        DocumentFormat.RTF,
        DocumentFormat.PPTX,
        DocumentFormat.PPT,
        DocumentFormat.XLSX,
        DocumentFormat.ODT,
        DocumentFormat.ODP,
        DocumentFormat.ODS,
        DocumentFormat.HTML,
        DocumentFormat.MD,
        DocumentFormat.EPUB,
        DocumentFormat.EML,
        DocumentFormat.MSG,
        DocumentFormat.PNG,
        DocumentFormat.JPG,
        DocumentFormat.TIFF,
        DocumentFormat.WEBP,
    )
)
"""Formats whose readers can begin at a page, where to read the ones before it takes long."""

TEXT_LAYERS: dict[DocumentFormat, tuple[str, str]] = {
    DocumentFormat.PDF: ("indexing.partition.pdf.document", "open_text_layer"),
}
"""Readers of formats that have a text beside what is seen: without looking at anything."""

NEED_NO_PATH = frozenset((DocumentFormat.PDF,))
"""Formats whose readers take the content of a file in place of its path."""

READ_IN_STEP = frozenset((DocumentFormat.PDF,))
"""Formats whose readers can read the texts of several pages at once, but for `TEXT_LAYERS`."""

FIXED_PAGES = frozenset((DocumentFormat.PDF, DocumentFormat.TIFF))
"""Formats of finished pages: each is reached without those before it, and what runs on from one to
the next (a table, a running head) is not told.
"""

SHEETS = frozenset((DocumentFormat.XLSX, DocumentFormat.XLS, DocumentFormat.ODS))
"""Formats whose pages are sheets, which have names in place of numbers."""


def open_document(
    file: Path | bytes,
    file_format: DocumentFormat,
    skip_pages: int = 0,
    *,
    text_alone: bool = False,
    groups: Iterable[int] = (),
) -> Document:
    """Open the file; its pages are read as they are iterated, but for the first `skip_pages`.

    Of a format in `READ_IN_STEP` the pages of each of these `groups`, of so many pages each, are
    read in step, which is faster; if the process ends there, it is not known at which of them.

    The text alone, without pictures, is there for `TEXT_LAYERS` only, and the content in place of
    the path may be given for `NEED_NO_PATH`.
    """
    module, function = (TEXT_LAYERS if text_alone else READERS)[file_format]
    # Named rather than imported above: Unstructured alone takes seconds to import.
    open_file = getattr(import_module(module), function)
    arguments: list[object] = [skip_pages] if file_format in SKIPPERS else []
    if file_format in READ_IN_STEP and not text_alone:
        arguments.append(groups)
    document: Document = open_file(file, *arguments)
    if file_format in SKIPPERS:
        return document
    return replace(document, pages=itertools.islice(document.pages, skip_pages, None))
