from pathlib import Path

import pytest

from indexing.partition.formats import DocumentFormat
from indexing.partition.reader import READERS, open_document

FILES = Path(__file__).parents[2] / "files"


def test_every_format_has_a_reader() -> None:
    assert set(READERS) == set(DocumentFormat)


@pytest.mark.parametrize(
    ("name", "file_format", "page_count"),
    [
        ("warehouse-lease.pdf", DocumentFormat.PDF, 3),
        ("supplier-handbook.docx", DocumentFormat.DOCX, 3),
        ("quarterly-review.pptx", DocumentFormat.PPTX, 3),
        ("price-list.xlsx", DocumentFormat.XLSX, 2),
    ],
)
def test_the_reader_of_the_format_opens_it(
    name: str, file_format: DocumentFormat, page_count: int
) -> None:
    document = open_document(FILES / name, file_format)

    assert document.page_count == page_count
    assert len(list(document.pages)) == page_count
