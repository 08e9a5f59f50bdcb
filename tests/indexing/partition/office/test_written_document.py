from pathlib import Path

import docx
import pytest

from indexing.partition.office.libreoffice import converted
from indexing.partition.office.pictures import Album
from indexing.partition.office.written_document import WrittenDocument, joined
from indexing.types import NO_PAGE, Block, BlockKind, Page
from tests.libreoffice import needs_libreoffice

LINES = (
    "The first page is about lamps and the gates they are brought to.",
    "The second page has what somebody wrote at one of the gates.",
)
WRITTEN = [Page(1, tuple(Block(BlockKind.TEXT, line) for line in LINES))]
LAID_OUT = [Page(n, (Block(BlockKind.TEXT, line),)) for n, line in enumerate(LINES, start=1)]


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    """A Word document of two pages."""
    document = docx.Document()
    document.add_paragraph(LINES[0])
    document.add_page_break()
    document.add_paragraph(LINES[1])
    document.save(str(tmp_path / "letter"))
    return tmp_path / "letter"


def written(path: Path, *, needs_layout: bool) -> WrittenDocument:
    return WrittenDocument("Letter", WRITTEN, needs_layout, Album(path, 0))


def test_pages_that_are_known_stay(letter: Path) -> None:
    document = written(letter, needs_layout=False).document(letter, "docx", 0)

    assert (document.title, document.page_count, list(document.pages)) == ("Letter", 1, WRITTEN)


@needs_libreoffice
@pytest.mark.parametrize("skipped", [0, 1])
def test_pages_that_are_not_known_are_laid_out(skipped: int, letter: Path) -> None:
    document = written(letter, needs_layout=True).document(letter, "docx", skipped)

    assert (document.page_count, list(document.pages)) == (2, LAID_OUT[skipped:])


def test_pages_stay_where_nothing_can_be_laid_out(letter: Path, tmp_path: Path) -> None:
    (tmp_path / "none").write_bytes(b"PK\x03\x04 no document")

    document = written(letter, needs_layout=True).document(tmp_path / "none", "docx", 0)

    assert (document.page_count, list(document.pages)) == (1, WRITTEN)


@needs_libreoffice
def test_pages_are_those_of_a_pdf_of_it(letter: Path) -> None:
    with converted(letter, "docx", ["pdf"]) as (pdf,):
        assert written(letter, needs_layout=True).on_pages_of(pdf) == LAID_OUT


def test_what_was_lost_of_the_original_goes_on_with_the_table_before_it(letter: Path) -> None:
    def table(rows: str) -> Block:
        return Block(BlockKind.TABLE, rows, "Name | Price")

    pages = [Page(1, (table("Lamp | 3"),), warning="a picture is lost")]
    document = WrittenDocument("Prices", pages, False, Album(letter, 0))

    assert document.with_lost([table("Lamp | 3\nOil | 1")]).pages == [
        Page(NO_PAGE, (table("Lamp | 3\nOil | 1"),), warning="a picture is lost")
    ]


def test_tables_that_were_parted_by_the_end_of_a_page_are_joined() -> None:
    text = Block(BlockKind.TEXT, "Prices")
    above, below, other = (
        Block(BlockKind.TABLE, *cells)
        for cells in (("Lamp | 3", "Name | Price"), ("Oil | 1", "Name | Price"), ("a | b", "x | y"))
    )

    assert joined([(text, above), (below, text), (), (other,), (below,)]) == [
        text,
        Block(BlockKind.TABLE, "Lamp | 3\nOil | 1", "Name | Price"),
        text,
        other,
        below,
    ]
