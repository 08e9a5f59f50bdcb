from pathlib import Path

import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing import ocr_models
from indexing.partition.formats import DocumentFormat
from indexing.partition.reader import READERS, open_document
from indexing.types import NO_PAGE
from tests.files.drawn import draw_lines

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


@pytest.mark.parametrize(
    ("name", "file_format"),
    [
        ("warehouse-lease.pdf", DocumentFormat.PDF),
        ("fax.tiff", DocumentFormat.TIFF),
        ("supplier-handbook.docx", DocumentFormat.DOCX),
        ("quarterly-review.pptx", DocumentFormat.PPTX),
        ("price-list.xlsx", DocumentFormat.XLSX),
        ("quarterly-review.odp", DocumentFormat.ODP),
    ],
)
def test_a_reading_goes_on_where_another_ended(name: str, file_format: DocumentFormat) -> None:
    pages = list(open_document(FILES / name, file_format).pages)

    for skipped in range(len(pages) + 1):
        rest = open_document(FILES / name, file_format, skip_pages=skipped)

        assert rest.page_count == len(pages)
        assert list(rest.pages) == pages[skipped:]


def test_pages_that_are_skipped_are_not_looked_at(scans: Path) -> None:
    before = ocr_models.models.cache_info()

    (page,) = open_document(scans, DocumentFormat.PDF, skip_pages=2).pages

    assert page.number == 3
    assert ocr_models.models.cache_info() == before


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    """Two pages that are pictures, and one of text."""
    canvas = Canvas(str(tmp_path / "scans.pdf"), pagesize=(420, 420))
    for words in ("Please send twelve deck lamps.", "They are needed on Monday."):
        canvas.drawImage(ImageReader(draw_lines([[words]], (420, 420), 20)), 0, 0)
        canvas.showPage()
    canvas.drawString(60, 300, "The third page is written, and needs no looking at.")
    canvas.save()
    return tmp_path / "scans.pdf"
