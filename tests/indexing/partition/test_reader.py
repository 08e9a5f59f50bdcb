from pathlib import Path

import pytest

from indexing.partition.formats import DocumentFormat
from indexing.partition.reader import READERS, open_document
from indexing.types import NO_PAGE

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
        ("price-list.xls", DocumentFormat.XLS, 2),
        ("price-list.ods", DocumentFormat.ODS, 2),
        ("supplier-handbook.odt", DocumentFormat.ODT, 2),
        ("quarterly-review.odp", DocumentFormat.ODP, 3),
    ],
)
def test_the_reader_of_the_format_opens_it(
    name: str, file_format: DocumentFormat, page_count: int
) -> None:
    document = open_document(FILES / name, file_format)

    assert document.page_count == page_count
    assert len(list(document.pages)) == page_count


@pytest.mark.parametrize(
    ("name", "file_format"),
    [
        ("delivery.eml", DocumentFormat.EML),
        ("delivery.msg", DocumentFormat.MSG),
        ("inventory-notes.md", DocumentFormat.MD),
        ("lamp-lore.epub", DocumentFormat.EPUB),
        ("lamp-oil.txt", DocumentFormat.TXT),
        ("opening-hours.html", DocumentFormat.HTML),
        ("price-list.csv", DocumentFormat.CSV),
    ],
)
def test_what_has_no_pages_has_text(name: str, file_format: DocumentFormat) -> None:
    document = open_document(FILES / name, file_format)

    assert document.page_count == 0
    assert {page.number for page in document.pages} == {NO_PAGE}
