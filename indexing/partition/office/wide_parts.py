"""Open packages whose XML is in UTF-16, which parsers know and all else here takes for no text."""

import codecs
import contextlib
import io
import re
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

from indexing.partition.office.zip_names import open_zip

_ENDINGS = (".xml", ".rels")
# Without a mark of the order of its bytes, XML is told by its first letter.
_CODECS = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
_DECLARATION = re.compile(r"\A\s*<\?xml[^<>]*\?>")


def open_in_utf8(path: Path) -> BinaryIO:
    """Open the package; one with parts in UTF-16 as a copy in memory with these in UTF-8.

    So one whose members are named as Windows names files.
    """
    with open_zip(path) as package:
        wide = {name: codec for name in package.NameToInfo if (codec := _codec(package, name))}
        if not wide and all(one.filename == one.orig_filename for one in package.infolist()):
            return path.open("rb")
        copy = io.BytesIO()
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
            for name in package.NameToInfo:
                content = package.read(name)
                target.writestr(name, in_utf8(content) if name in wide else content)
    copy.seek(0)
    return copy


def in_utf8(part: bytes) -> bytes:
    """Return a part of XML in UTF-8, in which most are."""
    return _DECLARATION.sub("", decoded(part)).encode() if part[:2] in _CODECS else part


def decoded(part: bytes) -> str:
    """Return the text of a part of XML in UTF-8 or UTF-16."""
    return part.decode(_CODECS.get(part[:2], "utf-8-sig"), "replace")


def _codec(package: zipfile.ZipFile, name: str) -> str:
    """Return what a part is decoded by, "" if it is none in UTF-16 or cannot be read."""
    # Whoever needs a damaged part will say so.
    with contextlib.suppress(zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError):
        if name.endswith(_ENDINGS):
            with package.open(name) as part:
                return _CODECS.get(part.read(2), "")
    return ""
