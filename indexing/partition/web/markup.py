"""Read HTML, Markdown, and books in EPUB, which are HTML in a package."""

import codecs
import html
import itertools
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from lxml import etree
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, paragraph
from markdown_it.token import Token

from indexing.partition.formats import ZIP_ERRORS
from indexing.partition.office.pictures import Album, parted_at_marks
from indexing.partition.office.zip_names import open_zip
from indexing.partition.text import document_title
from indexing.partition.texts.encoding import encoding_of
from indexing.partition.texts.plain_text import open_text, text_block, unnumbered_pages
from indexing.partition.texts.stated_encoding import DEFAULT_CODEC, is_hardly_western, wider_codec
from indexing.partition.web.block_builder import BlockBuilder
from indexing.partition.web.book_contents import Contents, read_contents, with_headings
from indexing.partition.web.book_order import CONTAINER, chapters_of, member, read_order
from indexing.partition.web.markdown_tables import drawn_table
from indexing.partition.web.pictures import BookPictures, mark_enclosed, page_album
from indexing.partition.web.piped_tables import BAR_IN_CODE, with_whole_tables
from indexing.partition.web.reversed_lists import with_starts
from indexing.partition.web.svg import no_mark
from indexing.types import NO_PAGE, Block, Document, Page

CHUNK_CHARACTERS = 1 << 16
# A chapter of a book is read in one piece.
MAX_CHAPTER_BYTES = 64 * 1024**2

# What lies deeper in lists and quotes than this keeps its marks; a level of a list counts twice.
MAX_NESTING = 100

# Every bracket may begin a link, and is looked for an end of in the rest of its paragraph.
MAX_BRACKETS = 2000

BINARY = "\0"
"""Is in no text, and in nearly all else."""

DAMAGED_ORDER = (
    "{!r}, which tells what the chapters of the book are, is damaged: what may be one was read, in "
    "the order of the names where no other is known; upload an intact copy"
)

_DC = "{http://purl.org/dc/elements/1.1/}"

# None of these looks at a letter over and over again, however often its beginning occurs.
_TITLE = re.compile(r"<title\b[^<>]*>([^<]*)</title", re.IGNORECASE)
_CHARSET = re.compile(r"<meta\b[^<>]*?\bcharset\s*=[\s\"']*([\w-]+)", re.IGNORECASE)
# In YAML, or between other lines in TOML.
_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?\n)(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_STATED_TITLE = re.compile(r"^title\s*[:=](.*)$", re.MULTILINE)
# Behind a heading, for links and style sheets, as pandoc and kramdown know them.
_ATTRIBUTES = re.compile(r"(?<!\s)\s*+\{:?\s*[#.][^{}]*\}\s*\Z")
# What a page declares for itself as XML; a parser of HTML takes it for text behind its first ">".
_DECLARATIONS = re.compile(
    r"\s*+(?:<\?xml[^<>]*+>\s*+)?<!DOCTYPE[^<>\[]*+\[.*?\]\s*+>", re.DOTALL | re.IGNORECASE
)
# In XHTML any tag may end itself; an HTML parser would take the rest of the book for its content.
_SELF_CLOSED = re.compile(r"<(?!(?:br|hr|img|meta|link|input|col|wbr)\b)([\w:]+)((?:\s[^<>]*)?)/>")
# Within these is all of a chapter; one without them is a part of a page, and may end anywhere.
_OUTERMOST = re.compile(r"<(?:\w+:)?(?:html|body|svg)\b", re.IGNORECASE)
_OUTERMOST_END = re.compile(r"</(?:\w+:)?(?:html|body|svg)\b|/>\s*\Z", re.IGNORECASE)

# To the parser what is between them is no HTML; it is all that a page of frames says by itself.
_NO_FRAMES = re.compile(r"</?noframes\b[^<>]*>", re.IGNORECASE)


def open_html(path: Path, skip_pages: int = 0) -> Document:
    """Open the page; scripts and styles are no text of it."""
    encoding = html_encoding(path)
    with path.open(encoding=encoding, errors="replace") as file:
        start = file.read(CHUNK_CHARACTERS)
    return Document(html_title(start), 0, _html_pages(path, encoding, skip_pages))


def open_markdown(path: Path, skip_pages: int = 0) -> Document:
    """Open the text; its first heading of the first level is its title."""
    with open_text(path) as file:
        text = file.read()
    front = _FRONT_MATTER.match(text)
    stated = _STATED_TITLE.search(front[2]) if front else None
    # The library leaves out what lies so deep, and all behind it.
    markdown = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING + 10})
    markdown.enable(["table", "strikethrough"])
    markdown.block.ruler.before("blockquote", "too deep", _flat_paragraph)
    markdown.block.ruler.before("table", "drawn table", drawn_table)
    markdown.block.ruler.before("reference", "note", _note)
    if max(paragraph.count("[") for paragraph in text.split("\n\n")) > MAX_BRACKETS:
        markdown.disable(["link", "image", "reference"])
    tokens = markdown.parse(with_whole_tables(text[front.end() :] if front else text))
    _keep_numbers(tokens)
    _drop_attributes(tokens)
    body = markdown.renderer.render(tokens, markdown.options, {}).replace(BAR_IN_CODE, "|")
    album = page_album()
    shown = html_blocks(body, partial(mark_enclosed, album))
    blocks = [*filter(None, [text_block(front[2])] if front else []), *shown]
    named = stated[1].strip(" \t\"'") if stated else _first_heading(body)
    pages = album.pages(unnumbered_pages(blocks), skip_pages)
    return Document(document_title(named), 0, pages)


