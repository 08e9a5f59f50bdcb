"""Open packages whose XML is in UTF-16, which parsers know and all else here takes for no text."""

import codecs
import contextlib
import io
import re
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

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
    """Open the package; one with parts in UTF-16 as a copy in memory with these in UTF-8."""
    with zipfile.ZipFile(path) as package:
        wide = {name: codec for name in package.NameToInfo if (codec := _codec(package, name))}
        if not wide:
            return path.open("rb")
        copy = io.BytesIO()
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
            for name in package.NameToInfo:
                content = package.read(name)
                target.writestr(name, _in_utf8(content, wide[name]) if name in wide else content)
    copy.seek(0)
    return copy


def _codec(package: zipfile.ZipFile, name: str) -> str:
    """Return what a part is decoded by, "" if it is none in UTF-16 or cannot be read."""
    # Whoever needs a damaged part will say so.
    with contextlib.suppress(zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError):
        if name.endswith(_ENDINGS):
            with package.open(name) as part:
                return _CODECS.get(part.read(2), "")
    return ""


def _in_utf8(content: bytes, codec: str) -> bytes:
    return _DECLARATION.sub("", content.decode(codec, "replace")).encode()
