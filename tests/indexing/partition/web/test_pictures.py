"""What is recognised in the pictures that books and pages show."""

import base64
import io
import zipfile
from pathlib import Path

import pytest

from indexing.partition.web.markup import open_epub, open_html, open_markdown
from indexing.partition.web.pictures import BookPictures, mark_enclosed, page_album
from indexing.types import NO_PAGE, Page, ReadBy
from tests.files.drawn import draw_lines

CONTAINER = '<container><rootfiles><rootfile full-path="text/book.opf"/></rootfiles></container>'
BOOK = '<package><item id="a" href="a.xhtml"/><itemref idref="a"/></package>'
FOUND = ["The lamp room", "Storm lantern LN-100"]


def png(width: int = 640) -> bytes:
    content = io.BytesIO()
    draw_lines([[line] for line in FOUND], (width, 300), 28).save(content, "PNG")
    return content.getvalue()


def write_book(path: Path, chapter: str, picture: bytes, drawing: bytes = b"") -> None:
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("META-INF/container.xml", CONTAINER)
        package.writestr("text/book.opf", BOOK)
        package.writestr("text/a.xhtml", f"<html><body>{chapter}</body></html>")
        package.writestr("images/a b.png", picture)
        package.writestr("images/plan.svg", drawing)


def texts(page: Page) -> list[str]:
    return [line for block in page.blocks for line in block.text.split("\n")]


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param('<img src="../images/a%20b.png"/>', id="picture"),
        pytest.param('<svg><image xlink:href="../images/a b.png"/></svg>', id="in a drawing"),
    ],
)
def test_a_picture_of_a_book_is_read_where_it_stands(shown: str, tmp_path: Path) -> None:
    write_book(tmp_path / "book.epub", f"<p>Before</p><div>{shown}</div><p>Behind</p>", png())

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert texts(page) == ["Before", *FOUND, "Behind"]
    assert (page.number, page.read_by, page.pictures) == (NO_PAGE, ReadBy.MIXED, 1)


def test_a_book_of_scanned_pages_is_read(tmp_path: Path) -> None:
    write_book(tmp_path / "book.epub", '<img src="../images/a b.png"/>', png())

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert (texts(page), page.read_by) == (FOUND, ReadBy.OCR)


def test_a_damaged_picture_of_a_book_is_told(tmp_path: Path) -> None:
    write_book(tmp_path / "book.epub", '<p>Fog</p><img src="../images/a b.png"/>', png()[:30])

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert texts(page) == ["Fog"]
    assert page.warning == "1 of the pictures cannot be read: it is damaged"


def test_pictures_that_a_page_holds_itself_are_read(tmp_path: Path) -> None:
    address = f"data:image/png;base64,{base64.b64encode(png()).decode()}"
    (tmp_path / "page.html").write_text(f'<p>Before</p><img src="{address}"><p>Behind')
    (tmp_path / "page.md").write_text(f"Before\n\n![]({address})\n\nBehind")

    (page,) = open_html(tmp_path / "page.html").pages
    (note,) = open_markdown(tmp_path / "page.md").pages

    assert texts(page) == texts(note) == ["Before", *FOUND, "Behind"]


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("images/lamp.png", id="elsewhere"),
        pytest.param("data:image/svg+xml;base64,PHN2Zy8+", id="drawing"),
        pytest.param("data:image/png;base64,A", id="no picture"),
        pytest.param(
            f"data:image/png;base64,{base64.b64encode(png(30)).decode()}", id="too narrow for text"
        ),
    ],
)
def test_what_shows_no_text_is_not_looked_at(address: str) -> None:
    assert mark_enclosed(page_album(), address) == ""


def test_the_words_of_a_drawing_in_a_book_are_read_where_it_stands_first(tmp_path: Path) -> None:
    drawing = b'<?xml version="1.0"?><svg><g/><text>Wick</text><text>Oil</text></svg>'
    shown = '<img src="../images/plan.svg"/>'
    write_book(tmp_path / "book.epub", f"<p>Before</p>{shown}<p>Behind</p>{shown}", b"", drawing)

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert texts(page) == ["Before", "Wick", "Oil", "Behind"]


@pytest.mark.parametrize("drawing", [b"", b"<svg><text>", b"\0" * 99])
def test_a_drawing_without_words_says_nothing(drawing: bytes, tmp_path: Path) -> None:
    write_book(tmp_path / "book.epub", '<p>Fog</p><img src="../images/plan.svg"/>', b"", drawing)

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert (texts(page), page.warning) == (["Fog"], "")


def test_only_pictures_of_the_book_are_looked_for(tmp_path: Path) -> None:
    write_book(tmp_path / "book.epub", "", png())
    pictures = BookPictures(page_album(tmp_path / "book.epub"), str)
    addresses = ("../images/a b.png", "a.xhtml", "gone.png", "data:image/png;base64,")

    marks = [pictures.mark("text/a.xhtml", address) for address in addresses]

    assert list(map(bool, marks)) == [True, False, False, True]
    pictures.album.close()