def _flat_paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take what lies too deep for one more list or quote as a paragraph."""
    return not silent and state.level >= MAX_NESTING and paragraph(state, start, end, silent)


def _note(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a footnote as a paragraph: of one word, or an address, it would be where a link goes."""
    is_note = state.src.startswith("[^", state.bMarks[start] + state.tShift[start])
    return is_note and not silent and paragraph(state, start, end, silent)


def _keep_numbers(tokens: Iterable[Token]) -> None:
    """Let the items of a list have the numbers that are written, if they rise; HTML counts them."""
    last: dict[int, int] = {}  # by the depth of the items
    for token in tokens:
        if token.type == "ordered_list_open":
            last.pop(token.level + 1, None)
        elif token.type == "list_item_open" and token.info:
            written, before = int(token.info), last.get(token.level)
            number = written if before is None else max(written, before + 1)
            last[token.level] = number
            token.attrSet("value", str(number))


def _drop_attributes(tokens: Iterable[Token]) -> None:
    """Take from headings the names by which links and style sheets find them."""
    for before, token in itertools.pairwise(tokens):
        if before.type == "heading_open" and token.children and token.children[-1].type == "text":
            last = token.children[-1]
            last.content = _ATTRIBUTES.sub("", last.content)


def open_epub(path: Path, skip_pages: int = 0) -> Document:
    """Open the book; its chapters come in the order in which they are to be read."""
    with open_zip(path) as package:
        order = read_order(package)
        chapters = chapters_of(package, order)
        contents = read_contents(package, order.root, member, order.folder)
    titles = (title.text or "" for title in order.root.iter(f"{_DC}title"))
    album = page_album(path)
    pages = _chapters(path, chapters, contents, album)
    if order.is_damaged:
        warning = Page(NO_PAGE, (), warning=DAMAGED_ORDER.format(order.name or CONTAINER))
        pages = itertools.chain(pages, [warning])
    return Document(document_title(next(titles, "")), 0, album.pages(pages, skip_pages))


def html_blocks(text: str, mark: Callable[[str], str] = no_mark) -> list[Block]:
    """Return the blocks of a page or a part of one; `mark` says what stands for its pictures."""
    return list(_parsed(iter([text]), mark))


def html_encoding(path: Path) -> str:
    """Return the encoding the file is in, or says it is in where that cannot be seen."""
    with path.open("rb") as file:
        return page_encoding(file)


def page_encoding(file: BinaryIO) -> str:
    """Return the same of an open file, from its beginning on."""
    encoding = encoding_of(file) or "cp1252"
    if encoding.startswith("utf"):
        return encoding
    file.seek(0)
    start = file.read(CHUNK_CHARACTERS)
    declared = _CHARSET.search(start.decode("latin-1"))
    codec = _known_encoding(declared[1], encoding) if declared else encoding
    return encoding if codec == DEFAULT_CODEC and is_hardly_western(start) else codec


def _known_encoding(name: str, otherwise: str) -> str:
    codec = wider_codec(name)
    # What is not UTF-8, or not ASCII alone, remains so, whatever it says.
    return otherwise if codec in ("", "ascii") or codec.startswith("utf") else codec


def html_title(start: str) -> str:
    """Return what a page calls itself at its beginning."""
    title = _TITLE.search(start)
    return document_title(html.unescape(title[1])) if title else ""


def _first_heading(page: str) -> str:
    """Return the first heading of the first level, without the tags in it."""
    heading, _, behind = page.partition("<h1>")[2].partition("</h1>")
    return html.unescape(re.sub(r"<[^<>]*>", "", heading)) if behind else ""


