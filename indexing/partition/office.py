"""Read Word and PowerPoint documents through Unstructured, and the pictures in them."""

import io
import itertools
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pptx
from lxml import etree
from pptx.parts.chart import ChartPart
from pptx.slide import Slide

from indexing.partition import docx_drawn, docx_pictures, slide_pictures
from indexing.partition.charts import chart_tables, chart_titles
from indexing.partition.docx_body import Notes, read_notes, rewrite_body, rewrite_header
from indexing.partition.docx_chunks import Chunks
from indexing.partition.docx_elements import W
from indexing.partition.docx_pages import WORDS_ON_ONE_PAGE, is_laid_out, room_in_words
from indexing.partition.formats import main_part
from indexing.partition.office_pictures import Album, parted_at_marks, without_marks
from indexing.partition.office_tables import blocks_of_tables
from indexing.partition.package_xml import parse
from indexing.partition.related_members import related_members
from indexing.partition.slide_formulas import write_out_formulas
from indexing.partition.slide_numbers import write_out_numbers
from indexing.partition.slide_shapes import settle_order
from indexing.partition.slide_tables import write_out_tables
from indexing.partition.strict_names import with_usual_names
from indexing.partition.tables import table_with_header
from indexing.partition.text import clean_text, document_title
from indexing.partition.unstructured_parts import (
    Element,
    Footer,
    Header,
    Table,
    Title,
    partition_docx,
    partition_pptx,
)
from indexing.partition.written_document import WrittenDocument
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page

DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
PPTX_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"

NO_DETECTION = [""]  # of languages: nothing here asks for them, and it takes half a second to begin

Tables: TypeAlias = Mapping[int, list[Block]]
"""The blocks of each element that is a table, by its id."""

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DC = "{http://purl.org/dc/elements/1.1/}"


def open_docx(path: Path, skip_pages: int = 0) -> Document:
    """Open the Word document; the number of a page is true or absent.

    The first `skip_pages` pages are left out, and their pictures not looked at.
    """
    return read_docx(path).document(path, "docx", skip_pages)


def read_docx(path: Path) -> WrittenDocument:
    """Read what the file says, and of its pages what it tells."""
    main, parts = _read_parts(path, DOCX_TYPE)
    folder = main.rpartition("/")[0]
    album = Album(path, docx_pictures.A4_POINTS)
    document = parse(parts[main])
    members = related_members(parts, main)
    docx_pictures.mark_pictures(document, members, album)
    docx_drawn.write_out(document, members, parts)
    chunks = Chunks(path)
    chunks.mark(document, members)
    _rewrite_headers(parts, main, album, chunks)
    notes = Notes(
        footnotes=_read_notes(parts, f"{folder}/footnotes.xml", chunks),
        endnotes=_read_notes(parts, f"{folder}/endnotes.xml", chunks),
    )
    seen_by_word = is_laid_out(document)
    # Where its pages end was told without the files that it takes in, if it was told.
    styles = parse(parts[part]) if (part := f"{folder}/styles.xml") in parts else None
    body = document.find(f"{W}body")
    is_told = rewrite_body(body, notes, _stated_page_count(parts), styles)
    knows_pages = is_told and not chunks
    parts[main] = etree.tostring(document, xml_declaration=True, encoding="UTF-8", standalone=True)
    elements = partition_docx(
        file=_write_package(parts), include_page_breaks=False, languages=NO_DETECTION
    )
    tables = _tables_of(elements)
    running: list[Block] = []
    pages = [
        Page(
            number if knows_pages else NO_PAGE,
            tuple(_written_blocks(on_page, tables, running, chunks)),
        )
        for number, on_page in _by_page(_without_repeats(elements), knows_pages)
    ]
    if chunks.warning:
        first = pages[0] if pages else Page(NO_PAGE, ())
        pages[:1] = [replace(first, warning=chunks.warning)]
    is_short = sum(room_in_words(page.blocks) for page in pages) <= WORDS_ON_ONE_PAGE
    told_by_word = seen_by_word and knows_pages
    needs_layout = not told_by_word and (bool(album) or not (is_short and knows_pages))
    # LibreOffice does not show what stands in them.
    needs_layout = needs_layout and not chunks
    return WrittenDocument(_stated_title(parts), pages, needs_layout, album, running)


