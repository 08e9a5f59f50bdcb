import io
import zipfile

import pytest

from indexing.partition.web.book_order import chapters_of, read_order

CONTAINER = b'<container><rootfile full-path="text/book.opf"/></container>'
ITEMS = (
    '<item id="l" href="list.xhtml" properties="nav"/><item id="a" href="z.xhtml"/>'
    '<item id="b" href="a%20b.xhtml#top"/><item href="gone.xhtml"/><item href="style.css"/>'
)
SPINE = '<itemref idref="l"/><itemref idref="b"/>'


def book(order: str, container: bytes = CONTAINER) -> zipfile.ZipFile:
    package = zipfile.ZipFile(io.BytesIO(), "w")
    package.writestr("META-INF/container.xml", container)
    package.writestr("text/book.opf", order)
    for name in ("list.xhtml", "z.xhtml", "a b.xhtml", "style.css", "c10.html", "c9.HTM"):
        package.writestr(f"text/{name}", "")
    return package


@pytest.mark.parametrize(
    ("order", "chapters"),
    [
        pytest.param(f"<package>{ITEMS}{SPINE}</package>", "a b.xhtml", id="whole"),
        pytest.param(
            f"<package>{ITEMS}{SPINE}", "a b.xhtml z.xhtml a b.xhtml", id="cut off behind the order"
        ),
        pytest.param(f"<package>{ITEMS}", "z.xhtml a b.xhtml", id="cut off before the order"),
        pytest.param(f"<package>{ITEMS}</package>", "z.xhtml a b.xhtml", id="without an order"),
        pytest.param("<package/>", "a b.xhtml c9.HTM c10.html", id="of nothing"),
        pytest.param("", "", id="empty"),
    ],
)
def test_chapters_come_in_the_order_that_can_be_told(order: str, chapters: str) -> None:
    with book(order) as package:
        found = " ".join(chapters_of(package, read_order(package)))

    assert found.replace("text/", "").startswith(chapters)
    is_whole = SPINE in order and order.endswith("</package>")
    assert ("c9.HTM text/c10.html" in found) == (not is_whole)


@pytest.mark.parametrize(
    ("stated", "packed"),
    [
        pytest.param("Text/Lamp.XHTML", "text/lamp.xhtml", id="capitals"),
        pytest.param("o%CC%88l.xhtml", "\u00f6l.xhtml", id="accents"),
        pytest.param("gone.xhtml", "gone.xhtml", id="not there"),
    ],
)
def test_a_chapter_is_found_where_its_name_is_spelled_otherwise(stated: str, packed: str) -> None:
    spine = f'<item id="a" href="../{stated}"/><itemref idref="a"/>'
    with book(f"<package>{spine}</package>") as package:
        if packed != stated:
            package.writestr(packed, "")

        assert chapters_of(package, read_order(package)) == [packed]


def test_a_book_whose_container_is_damaged_is_read() -> None:
    with book("<package/>", b"<contai") as package:
        order = read_order(package)

        assert order.is_damaged
        assert "text/z.xhtml" in chapters_of(package, order)


@pytest.mark.parametrize(
    ("address", "page", "is_read"),
    [
        pytest.param("z.xhtml", '<h1>All</h1><a href="a">The Lamp</a>', False, id="links"),
        pytest.param(
            "z.xhtml#all", '<h1>All</h1><a href="a">The Lamp</a>', True, id="within a text"
        ),
        pytest.param("z.xhtml", '<p>It burns bright. <a href="#1">1</a></p>', True, id="a text"),
        pytest.param("z.xhtml", "<p>It burns.</p>", True, id="no links"),
        pytest.param("z.xhtml", "", True, id="empty"),
    ],
)
def test_a_page_of_contents_in_a_book_of_version_2_is_no_chapter(
    address: str, page: str, is_read: bool
) -> None:
    guide = f'<guide><reference type="toc" href="{address}"/></guide>'
    package = zipfile.ZipFile(io.BytesIO(), "w")
    package.writestr("META-INF/container.xml", CONTAINER)
    package.writestr(
        "text/book.opf", f'<package>{ITEMS}<spine><itemref idref="a"/></spine>{guide}</package>'
    )
    package.writestr(
        "text/z.xhtml", f"<html><head><title>T</title></head><body>{page}</body></html>"
    )

    with package:
        assert chapters_of(package, read_order(package)) == ["text/z.xhtml"] * is_read