def _html_pages(path: Path, encoding: str, skip_pages: int) -> Iterator[Page]:
    album = page_album()
    with path.open(encoding=encoding, errors="replace") as file:
        chunks = iter(lambda: file.read(CHUNK_CHARACTERS), "")
        blocks = _parsed(chunks, partial(mark_enclosed, album))
        yield from album.pages(unnumbered_pages(blocks), skip_pages)


def _parsed(chunks: Iterator[str], mark: Callable[[str], str]) -> Iterator[Block]:
    """Return the blocks, and pictures as blocks of their own."""
    if mark is no_mark:
        return _built(chunks, mark)
    return itertools.chain.from_iterable(map(parted_at_marks, _built(chunks, mark)))


def _built(chunks: Iterator[str], mark: Callable[[str], str]) -> Iterator[Block]:
    builder = BlockBuilder(mark)
    # Events instead of a tree: no depth and no length is too much, and entities stay letters.
    # Behind a remark of over 10 MB, taken for damage otherwise, each one in it would be looked at.
    parser = etree.HTMLParser(target=builder, no_network=True, huge_tree=True)
    first = next(chunks, "")
    declared = _DECLARATIONS.match(first)
    for chunk in itertools.chain([first[declared.end() :] if declared else first], chunks):
        parser.feed(with_starts(_NO_FRAMES.sub("", chunk)))
        yield from builder.take()
    parser.close()
    yield from builder.take()


def _chapters(path: Path, names: list[str], contents: Contents, album: Album) -> Iterator[Page]:
    with open_zip(path) as package:
        pictures = BookPictures(album, partial(_drawing_text, package))
        # None comes twice in a book, however often its list names it.
        for name in dict.fromkeys(names):
            if name not in package.NameToInfo:
                yield Page(NO_PAGE, (), warning=f"the book has no file {name!r}")
            elif package.getinfo(name).file_size > MAX_CHAPTER_BYTES:
                limit = MAX_CHAPTER_BYTES >> 20
                yield Page(NO_PAGE, (), warning=f"{name!r} is over {limit} MB and was not read")
            else:
                try:
                    chapter = _decode_xhtml(package.read(name))
                except ZIP_ERRORS:
                    chapter = BINARY
                # Not even a blank page is empty.
                if BINARY in chapter or not chapter.strip():
                    yield Page(NO_PAGE, (), warning=f"{name!r} is damaged and was not read")
                    continue
                page = _SELF_CLOSED.sub(r"<\1\2></\1>", _with_escapes(chapter))
                blocks = html_blocks(page, partial(pictures.mark, name))
                yield from unnumbered_pages(with_headings(blocks, contents.get(name, set())))
                if _is_cut_off(chapter):
                    yield Page(NO_PAGE, (), warning=f"{name!r} is cut off: its end is missing")


def _drawing_text(package: zipfile.ZipFile, name: str) -> str:
    """Return what is written in a drawing, nothing where it is damaged."""
    if package.getinfo(name).file_size > MAX_CHAPTER_BYTES:
        return ""
    try:
        drawing = _decode_xhtml(package.read(name))
    except ZIP_ERRORS:
        return ""
    if BINARY in drawing:
        return ""
    shown = html_blocks(_SELF_CLOSED.sub(r"<\1\2></\1>", _with_escapes(drawing)))
    return "\n".join(block.text for block in shown)


def _with_escapes(chapter: str) -> str:
    """Return a chapter with what XML leaves as it is (CDATA), to a parser of HTML a remark."""
    before, *behind = chapter.split("<![CDATA[")
    parts = (part.partition("]]>") for part in behind)
    return before + "".join(f"{html.escape(text)}{rest}" for text, _, rest in parts)


def _is_cut_off(chapter: str) -> bool:
    """Tell whether a chapter ends before the element that all of its text is within."""
    return bool(_OUTERMOST.search(chapter)) and not _OUTERMOST_END.search(chapter)


def _decode_xhtml(content: bytes) -> str:
    """Decode a chapter as its first line says; UTF-8 unless it says otherwise."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    declared = re.search(rb"^\s*<\?xml[^>]*encoding\s*=\s*[\"']([\w-]+)", content[:200])
    encoding = _known_encoding(declared[1].decode(), "utf-8") if declared else "utf-8"
    # The declaration has done its work; a parser of decoded text stumbles over it.
    return re.sub(r"\A\ufeff?\s*<\?xml[^>]*\?>", "", content.decode(encoding, "replace"))