def open_pptx(path: Path, skip_pages: int = 0) -> Document:
    """Open the presentation; a slide is a page, and its notes stand on it.

    The first `skip_pages` slides are left out, and their pictures not looked at.
    """
    _, parts = _read_parts(path, PPTX_TYPE)
    presentation = pptx.Presentation(_write_package(parts))
    slides = list(presentation.slides)
    sheet = presentation.slide_width or 0, presentation.slide_height or 0
    album = Album(path, sheet[0] * sheet[1] / docx_pictures.EMU_PER_POINT**2)
    backdrops: set[str] = set()
    for slide in slides:
        write_out_formulas(slide.shapes._spTree)
        write_out_numbers(slide.shapes._spTree)
        slide_pictures.mark_pictures(slide, sheet, album, backdrops)
        write_out_tables(slide.shapes)
        settle_order(slide, sheet[1])
    package = io.BytesIO()
    presentation.save(package)
    package.seek(0)
    elements = partition_pptx(file=package, include_page_breaks=False, languages=NO_DETECTION)
    tables = _tables_of(elements)
    by_slide: dict[int, list[Element]] = {}
    for element in elements:
        by_slide.setdefault(element.metadata.page_number or 1, []).append(element)
    pages = [
        Page(
            number,
            (
                *_blocks(by_slide.get(number, []), tables, _is_slide_title),
                *_further_blocks(slide),
            ),
        )
        for number, slide in enumerate(slides, start=1)
    ]
    return Document(_stated_title(parts), len(slides), album.pages(pages, skip_pages))


def _read_parts(path: Path, plain_type: str) -> tuple[str, dict[str, bytes]]:
    """Read the package; a template or one with macros is made to pass for a plain document.

    What is no XML is left empty: pictures are read one by one, when it is their page's turn.
    """
    with zipfile.ZipFile(path) as package:
        name, content_type = main_part(package) or ("", "")
        parts = {
            member: package.read(member) if member == name or _is_xml(member) else b""
            for member in package.namelist()
        }
    # Pictures may be missing; the libraries would refuse the whole document for one.
    related = (related_members(parts, member).values() for member in list(parts))
    absent = set(itertools.chain.from_iterable(related)) - parts.keys()
    parts |= {member: b"" for member in absent if not _is_xml(member)}
    types = parts["[Content_Types].xml"]
    parts["[Content_Types].xml"] = types.replace(content_type.encode(), plain_type.encode())
    return name, {member: with_usual_names(part) for member, part in parts.items()}


def _is_xml(member: str) -> bool:
    return member.lower().endswith((".xml", ".rels", ".vml"))


def _rewrite_headers(parts: dict[str, bytes], main: str, album: Album, chunks: Chunks) -> None:
    headers = related_members(parts, main, ("header", "footer"))
    for name in sorted(set(headers.values()) & parts.keys()):
        header = parse(parts[name])
        members = related_members(parts, name)
        docx_pictures.mark_pictures(header, members, album)
        docx_drawn.write_out(header, members, parts)
        chunks.mark(header, members)
        rewrite_header(header)
        parts[name] = etree.tostring(header, xml_declaration=True, encoding="UTF-8")


def _read_notes(parts: dict[str, bytes], name: str, chunks: Chunks) -> dict[str, str]:
    if name not in parts:
        return {}
    root = parse(parts[name])
    chunks.mark(root, related_members(parts, name))
    return read_notes(root)


def _write_package(parts: dict[str, bytes]) -> io.BytesIO:
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


def _stated_title(parts: dict[str, bytes]) -> str:
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
        blocks = list(_blocks([element], tables, _is_title))
        if isinstance(element, Header | Footer):
            running += blocks
        yield from blocks


def _tables_of(elements: Iterable[Element]) -> Tables:
    """Return the blocks of the tables among the elements, whose parts on several pages are one."""
    in_html = {
        id(element): element.metadata.text_as_html
        for element in elements
        if isinstance(element, Table) and element.metadata.text_as_html
    }
    return dict(zip(in_html, blocks_of_tables(list(in_html.values())), strict=True))


def _blocks(
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


def _is_slide_title(element: Element) -> bool:
    # On a slide any short text passes for a title, but only the real one has depth 0.
    return isinstance(element, Title) and element.metadata.category_depth == 0


def _further_blocks(slide: Slide) -> Iterator[Block]:
    """Read what Unstructured does not: charts and diagrams, and the notes, last on their slide."""
    for relation in slide.part.rels.values():
        if relation.is_external:
            continue
        part = relation.target_part
        if isinstance(part, ChartPart):
            yield from _chart_blocks(parse(part.blob))
        elif relation.reltype.endswith("/diagramData"):
            texts = parse(part.blob).iter(f"{_A}p")
            lines = ["".join(run.text or "" for run in text.iter(f"{_A}t")) for text in texts]
            yield from _text_blocks("\n".join(filter(None, lines)))
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        yield from _text_blocks(slide.notes_slide.notes_text_frame.text)


def _chart_blocks(chart: etree._Element) -> Iterator[Block]:
    for title in chart_titles(chart):
        yield from _text_blocks(title)
    for table in chart_tables(chart):
        yield table_with_header(table.header, table.rows)


def _text_blocks(text: str) -> Iterator[Block]:
    cleaned = clean_text(text).strip()
    if cleaned:
        yield Block(BlockKind.TEXT, cleaned)
