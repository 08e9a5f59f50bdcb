"""Read RTF, also as Outlook packs it into its mails."""

import itertools
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from striprtf.striprtf import rtf_to_text

from indexing.partition.tables import table_block
from indexing.partition.text import clean_line, document_title
from indexing.partition.texts.plain_text import split_paragraphs, unnumbered_pages
from indexing.partition.texts.rtf_choices import with_choices
from indexing.partition.texts.rtf_formulas import write_out_formulas
from indexing.types import Block, Document

_BINARY = re.compile(rb"(?<!\\)\\bin(?:(\d{1,9})|(?![a-zA-Z])) ?")
_PICTURE = re.compile(r"(?<![0-9a-fA-F\r\n\t ])[0-9a-fA-F\r\n\t ]{256,}")
# What a page is made of, between what a program without HTML shows in its place ([MS-OXRTFEX]).
_SHOWN_INSTEAD = re.compile(r"\\htmlrtf(?!0)1? ?.*?(?:\\htmlrtf0 ?|\Z)", re.DOTALL)
_SAID_WITHIN_BYTES = 1024
_PAGE_TAG = re.compile(r"\{\\\*\\htmltag\d* ?")
_INSTEAD = {
    # The library would leave out the text that stands for an object, and put in addresses of links.
    re.compile(r"\\(?:object|result)(?![a-z])"): "",
    re.compile(r"\\field\{"): r"\\field {",
    # A row ends where a paragraph begins that is in no table, also if it says nothing of its end.
    re.compile(
        r"(\\cell(?![a-z])[\s{}]*)(?=\\pard(?![a-z])"
        r"(?!(?:\\[a-z]++-?\d*+ ?+|[\s{}])*?\\(?:intbl|trowd|row)(?![a-z])))"
    ): r"\1\\row",
}
# Of before there were numbers of code pages; the library looks for those alone.
_ENCODINGS = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_ENCODING = re.compile(r"\\(mac|pca?)(?![a-z])")
_NOT_ASCII = re.compile("[\x80-\xff]")
# A font that does not say which letters it has is taken by the library for one with the next.
_FONTS = re.compile(r"\{\\fonttbl(?>(?:[^{}]|\{(?>(?:[^{}]|\{[^{}]*+\})*)\})*)\}")
_FONT_OF_ANY = re.compile(r"\{\\f\d++(?>(?:(?!\\fcharset)[^;{}])*);\}")
_MARK = re.compile(r"\\[\\{}]|[{}]|\\(v|deleted|plain)(0?)(?![a-zA-Z0-9])")
_TITLE = re.compile(r"\{\\title ([^{}\\]*)\}")

# What every packed text may refer back to, from its first letter on ([MS-OXRTFCP]).
_DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_WINDOW = 4096
_PACKED = 0x75465A4C
_HEADER = struct.Struct("<4I")


def open_rtf(path: Path) -> Document:
    """Open the text; its pages are known to a word processor only."""
    rtf = path.read_bytes()
    title = _TITLE.search(rtf[: 1 << 16].decode("latin-1"))
    return Document(document_title(title[1] if title else ""), 0, unnumbered_pages(rtf_blocks(rtf)))


def rtf_blocks(rtf: bytes) -> Iterator[Block]:
    """Yield the paragraphs and tables of an RTF text."""
    # Pictures stand in it digit by digit and would be gone through letter by letter.
    source = _PICTURE.sub(
        "", _without_binary(with_choices(write_out_formulas(rtf))).decode("latin-1")
    )
    source = _NOT_ASCII.sub(lambda letter: f"\\'{ord(letter[0]):02x}", source)
    source = _FONTS.sub(lambda fonts: _FONT_OF_ANY.sub("", fonts[0]), source)
    for what, instead in _INSTEAD.items():
        source = what.sub(instead, source)
    said = _ENCODING.search(source[:_SAID_WITHIN_BYTES])
    encoding = _ENCODINGS[said[1]] if said else "cp1252"
    text = rtf_to_text(  # type: ignore[no-untyped-call]  # no types in it
        _shown(source), encoding, errors="replace"
    )
    for is_row, lines in itertools.groupby(text.splitlines(keepends=True), key=_is_row):
        if is_row:
            cells = [[clean_line(cell) for cell in line.split("|")[:-1]] for line in lines]
            yield from filter(None, [table_block(cells)])
        else:
            yield from split_paragraphs(_apart(lines))


