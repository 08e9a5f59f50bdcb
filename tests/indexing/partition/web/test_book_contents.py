import zipfile
from pathlib import Path

import pytest

from indexing.partition.web.book_contents import with_headings
from indexing.partition.web.markup import open_epub
from indexing.types import Block, BlockKind
from tests.indexing.partition.web.test_markup import CONTAINER

LIST = '<nav><ol><li><a href="../a.xhtml#x">1. The <b>Lamp</b></a></li></ol></nav>'
NCX = (
    "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap><navPoint><navLabel>"
    "<text>1. The Lamp</text></navLabel><content src='../a.xhtml'/></navPoint></navMap></ncx>"
)


@pytest.mark.parametrize(
    ("attributes", "contents", "headings"),
    [
        pytest.param('properties="nav"', LIST, ["1. The Lamp"], id="version 3"),
        pytest.param('media-type="application/x-dtbncx+xml"', NCX, ["1. The Lamp"], id="version 2"),
        pytest.param('properties="nav"', "<nav>&nbsp;<a", [], id="damaged"),
        pytest.param('properties="nav"', "", [], id="empty"),
        pytest.param('properties="nav"', "\x86 no list at all \x01", [], id="no XML"),
        pytest.param('properties="svg"', LIST, [], id="no list"),
    ],
)
def test_paragraphs_that_the_contents_name_are_headings(
    attributes: str, contents: str, headings: list[str], tmp_path: Path
) -> None:
    items = f'<item id="a" href="a.xhtml"/><item id="n" href="nav/list" {attributes}/>'
    chapter = "<p>1. The lamp</p><p>It burns.</p><p>1.<br/>The Lamp</p>"
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as package:
        package.writestr("META-INF/container.xml", CONTAINER.format("in/book.opf"))
        package.writestr("in/book.opf", f'<package>{items}<itemref idref="a"/></package>')
        package.writestr("in/nav/list", contents)
        package.writestr("in/a.xhtml", chapter)

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert [one.text for one in page.blocks if one.kind is BlockKind.HEADING] == headings
    assert len(page.blocks) == 3


def test_a_damaged_list_of_contents_costs_no_chapter(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as package:
        package.writestr("META-INF/container.xml", CONTAINER.format("book.opf"))
        items = '<item id="a" href="a.xhtml"/><item href="list" properties="nav"/>'
        package.writestr("book.opf", f'<package>{items}<itemref idref="a"/></package>')
        package.writestr("list", LIST)
        package.writestr("a.xhtml", "<p>It burns.</p>")
    book = (tmp_path / "book.epub").read_bytes()
    (tmp_path / "book.epub").write_bytes(book.replace(LIST.encode(), LIST.upper().encode()))

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert page.blocks == (Block(BlockKind.TEXT, "It burns."),)


def test_headings_that_are_marked_stay_the_only_ones() -> None:
    blocks = [Block(BlockKind.HEADING, "The Lamp"), Block(BlockKind.TEXT, "The Lamp")]

    assert with_headings(blocks, {"thelamp"}) == blocks
