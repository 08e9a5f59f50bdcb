"""Tell which part of an Office package is the main one, and what document it makes of the package.

It is named by the list of what each part is, and where that is damaged or says something else, by
the relations of the package (ECMA-376 part 2).
"""

import re
import zipfile
from collections.abc import Iterator
from pathlib import PurePath

from indexing.partition.office.wide_parts import decoded

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"

MAIN_CONTENT_TYPES: dict[str, str] = {
    DOCX: "docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml": "docx",
    "application/vnd.ms-word.document.macroEnabled.main+xml": "docx",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml": "docx",
    PPTX: "pptx",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml": "pptx",
    "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml": "pptx",
    "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml": "pptx",
    "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml": "pptx",
    "application/vnd.ms-powerpoint.template.macroEnabled.main+xml": "pptx",
    XLSX: "xlsx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml": "xlsx",
    "application/vnd.ms-excel.sheet.macroEnabled.main+xml": "xlsx",
    "application/vnd.ms-excel.template.macroEnabled.main+xml": "xlsx",
    "application/vnd.ms-excel.sheet.binary.macroEnabled.main": "xlsx",
}
"""What the main part of an Office package calls itself; macros are never run, only text is read."""

PARTS = "[Content_Types].xml"

MAX_SMALL_BYTES = 2 * 1024**2
"""Of what is read of a package to tell its format."""

# The main part of each kind by the first of its tags, where nothing says what it is.
_BY_ROOT = {"document": DOCX, "presentation": PPTX, "workbook": XLSX}
_ROOT = re.compile(r"<(?:\w{1,40}:)?([a-z]{1,20})\b")


def main_part(package: zipfile.ZipFile) -> tuple[str, str] | None:
    """Return name and content type of the part that makes the package a document."""
    for attributes in tags(small_member(package, PARTS), "Override"):
        name = attributes.get("PartName", "").lstrip("/")
        if attributes.get("ContentType") in MAIN_CONTENT_TYPES and name in package.NameToInfo:
            return name, attributes["ContentType"]
    return _related_main_part(package)


def _related_main_part(package: zipfile.ZipFile) -> tuple[str, str] | None:
    """Return the same where its type is that of all parts with its ending, as in xlsb, or none."""
    types = {
        f".{attributes.get('Extension', '')}": attributes.get("ContentType", "")
        for attributes in tags(small_member(package, PARTS), "Default")
    }
    related = [
        attributes.get("Target", "").lstrip("/")
        for attributes in tags(small_member(package, "_rels/.rels"), "Relationship")
        if attributes.get("Type", "").endswith("/officeDocument")
    ]
    for name in related:
        content_type = types.get(PurePath(name).suffix, "")
        if content_type in MAIN_CONTENT_TYPES:
            return name, content_type
    for name in related:
        root = _ROOT.search(small_member(package, name, max_bytes=1024))
        if root and root[1] in _BY_ROOT:
            return name, _BY_ROOT[root[1]]
    return None


def tags(xml: str, name: str) -> Iterator[dict[str, str]]:
    """Yield the attributes of each tag of the name, without parsing what a stranger wrote."""
    # Nothing here is tried again from every letter on, be the text ever so odd.
    for tag in re.findall(rf"<(?:\w+:)?{name}\b[^<>]*>", xml):
        yield dict(re.findall(r"(?<![\w-])([\w-]+)\s*=\s*[\"']([^\"']*)[\"']", tag))


def small_member(package: zipfile.ZipFile, name: str, max_bytes: int | None = None) -> str:
    """Return the text of a member, "" where there is none or it is no small one.

    Of one of any size so many bytes, if they are given.
    """
    member = package.NameToInfo.get(name)
    if member is None or (max_bytes is None and member.file_size > MAX_SMALL_BYTES):
        return ""
    with package.open(member) as file:
        # Read to a limit, because what it says of its size need not be true.
        return decoded(file.read(max_bytes or MAX_SMALL_BYTES))