def page_in_rtf(packed: bytes) -> str:
    """Return the HTML that Outlook has wrapped in the packed RTF text of a mail, "" if it has not.

    Raises:
        ValueError: it is not packed as Outlook packs it.
    """
    # Other text may be long for its pictures, and is not unpacked for nothing.
    if b"\\fromhtml" not in decompress(packed[:_SAID_WITHIN_BYTES]):
        return ""
    source = _SHOWN_INSTEAD.sub("", decompress(packed).decode("latin-1"))
    page = rtf_to_text(_PAGE_TAG.sub("{", source), errors="replace")  # type: ignore[no-untyped-call]
    return str(page)


def decompress(packed: bytes) -> bytes:
    """Unpack the RTF text of an Outlook mail.

    Raises:
        ValueError: it is not packed as Outlook packs it.
    """
    if len(packed) < _HEADER.size:
        raise ValueError("the text of the mail is cut off")
    _, size, packing, _ = _HEADER.unpack_from(packed)
    if packing != _PACKED:
        return packed[_HEADER.size :][:size]
    window = bytearray(_DICTIONARY.ljust(_WINDOW, b"\0"))
    text = bytearray()
    place = len(_DICTIONARY)
    rest = iter(packed[_HEADER.size :])
    for flags in rest:
        for bit in range(8):
            piece = _next_piece(rest, flags >> bit & 1, window, place)
            if not piece:
                return bytes(text)
            text += piece
            for byte in piece:
                window[place % _WINDOW] = byte
                place += 1
    return bytes(text)


def _without_binary(rtf: bytes) -> bytes:
    parts, place = [], 0
    for mark in _BINARY.finditer(rtf):
        if mark.start() >= place:
            parts.append(rtf[place : mark.start()])
            place = mark.end() + int(mark[1] or 0)
    return b"".join([*parts, rtf[place:]])


def _shown(source: str) -> str:
    """Return the text without what is hidden or was deleted."""
    parts: list[str] = []
    around: list[frozenset[str]] = []
    hiding: frozenset[str] = frozenset()
    place = 0
    for mark in _MARK.finditer(source):
        parts += ["" if hiding else source[place : mark.start()], mark[0]]
        place = mark.end()
        if mark[0] == "{":
            around.append(hiding)
        elif mark[0] == "}":
            hiding = around.pop() if around else hiding
        elif mark[1] == "plain":
            hiding = frozenset()
        elif mark[1]:
            hiding = hiding - {mark[1]} if mark[2] else hiding | {mark[1]}
    return "".join([*parts, source[place:]])


def _next_piece(rest: Iterator[int], is_reference: int, window: bytearray, place: int) -> bytes:
    """Return the next letter, or the next few that stood there before; nothing at the end."""
    pair = bytes(itertools.islice(rest, 2 if is_reference else 1))
    if not is_reference or len(pair) < 2:
        return b"" if is_reference else pair
    start, length = pair[0] << 4 | pair[1] >> 4, (pair[1] & 15) + 2
    if start == place % _WINDOW:
        return b""
    # A reference may reach into the very letters it brings.
    distance = (place - start) % _WINDOW
    known = [window[(start + n) % _WINDOW] for n in range(min(length, distance))]
    return bytes(itertools.islice(itertools.cycle(known), length))


def _is_row(line: str) -> bool:
    return line.rstrip().endswith("|") and line.count("|") > 1


def _apart(lines: Iterator[str]) -> Iterator[str]:
    """Part the lines by blank ones: each is a paragraph of its own."""
    for line in lines:
        yield line
        yield "\n"
