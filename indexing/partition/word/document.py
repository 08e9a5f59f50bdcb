"""Read Word documents through Unstructured, and the pictures in them."""

import io
import itertools
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from lxml import etree

from indexing.partition.office.damaged_parts import (
    NO_TYPES,
    is_xml,
    mend_parts,
    part_bytes,
    with_types,
)
from indexing.partition.office.main_part import PARTS, main_part
from indexing.partition.office.package_xml import Element as XmlElement
from indexing.partition.office.package_xml import parse
from indexing.partition.office.pictures import Album, parted_at_marks, without_marks
from indexing.partition.office.related_members import related_kinds, related_members
from indexing.partition.office.strict_names import with_usual_names
from indexing.partition.office.tables import blocks_of_tables
from indexing.partition.office.unstructured_parts import (
    Element,
    Footer,
    Header,
    Table,
    Title,
    partition_docx,
)
from indexing.partition.office.wide_parts import in_utf8
from indexing.partition.office.written_document import WrittenDocument
from indexing.partition.office.zip_names import open_zip
from indexing.partition.text import clean_text, document_title
from indexing.partition.unreadable import NO_BODY, DocumentUnreadable
from indexing.partition.word import drawn, pictures
from indexing.partition.word.body import (
    leave_out_missing_headers,
    read_notes,
    rewrite_body,
    rewrite_header,
    settle_even_headers,
)
from indexing.partition.word.chunks import Chunks
from indexing.partition.word.elements import W
from indexing.partition.word.notes import NoteBlocks, Notes
from indexing.partition.word.numbering import settle_numbering
from indexing.partition.word.pages import WORDS_ON_ONE_PAGE, is_laid_out, room_in_words
from indexing.partition.word.styles import without_unused
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page

DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"

NO_DETECTION = [""]  # of languages: nothing here asks for them, and it takes half a second to begin

Tables: TypeAlias = Mapping[int, list[Block]]
"""The blocks of each element that is a table, by its id."""

_DC = "{http://purl.org/dc/elements/1.1/}"


def open_docx(path: Path, skip_pages: int = 0) -> Document:
    """Open the Word document; the number of a page is true or absent.

    The first `skip_pages` pages are left out, and their pictures not looked at.
    """
    return read_docx(path).document(path, "docx", skip_pages)


def read_docx(path: Path) -> WrittenDocument:
    """Read what the file says, and of its pages what it tells."""
    main, parts, warning = read_parts(path, DOCX_TYPE)
    folder = main.rpartition("/")[0]
    album = Album(path, pictures.A4_POINTS)
    document = parse(parts[main])
    members = related_members(parts, main)
    pictures.mark_pictures(document, members, album)
    drawn.write_out(document, members, parts)
    chunks = Chunks(path)
    chunks.mark(document, members)
    headers = related_members(parts, main, ("header", "footer"))
    if leave_out_missing_headers(document, headers.keys()) and not warning:
        warning = "a header or footer that the document names is not in the file"
    _rewrite_headers(parts, headers.values(), album, chunks)
    _settle(parts, main, "settings", settle_even_headers)
    _settle(parts, main, "numbering", settle_numbering)
    notes = Notes(
        footnotes=_read_notes(parts, main, "footnotes", chunks),
        endnotes=_read_notes(parts, main, "endnotes", chunks),
    )
    seen_by_word = is_laid_out(document)
    # Where its pages end was told without the files that it takes in, if it was told.
    styles = _styles(parts, f"{folder}/styles.xml")
    body = document.find(f"{W}body")
    if body is None:
        raise DocumentUnreadable(NO_BODY)
    is_told = rewrite_body(body, notes, _stated_page_count(parts), styles)
    knows_pages = is_told and not chunks
    parts[main] = etree.tostring(document, xml_declaration=True, encoding="UTF-8", standalone=True)
    elements = partition_docx(
        file=write_package(parts), include_page_breaks=False, languages=NO_DETECTION
    )
    tables = tables_of(elements)
    running: list[Block] = []
    pages = [
        Page(
            number if knows_pages else NO_PAGE,
            tuple(_written_blocks(on_page, tables, running, chunks)),
        )
        for number, on_page in _by_page(_without_repeats(elements), knows_pages)
    ]
    if warnings := "; ".join(filter(None, [warning, chunks.warning])):
        first = pages[0] if pages else Page(NO_PAGE, ())
        pages[:1] = [replace(first, warning=warnings)]
    is_short = sum(room_in_words(page.blocks) for page in pages) <= WORDS_ON_ONE_PAGE
    told_by_word = seen_by_word and knows_pages
    needs_layout = not told_by_word and (bool(album) or not (is_short and knows_pages))
    # LibreOffice does not show what stands in them.
    needs_layout = needs_layout and not chunks
    return WrittenDocument(stated_title(parts), pages, needs_layout, album, running)


def read_parts(path: Path, plain_type: str) -> tuple[str, dict[str, bytes], str]:
    """Read the package: the name of its main part, all parts, and what is to be said of them.

    A template or one with macros is made to pass for a plain document. What is no XML is left
    empty: pictures are read one by one, when it is their page's turn.
    """
    with open_zip(path) as package:
        main, content_type = main_part(package) or ("", "")
        spoilt: set[str] = set()
        parts = {
            member: in_utf8(part_bytes(package, member, spoilt))
            if member == main or _is_read(member)
            else b""
            for member in package.namelist()
        }
    warning = mend_parts(parts, main, spoilt)
    # Pictures may be missing, in the package itself (the one of its first page) too; the libraries
    # would refuse the whole document for one.
    related: dict[str, str] = {}
    for member in ("", *parts):
        related |= related_kinds(parts, member)
    parts |= dict.fromkeys(related.keys() - parts.keys(), b"")
    types = with_types(parts.get(PARTS, NO_TYPES), related, (main, content_type))
    parts[PARTS] = types.replace(content_type.encode(), plain_type.encode())
    return main, {member: with_usual_names(part) for member, part in parts.items()}, warning


