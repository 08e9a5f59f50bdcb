"""Read OpenDocument: text and presentations."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from indexing.partition.office.damaged_parts import mend_parts, part_bytes, warned
from indexing.partition.office.package_xml import Element, parse
from indexing.partition.office.pictures import Album
from indexing.partition.office.written_document import WrittenDocument, joined
from indexing.partition.office.zip_names import open_zip
from indexing.partition.open_document.forms import write_out_forms
from indexing.partition.open_document.lists import ListNumbers, SlideNumbers
from indexing.partition.open_document.masters import write_out_masters
from indexing.partition.open_document.names import (
    DRAW,
    OFFICE,
    PRESENTATION,
    STYLE,
    TABLE,
    TEXT,
    H,
    P,
)
from indexing.partition.open_document.pictures import page_size
from indexing.partition.open_document.repeated_cells import write_out_repeated
from indexing.partition.open_document.signs import write_out_signs
from indexing.partition.open_document.slides import is_title, shapes_in_order, write_out_number
from indexing.partition.open_document.tables import untangle_tables
from indexing.partition.open_document.walk import SOFT_PAGE_BREAK, Walk
from indexing.partition.text import document_title
from indexing.partition.unreadable import NO_BODY, DocumentUnreadable
from indexing.partition.word.pages import WORDS_ON_ONE_PAGE, room_in_words
from indexing.partition.word.room import MAX_WORDS_ON_A_PAGE
from indexing.types import NO_PAGE, Document, Page

CONTENT, STYLES, META = "content.xml", "styles.xml", "meta.xml"
_OBJECT_CONTENT = re.compile(r"[^/]+/content\.xml")


def open_odt(path: Path, skip_pages: int = 0) -> Document:
    """Open the text; its pages are those LibreOffice lays out, or it was last laid out in.

    The first `skip_pages` pages are left out, and their pictures not looked at.
    """
    return read_odt(path).document(path, "odt", skip_pages)


def read_odt(path: Path) -> WrittenDocument:
    """Read what the file says, and of its pages what the program that saved it left there."""
    content, styles, objects, title, warning = _read_package(path)
    body = content.find(f".//{OFFICE}text")
    if body is None:
        raise DocumentUnreadable(NO_BODY)
    album = Album(path, page_size([content, styles]))
    styled = [content, styles]
    write_out_signs(body, styled)
    write_out_repeated(body)
    numbers = ListNumbers(styled)
    walk = Walk(objects, styled, album, numbers)
    running = walk.read_running(styles)
    if body.find(f".//{TABLE}table//{TABLE}table") is not None:
        numbers.count_ahead(body, walk.is_left_out)
        untangle_tables(body)
    walk.read(body)
    pages = walk.close()
    words = [room_in_words(page) for page in pages]
    states_pages = body.get(f"{TEXT}use-soft-page-breaks") == "true"
    # A program that only converts lays out the beginning, and leaves the rest as one page.
    if max(words) <= (MAX_WORDS_ON_A_PAGE if states_pages else WORDS_ON_ONE_PAGE):
        stated = [Page(number, tuple(page)) for number, page in enumerate(pages, start=1)]
    else:
        stated = [Page(NO_PAGE, tuple(joined(pages)))]
    # What such a program leaves in a short text ends pages too early as well.
    has_soft_breaks = next(body.iter(SOFT_PAGE_BREAK), None) is not None
    needs_layout = bool(album) or has_soft_breaks or sum(words) > WORDS_ON_ONE_PAGE
    stated = list(warned(stated, warning))
    return WrittenDocument(title, stated, needs_layout, album, running)


def open_odp(path: Path, skip_pages: int = 0) -> Document:
    """Open the presentation; a slide is a page, and its notes stand on it.

    The first `skip_pages` slides are left out, and their pictures not looked at.
    """
    content, styles, objects, title, warning = _read_package(path)
    album = Album(path, page_size([content, styles]))
    # Of words alone: styles of paragraphs may say that a page begins, which on slides says nothing.
    styled = [
        style
        for part in (content, styles)
        for style in part.iter(f"{STYLE}style")
        if style.get(f"{STYLE}family") == "text"
    ]
    new_walk = partial(Walk, objects, styled, album, SlideNumbers([content, styles]))
    write_out_repeated(content)
    write_out_masters(content, styles)
    slides = list(_slides(content.iter(f"{DRAW}page"), new_walk))
    return Document(title, len(slides), album.pages(list(warned(slides, warning)), skip_pages))


def _read_package(path: Path) -> tuple[Element, Element, dict[str, Element], str, str]:
    """Return the content, the styles, the contents of embedded objects, the title, and a warning.

    It says what of these is damaged, but for the title.
    """
    spoilt: set[str] = set()
    with open_zip(path) as package:
        parts = {
            name: part_bytes(package, name, spoilt)
            for name in package.NameToInfo
            if name in (CONTENT, STYLES, META) or _OBJECT_CONTENT.fullmatch(name)
        }
    warning = mend_parts(parts, CONTENT, spoilt)
    content = parse(parts.pop(CONTENT))
    write_out_forms(content)
    styles, meta = (parse(parts.pop(name, b"<none/>")) for name in (STYLES, META))
    objects = {name: parse(part) for name, part in parts.items()}
    title = meta.findtext(".//{http://purl.org/dc/elements/1.1/}title") or ""
    return content, styles, objects, document_title(title), warning


def _slides(slides: Iterable[Element], new_walk: Callable[[], Walk]) -> Iterator[Page]:
    for number, slide in enumerate(slides, start=1):
        walk = new_walk()
        notes = slide.find(f"{PRESENTATION}notes")
        write_out_number(slide, number)
        for shape in shapes_in_order(slide):
            if is_title(shape):
                for paragraph in shape.iter(P):
                    paragraph.tag = H
            walk.read(shape)
        if notes is not None:
            walk.read(notes)
        (blocks,) = walk.close()
        yield Page(number, tuple(blocks))
