import re
import time
import zipfile
from pathlib import Path

import pytest

from indexing.partition.web.markup import (
    html_blocks,
    html_encoding,
    open_epub,
    open_html,
    open_markdown,
)
from indexing.types import NO_PAGE, Block, BlockKind, Page
from tests.files.hostile_packages import with_members

FILES = Path(__file__).parents[3] / "files"
CONTAINER = '<container><rootfiles><rootfile full-path="{}"/></rootfiles></container>'


@pytest.mark.parametrize(("begin", "end"), [("<!--", "-->"), ("<?", ">")])
def test_remarks_of_any_length_are_no_text(begin: str, end: str) -> None:
    page = f"<p>before</p>{begin}{'lamp ' * 2_200_000}{end}<p>behind</p>"

    assert [block.text for block in html_blocks(page)] == ["before", "behind"]


def test_a_web_page_is_read_without_its_scripts() -> None:
    document = open_html(FILES / "opening-hours.html")
    (page,) = document.pages

    assert document.title == "Notice to Customers"
    assert page.blocks == (
        Block(BlockKind.HEADING, "Opening hours"),
        Block(
            BlockKind.TEXT,
            "The shop at Dock Road is open from nine to six; on Sundays it is closed.",
        ),
        Block(BlockKind.HEADING, "Repairs"),
        Block(BlockKind.TABLE, "Storm lantern | 3\nSignal lamp | 10", header="Lamp | Days"),
    )


