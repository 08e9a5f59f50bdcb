"""Bring an Office package with parts that are damaged or missing into a shape that can be read.

The libraries refuse a whole document for one part that is no XML, or that only a reference names.
"""

import posixpath
import re
from collections.abc import Iterable

from lxml import etree

from indexing.partition.office.package_xml import parse
from indexing.partition.office.related_members import leave_out_dangling

_TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_NO_TYPE = "application/octet-stream"  # in particular

# What says nothing that is read.
_NO_TEXT = re.compile(r"(?:docProps|customXml|(?:word|ppt)/theme)/|(?:.*/)?_rels/")


def mend_parts(parts: dict[str, bytes], main: str) -> str:
    """Mend the parts that are XML, but for the main one; say which are damaged or missing.

    What can be told of a damaged part stays; one of which nothing can is missing.
    """
    checked = [member for member in parts if is_xml(member) and member != main]
    damaged = [member for member in checked if not _is_well_formed(parts[member])]
    for member in damaged:
        root = _recovered(parts[member])
        if root is None:
            del parts[member]
        else:
            parts[member] = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
    spoilt = {*damaged, *leave_out_dangling(parts, is_xml)}
    named = sorted(member for member in spoilt if not _NO_TEXT.match(member))
    if not named:
        return ""
    return (
        f"parts of the file are damaged or missing ({len(named)} in all, {named[0]!r} among them): "
        "not all that they say was read"
    )


def with_types(types: bytes, members: Iterable[str]) -> bytes:
    """Return the list of what each part is with a line for those of these that are not in it."""
    root = parse(types)
    named = {one.get("PartName", "").lower() for one in root.iter(f"{_TYPES}Override")}
    endings = {one.get("Extension", "").lower() for one in root.iter(f"{_TYPES}Default")}
    lacking = [
        name
        for name in sorted(f"/{member}" for member in members)
        if name.lower() not in named
        and posixpath.splitext(name)[1].removeprefix(".").lower() not in endings
    ]
    for name in lacking:
        etree.SubElement(root, f"{_TYPES}Override", PartName=name, ContentType=_NO_TYPE)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True) if lacking else types


def is_xml(member: str) -> bool:
    """Tell whether a part is XML that the libraries parse, by its name."""
    return member.lower().endswith((".xml", ".rels"))


def _is_well_formed(part: bytes) -> bool:
    try:
        parse(part)
    except etree.XMLSyntaxError:
        return False
    return True


def _recovered(part: bytes) -> etree._Element | None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        return etree.fromstring(part, parser)
    except etree.XMLSyntaxError:
        return None  # It is empty.
