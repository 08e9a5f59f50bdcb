"""Know the headings of a book by its list of contents.

Programs for print and conversion write the headings of chapters as paragraphs; what they are says
only the list of contents, which readers of books show beside the text.
"""

import posixpath
import zipfile
from collections.abc import Callable, Iterator, Sequence

from lxml import etree

from indexing.partition.formats import ZIP_ERRORS
from indexing.partition.text import clean_line
from indexing.partition.web.block_builder import MAX_HEADING_CHARACTERS
from indexing.types import Block, BlockKind

MAX_CONTENTS_BYTES = 4 << 20
NCX_TYPE = "application/x-dtbncx+xml"

Contents = dict[str, set[str]]


def read_contents(
    package: zipfile.ZipFile, book: etree._Element, member: Callable[[str, str], str], folder: str
) -> Contents:
    """Return the letters of the headings that the list of contents names, by their files.

    `member` tells which file of the package an address stands for in a folder.
    """
    contents: Contents = {}
    for item in book.iter("{*}item"):
        is_list = "nav" in item.get("properties", "").split()
        name = member(item.get("href", ""), folder)
        info = package.NameToInfo.get(name)
        if info is None or not (is_list or item.get("media-type") == NCX_TYPE):
            continue
        if info.file_size <= MAX_CONTENTS_BYTES:
            for address, words in _entries(_read(package, info)):
                file = member(address, posixpath.dirname(name))
                contents.setdefault(file, set()).add(_letters(words))
    return contents


def with_headings(blocks: Sequence[Block], headings: set[str]) -> list[Block]:
    """Return the blocks of a file, its headings as such that are paragraphs in it."""
    letters = [
        _letters(one.text) if headings and len(one.text) <= MAX_HEADING_CHARACTERS else ""
        for one in blocks
    ]
    marked = {
        key for key, one in zip(letters, blocks, strict=True) if one.kind is BlockKind.HEADING
    }
    awaited = headings - marked - {""}
    # The last, because a list of contents in the text comes first.
    places = {key: n for n, key in enumerate(letters) if key in awaited}
    found = list(blocks)
    for n in places.values():
        if blocks[n].kind is BlockKind.TEXT:
            found[n] = Block(BlockKind.HEADING, clean_line(blocks[n].text))
    return found


def _read(package: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return the list of contents, empty if it is damaged: the chapters can be read without it."""
    try:
        return package.read(info)
    except ZIP_ERRORS:
        return b""


def _entries(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the addresses and words of a list of version 3, or of 2 (NCX)."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        contents = etree.fromstring(content, parser)
    except etree.XMLSyntaxError:
        return  # It is empty, or as good as that.
    if contents is None:
        return  # It is no XML at all.
    for link in contents.iter("{*}a"):
        yield link.get("href", ""), "".join(link.itertext())
    for point in contents.iter("{*}navPoint"):
        words, target = point.find("{*}navLabel/{*}text"), point.find("{*}content")
        if words is not None and target is not None:
            yield target.get("src", ""), words.text or ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
