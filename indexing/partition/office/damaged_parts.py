"""Bring a package with parts that are damaged or missing into a shape that can be read.

So of Office, whose libraries refuse a whole document for one part that is no XML, or that only a
reference names, and of OpenDocument.
"""

import contextlib
import copy
import posixpath
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from lxml import etree

from indexing.partition.formats import ZIP_ERRORS
from indexing.partition.office.legal_xml import in_legal_xml
from indexing.partition.office.main_part import PARTS
from indexing.partition.office.package_xml import is_well_formed, parse
from indexing.partition.office.related_members import leave_out_dangling, relate, related_kinds
from indexing.types import NO_PAGE, Page

_LARGE_BYTES, _SMALL_BYTES = 1 << 20, 1 << 12

_TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_NO_TYPE = "application/octet-stream"  # in particular

NO_TYPES = b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
"""The list of what each part is, of a package without one."""

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OFFICE_TYPES = {
    "core-properties": "application/vnd.openxmlformats-package.core-properties+xml",
    "chart": f"{_OFFICE}drawingml.chart+xml",
    **{
        kind: f"{_OFFICE}wordprocessingml.{kind}+xml"
        for kind in ("header", "footer", "numbering", "settings", "styles")
    },
    **{
        kind: f"{_OFFICE}presentationml.{kind}+xml"
        for kind in ("slide", "slideLayout", "slideMaster", "notesSlide", "notesMaster")
    },
}
"""The types of the parts that the libraries tell by these, by the kinds of their relations."""

# What says nothing that is read.
_NO_TEXT = re.compile(
    r"\[Content_Types\]|(?:docProps|customXml|(?:word|ppt|xl)/theme)/|_rels/|meta\.xml$"
)


def part_bytes(package: zipfile.ZipFile, member: str, spoilt: set[str]) -> bytes:
    """Return what a member holds; of one whose bytes are not as they were packed, what is told.

    Its name is added to those of the spoilt ones then.
    """
    described = package.NameToInfo[member]
    try:
        return b"".join(_pieces(package, described, _LARGE_BYTES))
    except ZIP_ERRORS:
        spoilt.add(member)
    described = copy.copy(described)
    del described.CRC  # Without it, nobody asks whether the bytes are the right ones.
    content = bytearray()
    with contextlib.suppress(*ZIP_ERRORS):
        for piece in _pieces(package, described, _SMALL_BYTES):
            content += piece
    return bytes(content)


def mend_parts(parts: dict[str, bytes], main: str, spoilt: Collection[str] = ()) -> str:
    """Mend the parts that are XML; say which are damaged or missing, among them those spoilt.

    What can be told of a damaged part stays; one of which nothing can is missing. Of the main one,
    as its program wrote it, either all can be told or nothing.
    """
    damaged = [member for member in parts if is_xml(member) and not is_well_formed(parts[member])]
    for member in damaged.copy():
        legal = in_legal_xml(parts[member])
        if is_well_formed(legal):
            parts[member] = legal
            damaged.remove(member)
    if main in damaged and main not in spoilt:
        damaged.remove(main)
    for member in damaged:
        mended = _recovered(parts[member])
        if mended is not None:
            parts[member] = mended
        elif member != main:
            del parts[member]
    spoilt = {*spoilt, *damaged, *leave_out_dangling(parts, _is_parsed)}
    _name_main(parts, main)
    named = sorted(member for member in spoilt if not _NO_TEXT.match(member))
    if not named:
        return ""
    return (
        f"parts of the file are damaged or missing ({len(named)} in all, {named[0]!r} among them): "
        "not all that they say was read"
    )


def _name_main(parts: dict[str, bytes], main: str) -> None:
    """Let a package of Office name its main part, which lists of types name too."""
    if PARTS in parts and "officeDocument" not in related_kinds(parts, "").values():
        relate(parts, "", [main], "officeDocument")


def _is_parsed(member: str, kind: str) -> bool:
    """Tell whether the libraries parse a part, by its name or the kind of a relation to it."""
    return is_xml(member) or kind in _OFFICE_TYPES


def warned(pages: Iterable[Page], warning: str) -> Iterator[Page]:
    """Yield the pages, the first with the warning of what is damaged; "" is none."""
    pages = iter(pages)
    if warning:
        first = next(pages, Page(NO_PAGE, ()))
        yield replace(first, warning="; ".join(filter(None, (warning, first.warning))))
    yield from pages


def with_types(types: bytes, related: Mapping[str, str], main: tuple[str, str]) -> bytes:
    """Return the list of what each part is with a line for those of these that are not in it.

    Given are the parts with the kinds of their relations, by which the libraries need to know some,
    and the main part with its type.
    """
    root = parse(types)
    if root.tag != f"{_TYPES}Types":
        root = parse(types := NO_TYPES)
    named = {one.get("PartName", "").lower() for one in root.iter(f"{_TYPES}Override")}
    endings = {
        one.get("Extension", "").lower(): one.get("ContentType")
        for one in root.iter(f"{_TYPES}Default")
    }
    lacking = {}
    for member, kind in sorted(related.items()):
        ending = posixpath.splitext(member)[1].removeprefix(".").lower()
        wanted = main[1] if member == main[0] else _OFFICE_TYPES.get(kind)
        found = wanted or (None if ending in endings else _NO_TYPE)
        if found and f"/{member}".lower() not in named and endings.get(ending) != found:
            lacking[f"/{member}"] = found
    for name, content_type in lacking.items():
        etree.SubElement(root, f"{_TYPES}Override", PartName=name, ContentType=content_type)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True) if lacking else types


def is_xml(member: str) -> bool:
    """Tell whether a part is XML that the libraries parse, by its name."""
    return member.lower().endswith((".xml", ".rels"))


def _pieces(package: zipfile.ZipFile, described: zipfile.ZipInfo, size: int) -> Iterator[bytes]:
    """Yield what a member holds: read at once, one that lies about its size takes all memory."""
    with package.open(described) as file:
        while piece := file.read(size):
            yield piece


def _recovered(part: bytes) -> bytes | None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(part, parser)
    except etree.XMLSyntaxError:
        return None  # It is empty.
    if root is None:
        return None
    mended: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
    # A tag that was cut within its name is kept, and is none.
    return mended if is_well_formed(mended) else None
