"""Read the files that a Word document takes in at places of its text (altChunk).

Programs that make a document of a web page often write nothing else; Word sets the text of such a
file in its place once it has opened the document and saves it. ECMA-376 part 1, 17.17.2.
"""

import io
import posixpath
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from indexing.ocr import RecognitionFailed
from indexing.partition.mail.content import text_blocks
from indexing.partition.mail.internet import archive_blocks
from indexing.partition.office.package_xml import Element
from indexing.partition.office.pictures import reported
from indexing.partition.text_formats import START_CHARACTERS, format_of_text
from indexing.partition.texts.encoding import encoding_of
from indexing.partition.texts.rich_text import rtf_blocks
from indexing.partition.unreadable import DocumentUnreadable
from indexing.partition.web.markup import html_blocks, page_encoding
from indexing.partition.word.elements import TBL, P, W, new_paragraph, new_run
from indexing.types import Block

CHUNK = f"{W}altChunk"

# Of all of them, and as often as they are taken in: the same one may be without end.
MAX_BYTES = 64 << 20
MAX_CHUNKS = 10_000

OTHER_KIND = "it is no plain text, HTML, web archive (MHTML) or RTF"

# Private use, from its end: the pictures of the document have others.
_LAST = 0x10FFFD

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
# What is no text by its name is taken for a page, whatever its name says.
_SUFFIXES = {".txt": ".txt", ".mht": ".eml", ".mhtml": ".eml"}


class Chunks:
    """The files that a document takes in: marked in its text, and set there once that is read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = 0
        self._bytes_left = MAX_BYTES
        self._blocks: dict[str, list[Block]] = {}  # by their marks
        self._failures: list[str] = []

    def __bool__(self) -> bool:
        """Tell whether there are any, be they read or not."""
        return self._count > 0

    @property
    def warning(self) -> str:
        """What is to be said of those that were not read."""
        if not self._failures:
            return ""
        return (
            f"{len(self._failures)} of the files that the document takes in (altChunk) cannot be "
            f"read: {self._failures[0]}; open the document in Word, save it and upload that"
        )

    def mark(self, root: Element, members: Mapping[str, str]) -> None:
        """Put a mark in the place of each file that a part of the document takes in.

        In tables, text boxes, heads and notes its lines stand there themselves, as paragraphs.
        """
        chunks = list(root.iter(CHUNK))
        if not chunks:
            return
        is_body = root.find(f"{W}body") is not None
        with zipfile.ZipFile(self._path) as package:
            for chunk in chunks:
                blocks = self._read(package, members.get(chunk.get(_RELATION, ""), ""))
                lines = _lines(blocks)
                if lines and is_body and next(chunk.iterancestors(P, TBL), None) is None:
                    lines = [chr(_LAST - len(self._blocks))]
                    self._blocks[lines[0]] = blocks
                for line in lines:
                    chunk.addprevious(new_paragraph(new_run(line)))
                chunk.getparent().remove(chunk)

    def marked(self, text: str) -> list[Block] | None:
        """Return what the text is the mark of, None if it is none."""
        mark = next((one for one in text if one in self._blocks), None) if self._blocks else None
        # A document may have such a character of its own, which brings nothing a second time.
        return None if mark is None else self._blocks.pop(mark)

    def _read(self, package: zipfile.ZipFile, member: str) -> list[Block]:
        self._count += 1
        try:
            with reported():
                return read_chunk(self._content(package, member), posixpath.splitext(member)[1])
        except (RecognitionFailed, DocumentUnreadable) as error:
            self._failures.append(str(error))
            return []

    def _content(self, package: zipfile.ZipFile, member: str) -> bytes:
        if member not in package.NameToInfo:
            raise RecognitionFailed("it is missing")
        self._bytes_left -= package.getinfo(member).file_size
        if self._bytes_left < 0 or self._count > MAX_CHUNKS:
            raise RecognitionFailed(f"they are over {MAX_BYTES >> 20} MB, or over {MAX_CHUNKS:,}")
        return package.read(member)


def read_chunk(content: bytes, suffix: str) -> list[Block]:
    """Return the blocks of plain text, a page of HTML, a web archive (MHTML), or RTF.

    Raises:
        RecognitionFailed: it is none of these.
        DocumentUnreadable: the parts of an archive are nested too deeply.
    """
    if content.startswith(b"{\\rtf"):
        return list(rtf_blocks(content))
    encoding = encoding_of(io.BytesIO(content))
    if encoding is None:
        raise RecognitionFailed(OTHER_KIND)
    start = content[: 4 * START_CHARACTERS].decode(encoding, "replace")[:START_CHARACTERS]
    match format_of_text(start, _SUFFIXES.get(suffix.lower(), ".html")):
        case "html":
            return html_blocks(content.decode(page_encoding(io.BytesIO(content)), "replace"))
        case "eml":
            return archive_blocks(content)
        case "txt":
            return list(text_blocks(content.decode(encoding, "replace")))
        case _:
            raise RecognitionFailed(OTHER_KIND)


def _lines(blocks: Iterable[Block]) -> list[str]:
    lines = (line for block in blocks for line in (block.header, *block.text.split("\n")))
    return [line for line in lines if line]
