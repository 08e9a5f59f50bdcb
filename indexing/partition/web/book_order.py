"""Tell which files of a book in EPUB are its chapters, and in which order they are read."""

import posixpath
import re
import unicodedata
import urllib.parse
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lxml import etree

from indexing.partition.formats import ZIP_ERRORS
from indexing.partition.office.package_xml import Element, parse

CONTAINER = "META-INF/container.xml"

_CHAPTER = re.compile(r".*\.x?html?", re.IGNORECASE)
_MAX_CONTENTS_BYTES = 1 << 20
_LEAST_LINKED = 0.5  # of the letters, beside the heading and the numbers of pages
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Order:
    """What says which files a book has; all that can be told of it, if it is damaged."""

    name: str
    root: Element
    is_damaged: bool

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.name)


def read_order(package: zipfile.ZipFile) -> Order:
    """Read the file that names the others, which the container of the book names."""
    container, _ = _parsed(package, CONTAINER)
    found = [one.get("full-path") for one in container.iter("{*}rootfile")]
    name = member(found[0] or "", "") if found else ""
    root, is_damaged = _parsed(package, name)
    # One that names no chapter at all, which no program writes, is another file, or what is left.
    names_none = next(root.iter("{*}itemref"), None) is None
    return Order(name, root, is_damaged or names_none)


def chapters_of(package: zipfile.ZipFile, order: Order) -> list[str]:
    """Return the files in the order that is told; of a damaged book all that may be chapters."""
    spine = [member(href, order.folder) for href in _spine(order.root)]
    pages = {name for name in _pages_of_contents(order) if _has_links_alone(package, name)}
    told = [name for name in spine if name not in pages]
    if not order.is_damaged:
        return _as_packed(package, told)
    items = [item.get("href", "") for item in order.root.iter("{*}item") if not _is_list(item)]
    lists = [item.get("href", "") for item in order.root.iter("{*}item") if _is_list(item)]
    listed = [member(href, order.folder) for href in items]
    others = sorted(package.NameToInfo, key=_by_number)
    known = package.NameToInfo.keys() - {member(href, order.folder) for href in lists}
    chapters = filter(_CHAPTER.fullmatch, [*listed, *others])
    return [name for name in (*told, *chapters) if name in known]


def _as_packed(package: zipfile.ZipFile, names: Iterable[str]) -> list[str]:
    """Return the names as the package has them, which may be in other capitals or accents.

    Windows and the Macintosh take them for the same, so there nobody has noticed.
    """
    packed = {_alike(name): name for name in package.NameToInfo}
    known = package.NameToInfo.keys()
    return [name if name in known else packed.get(_alike(name), name) for name in names]


def _alike(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def member(href: str, folder: str) -> str:
    """Return the name in the package that an address stands for; it is never a path on disk."""
    # Programs of Windows part names their way, in the package as well.
    address = urllib.parse.unquote(href.partition("#")[0]).replace("\\", "/")
    return posixpath.normpath(posixpath.join("/", folder, address)).lstrip("/")


def _parsed(package: zipfile.ZipFile, name: str) -> tuple[Element, bool]:
    """Return what can be told of a file of XML, and whether it is damaged."""
    try:
        content = package.read(name)
    except (KeyError, *ZIP_ERRORS):
        content = b""
    try:
        return parse(content), False
    except etree.XMLSyntaxError:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
        rest = etree.fromstring(content or b"<none/>", parser)
        return etree.Element("none") if rest is None else rest, True


def _spine(book: Element) -> Iterator[str]:
    """Yield the addresses of the chapters; a list of contents is no chapter."""
    items = {item.get("id"): item for item in book.iter("{*}item")}
    for reference in book.iter("{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is not None and not _is_list(item):
            yield item.get("href", "")


def _pages_of_contents(order: Order) -> set[str]:
    """Return the files that a book of version 2 says are its list of contents, and nothing else."""
    addresses = (
        one.get("href", "") for one in order.root.iter("{*}reference") if one.get("type") == "toc"
    )
    return {member(href, order.folder) for href in addresses if "#" not in href}


def _has_links_alone(package: zipfile.ZipFile, name: str) -> bool:
    """Tell whether a file has little but links, because books call whole texts their contents."""
    info = package.NameToInfo.get(name)
    if info is None or info.file_size > _MAX_CONTENTS_BYTES:
        return False
    root, _ = _parsed(package, name)
    body = next(root.iter("{*}body"), root)
    links = [link for link in body.iter("{*}a") if link.get("href")]
    return bool(links) and sum(map(_letters, links)) >= _LEAST_LINKED * _letters(body)


def _letters(element: Element) -> int:
    return sum(len("".join(text.split())) for text in element.itertext())


def _is_list(item: Element) -> bool:
    return "nav" in item.get("properties", "").split()


def _by_number(name: str) -> list[str]:
    """Return what names are sorted by, so that chapter 10 comes behind chapter 9."""
    return [part.zfill(9) if part.isdecimal() else part for part in _DIGITS.split(name)]