def test_what_a_page_of_frames_says_by_itself_is_read(tmp_path: Path) -> None:
    path = tmp_path / "site.html"
    path.write_text("<frameset><frame src=a><noframes><body>Lists <b>42</b> parts</noframes>")

    (page,) = open_html(path).pages

    assert page.blocks == (Block(BlockKind.TEXT, "Lists 42 parts"),)


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        pytest.param('<meta charset="utf-8">Köln'.encode(), "utf-8", id="as it says"),
        pytest.param("<meta charset=koi8-r>ёлка".encode("koi8-r"), "koi8-r", id="an old one"),
        pytest.param("<meta charset=iso-8859-1>“ö”".encode("cp1252"), "cp1252", id="as browsers"),
        pytest.param("<meta charset=us-ascii>ö ü".encode("cp1252"), "cp1252", id="none of it"),
        pytest.param(
            "<meta charset=iso-8859-1>добрый день, друзья".encode("cp1251"),
            "cp1251",
            id="as a program says that was not told",
        ),
        pytest.param("<meta charset=gb2312>朱镕基".encode("gbk"), "gb18030", id="the wider one"),
        pytest.param("<meta charset=koi8-r>Köln".encode(), "utf-8", id="which it is not"),
        pytest.param("<meta charset=klingon>Köln für".encode("cp1252"), "cp1252", id="unknown"),
        pytest.param("<meta charset=base64>Köln für".encode("cp1252"), "cp1252", id="no text"),
        pytest.param("<meta charset=punycode>Köln für".encode("cp1252"), "cp1252", id="of names"),
    ],
)
def test_a_web_page_is_in_the_encoding_it_names(
    content: bytes, encoding: str, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_bytes(content)

    assert html_encoding(tmp_path / "page.html") == encoding


def test_markdown_has_headings_lists_and_tables() -> None:
    document = open_markdown(FILES / "inventory-notes.md")
    (page,) = document.pages

    assert document.title == "Inventory Notes"
    assert page.blocks == (
        Block(BlockKind.HEADING, "Inventory Notes"),
        Block(BlockKind.TEXT, "The count of spare wicks is off by twelve."),
        Block(BlockKind.HEADING, "Shelves"),
        Block(BlockKind.TEXT, "shelf A holds glass"),
        Block(BlockKind.TEXT, "shelf B holds brass"),
        Block(BlockKind.TABLE, "A | 14\nB | 9", header="Shelf | Boxes"),
    )


@pytest.mark.parametrize(
    ("text", "items"),
    [
        pytest.param("1. a\n2. b\n5. c\n", ["1. a", "2. b", "5. c"], id="as they are written"),
        pytest.param("1. a\n1. b\n   1. c\n\n2. d", ["1. a", "2. b", "1. c", "3. d"], id="counted"),
    ],
)
def test_the_items_of_markdown_have_their_numbers(
    text: str, items: list[str], tmp_path: Path
) -> None:
    (tmp_path / "list.md").write_text(text)

    (page,) = open_markdown(tmp_path / "list.md").pages

    assert [block.text for block in page.blocks] == items


@pytest.mark.parametrize("note", ["Fog", "https://lamp.example/oil", "See the next page."])
def test_a_footnote_of_markdown_is_read_and_no_address_of_a_link(note: str, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(f"Oil[^a] and [wick][b].\n\n[^a]: {note}\n\n[b]: /wick\n")

    (page,) = open_markdown(tmp_path / "note.md").pages

    assert [block.text for block in page.blocks] == ["Oil[^a] and wick.", f"[^a]: {note}"]


@pytest.mark.parametrize("mark", [pytest.param("- ", id="list"), pytest.param("> ", id="quotes")])
def test_what_lies_deep_in_markdown_is_read_and_what_follows_it(mark: str, tmp_path: Path) -> None:
    indent = "> " if mark == "> " else "  "
    lines = [f"{indent * n}{mark}word{n}" for n in range(150)]
    (tmp_path / "deep.md").write_text("\n".join([*lines, "", "# Behind it", "The end."]))

    (page,) = open_markdown(tmp_path / "deep.md").pages

    text = "\n".join(block.text for block in page.blocks)
    assert [f"word{n}" for n in range(150)] == re.findall(r"word\d+", text)
    assert page.blocks[-2:] == (
        Block(BlockKind.HEADING, "Behind it"),
        Block(BlockKind.TEXT, "The end."),
    )


@pytest.mark.parametrize(
    ("lines", "sign"),
    [
        pytest.param("---", ":", id="YAML"),
        pytest.param("+++", " =", id="TOML"),
    ],
)
def test_the_lines_before_markdown_are_no_heading(lines: str, sign: str, tmp_path: Path) -> None:
    (tmp_path / "post.md").write_text(
        f'{lines}\ntitle{sign} "Lamp Care"\ntags: oil\n{lines}\nTrim the wick.\n'
    )

    document = open_markdown(tmp_path / "post.md")
    (page,) = document.pages

    assert document.title == "Lamp Care"
    assert [block.text for block in page.blocks] == [
        f'title{sign} "Lamp Care"\ntags: oil',
        "Trim the wick.",
    ]


@pytest.mark.parametrize("attributes", ["{#care .lamp}", "{: .lamp}"])
def test_a_heading_is_read_without_its_attributes(attributes: str, tmp_path: Path) -> None:
    (tmp_path / "care.md").write_text(f"# Lamp *care* {attributes}\n\n## Wick {{1}}\n")

    document = open_markdown(tmp_path / "care.md")
    (page,) = document.pages

    assert document.title == "Lamp care"
    assert [block.text for block in page.blocks] == ["Lamp care", "Wick {1}"]


def test_the_chapters_of_a_book_come_in_their_order() -> None:
    document = open_epub(FILES / "lamp-lore.epub")
    first, second = document.pages

    assert document.title == "Lamp Lore"
    assert (first.number, second.number) == (NO_PAGE, NO_PAGE)
    assert first.blocks[0] == Block(BlockKind.HEADING, "Of Lanterns")
    assert second.blocks[1].text.startswith("The light at Portishead Point")


def test_a_missing_chapter_is_named(tmp_path: Path) -> None:
    book = '<package><item id="a" href="../../gone.xhtml"/><itemref idref="a"/></package>'
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as package:
        package.writestr("META-INF/container.xml", CONTAINER.format("text/book.opf"))
        package.writestr("text/book.opf", book)

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert page.warning == "the book has no file 'gone.xhtml'"


def test_a_chapter_may_be_a_drawing(tmp_path: Path) -> None:
    book = '<package><item id="a" href="a.svg"/><itemref idref="a"/></package>'
    drawing = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><rect/><text>Fog</text>'
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as package:
        package.writestr("META-INF/container.xml", CONTAINER.format("book.opf"))
        package.writestr("book.opf", book)
        package.writestr("a.svg", f"{drawing}</svg>")

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert page.blocks == (Block(BlockKind.TEXT, "Fog"),)


def test_a_book_in_folders_of_windows_is_read(tmp_path: Path) -> None:
    book = r'<package><item id="a" href="text\a.xhtml"/><itemref idref="a"/></package>'
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as package:
        package.writestr("META-INF/container.xml", CONTAINER.format("book.opf"))
        package.writestr("book.opf", book)
        member = zipfile.ZipInfo("new")
        member.filename = r"text\a.xhtml"
        package.writestr(member, "<p>Fog</p>")

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert page == Page(NO_PAGE, (Block(BlockKind.TEXT, "Fog"),))


@pytest.mark.parametrize("content", [bytes(range(256)) * 9, b"", b"\n"])
def test_a_chapter_that_is_no_text_is_named(content: bytes, tmp_path: Path) -> None:
    part = "text/chapter 1.xhtml"
    book = with_members("lamp-lore.epub", {part: content})
    (tmp_path / "book.epub").write_bytes(book)

    first, _ = open_epub(tmp_path / "book.epub").pages

    assert first == Page(NO_PAGE, (), warning=f"{part!r} is damaged and was not read")


@pytest.mark.parametrize("end", ["", "</p>", "</p", "<e"])
def test_a_chapter_that_is_cut_off_is_named(end: str, tmp_path: Path) -> None:
    part = "text/chapter 1.xhtml"
    cut = f"<html><head><title>Fog</title></head><body><p>The storm{end}"
    (tmp_path / "book.epub").write_bytes(with_members("lamp-lore.epub", {part: cut.encode()}))

    read, warned, second = open_epub(tmp_path / "book.epub").pages

    assert read == Page(NO_PAGE, (Block(BlockKind.TEXT, "The storm"),))
    assert warned == Page(NO_PAGE, (), warning=f"{part!r} is cut off: its end is missing")
    assert second.blocks


@pytest.mark.parametrize(
    "chapter",
    [
        pytest.param("<html><body><p>Fog</body>", id="to the end of its body"),
        pytest.param("<h:html><h:body><h:p>Fog</h:p></h:body></h:html>", id="with prefixes"),
        pytest.param("<p>Fog<br>", id="a part of a page"),
    ],
)
def test_a_chapter_that_is_whole_has_no_warning(chapter: str, tmp_path: Path) -> None:
    members = {"text/chapter 1.xhtml": chapter.encode()}
    (tmp_path / "book.epub").write_bytes(with_members("lamp-lore.epub", members))

    first, second = open_epub(tmp_path / "book.epub").pages

    assert (first.warning, second.warning) == ("", "")


def test_what_a_chapter_says_without_escapes_is_read(tmp_path: Path) -> None:
    chapter = "<html><body><pre><![CDATA[if oil < 3:]]></pre><p>Fog</p></body></html>"
    members = {"text/chapter 1.xhtml": chapter.encode()}
    (tmp_path / "book.epub").write_bytes(with_members("lamp-lore.epub", members))

    first, _ = open_epub(tmp_path / "book.epub").pages

    assert [block.text for block in first.blocks] == ["if oil < 3:", "Fog"]


@pytest.mark.parametrize("start", ["", "<?xml version='1.0'?>\n"])
def test_what_a_page_declares_is_no_text_of_it(start: str) -> None:
    page = f"{start}<!DOCTYPE html [<!ENTITY lamp 'Deck lamp'> <!ENTITY % a 'b'>]>\n<p>Fog</p>"

    assert html_blocks(page) == [Block(BlockKind.TEXT, "Fog")]


def test_no_path_leads_out_of_a_book(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as package:
        package.writestr("META-INF/container.xml", CONTAINER.format("../../etc/passwd"))

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert page.warning.startswith("'etc/passwd', which tells")
    assert not page.blocks


def test_a_damaged_container_of_a_book_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as package:
        package.writestr("META-INF/container.xml", "no names")

    (page,) = open_epub(tmp_path / "book.epub").pages

    assert page.warning.startswith("'META-INF/container.xml', which tells")


@pytest.mark.parametrize(
    "kept",
    [
        pytest.param("<spine>", id="all but the order"),
        pytest.param('<item id="c2"', id="half of the list"),
        pytest.param("<package", id="nothing"),
    ],
)
def test_a_book_is_read_without_the_end_of_what_tells_its_chapters(
    kept: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(FILES / "lamp-lore.epub") as package:
        whole = package.read("text/book.opf").decode()
    cut = whole[: whole.index(kept)].encode()
    (tmp_path / "book.epub").write_bytes(with_members("lamp-lore.epub", {"text/book.opf": cut}))

    pages = list(open_epub(tmp_path / "book.epub").pages)

    headings = [page.blocks[0].text for page in pages if page.blocks]
    assert headings[:2] == ["Of Lanterns", "Of Lighthouses"]
    assert pages[-1].warning.startswith("'text/book.opf', which tells")


def test_the_chapters_behind_a_damaged_one_are_read(tmp_path: Path) -> None:
    book = bytearray((FILES / "lamp-lore.epub").read_bytes())
    with zipfile.ZipFile(FILES / "lamp-lore.epub") as package:
        at = package.getinfo("text/chapter 1.xhtml").header_offset
    first_packed = at + 30 + len("text/chapter 1.xhtml")
    book[first_packed : first_packed + 20] = b"\xff" * 20
    (tmp_path / "book.epub").write_bytes(book)

    damaged, second = open_epub(tmp_path / "book.epub").pages

    assert damaged.warning == "'text/chapter 1.xhtml' is damaged and was not read"
    assert second.blocks


def test_blanks_within_a_heading_take_no_time(tmp_path: Path) -> None:
    (tmp_path / "post.md").write_text(f"# The{' ' * 200_000}lamp {{#lamp}}\n")
    began = time.process_time()

    (page,) = open_markdown(tmp_path / "post.md").pages

    assert [block.text for block in page.blocks] == ["The lamp"]
    # Looked at from each of them, they would take a minute.
    assert time.process_time() - began < 10
