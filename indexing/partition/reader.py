"""Open a document with the reader of its format."""

from importlib import import_module
from pathlib import Path

from indexing.partition.formats import DocumentFormat
from indexing.types import Document

READERS: dict[DocumentFormat, tuple[str, str]] = {
    DocumentFormat.PDF: ("indexing.partition.pdf", "open_pdf"),
    DocumentFormat.DOCX: ("indexing.partition.office", "open_docx"),
    DocumentFormat.PPTX: ("indexing.partition.office", "open_pptx"),
    DocumentFormat.XLSX: ("indexing.partition.spreadsheet", "open_spreadsheet"),
}


def open_document(path: Path, file_format: DocumentFormat) -> Document:
    """Open the file; its pages are read as they are iterated."""
    module, function = READERS[file_format]
    # Named rather than imported above: Unstructured alone takes seconds to import.
    document: Document = getattr(import_module(module), function)(path)
    return document