def _is_read(member: str) -> bool:
    return is_xml(member) or member.lower().endswith(".vml")


def _rewrite_headers(
    parts: dict[str, bytes], headers: Iterable[str], album: Album, chunks: Chunks
) -> None:
    for name in sorted(set(headers) & parts.keys()):
        header = parse(parts[name])
        members = related_members(parts, name)
        pictures.mark_pictures(header, members, album)
        drawn.write_out(header, members, parts)
        chunks.mark(header, members)
        rewrite_header(header)
        parts[name] = etree.tostring(header, xml_declaration=True, encoding="UTF-8")


def _styles(parts: dict[str, bytes], part: str) -> XmlElement | None:
    """Return the styles, and leave those out of the parts that are not used, if they are many."""
    if part not in parts:
        return None
    others = (content for name, content in parts.items() if is_xml(name) and name != part)
    parts[part] = without_unused(parts[part], others)
    return parse(parts[part])


def _settle(
    parts: dict[str, bytes], main: str, kind: str, settle: Callable[[XmlElement], None]
) -> None:
    for name in filter(parts.get, related_members(parts, main, (kind,)).values()):
        part = parse(parts[name])
        settle(part)
        parts[name] = etree.tostring(part, xml_declaration=True, encoding="UTF-8")


def _read_notes(parts: dict[str, bytes], main: str, kind: str, chunks: Chunks) -> NoteBlocks:
    notes: dict[str, Sequence[XmlElement]] = {}
    for name in related_members(parts, main, (kind,)).values():
        root = parse(parts[name])
        chunks.mark(root, related_members(parts, name))
        notes |= read_notes(root)
    return notes


def write_package(parts: dict[str, bytes]) -> io.BytesIO:
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as writer:
        for name, content in parts.items():
            writer.writestr(name, content)
    package.seek(0)
    return package


def _stated_page_count(parts: dict[str, bytes]) -> int | None:
    """Return the page count of the last layout; programs that make none leave zero words."""
    properties = parts.get("docProps/app.xml", b"").decode(errors="replace")
    counts = dict(re.findall(r"<(Pages|Words)>(\d+)<", properties))
    return int(counts["Pages"]) if "Pages" in counts and int(counts.get("Words", 0)) else None


def stated_title(parts: dict[str, bytes]) -> str:
    properties = parts.get("docProps/core.xml")
    title = parse(properties).findtext(f"{_DC}title") if properties else None
    return document_title(title or "")


def _without_repeats(elements: Iterable[Element]) -> Iterator[Element]:
    """Keep a header or footer, and the pictures in it, once; each section repeats it."""
    seen = {""}
    seen_pictures: set[str] = set()
    for element in elements:
        if isinstance(element, Header | Footer):
            element.text = without_marks(element.text, seen_pictures)
            if element.text in seen:
                continue
            seen.add(element.text)
        yield element


def _by_page(elements: Iterable[Element], knows_pages: bool) -> Iterator[tuple[int, list[Element]]]:
    """Group what stands on a page; a header goes with what follows it, a footer the other way."""
    on_page: list[Element] = []
    waiting: list[Element] = []
    page = 1
    for element in elements:
        number = element.metadata.page_number
        if isinstance(element, Header):
            waiting.append(element)
            continue
        if knows_pages and number is not None and number != page:
            if on_page:
                yield page, on_page
            page, on_page = number, []
        on_page += [*waiting, element]
        waiting = []
    on_page += waiting
    if on_page:
        yield page, on_page


def _written_blocks(
    elements: Iterable[Element], tables: Tables, running: list[Block], chunks: Chunks
) -> Iterator[Block]:
    """Yield the blocks of a page; those of headers and footers are added to `running` too."""
    for element in elements:
        taken_in = chunks.marked(element.text)
        if taken_in is not None:
            yield from itertools.chain.from_iterable(map(parted_at_marks, taken_in))
            continue
        blocks = list(blocks_of([element], tables, _is_title))
        if isinstance(element, Header | Footer):
            running += blocks
        yield from blocks


def tables_of(elements: Iterable[Element]) -> Tables:
    """Return the blocks of the tables among the elements, whose parts on several pages are one."""
    in_html = {
        id(element): element.metadata.text_as_html
        for element in elements
        if isinstance(element, Table) and element.metadata.text_as_html
    }
    return dict(zip(in_html, blocks_of_tables(list(in_html.values())), strict=True))


def blocks_of(
    elements: Iterable[Element], tables: Tables, is_heading: Callable[[Element], bool]
) -> Iterator[Block]:
    for element in elements:
        blocks = tables.get(id(element))
        if blocks is None:
            kind = BlockKind.HEADING if is_heading(element) else BlockKind.TEXT
            blocks = [Block(kind, clean_text(element.text).strip())]
        for block in blocks:
            if block.text or block.header:
                yield from parted_at_marks(block)


def _is_title(element: Element) -> bool:
    return isinstance(element, Title)
