"""Find out in which encoding a file holds text, or that it holds none."""

import codecs
import contextlib
import re
from pathlib import Path
from typing import BinaryIO

from indexing.partition.texts.code_pages import guess_encoding

SAMPLE_BYTES = 1 << 16
CHUNK_BYTES = 1 << 20
# Logs may hold a bell or an escape now and then; binary data is full of such bytes.
MAX_CONTROL_SHARE = 0.002
# Letters of one script share the first of the two bytes that UTF-16 writes of each.
MAX_UTF16_HIGH_BYTES = 0.8
MIN_UTF32_BYTES = 16

_CONTROLS = bytes(n for n in range(32) if n not in b"\t\n\v\f\r\x1a\x1b") + b"\x7f"
# A letter printed over another one, as in pages of manuals.
_STRUCK_OVER = re.compile(rb"(?<=[!-~\x80-\xff])\x08(?=[!-~\x80-\xff])")
_BAD_CHARACTER = re.compile("[\x00-\x08\x0e-\x19\x1c-\x1f\x7f\ufffd]")
# Not printable, but part of text: soft hyphens, joiners, marks of direction, zero-width spaces.
_INVISIBLE = "\xad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff\x1a"
# Their characters are too many to share a first byte. What stands between them has zeros too.
_EAST_ASIAN_TEXT = re.compile(
    "[\t\n\r -~\u2010-\u2027\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffee]+"
)
# Of names in the Internet and of Python's own use. The first two take for ever over a long text.
_NO_CHARSETS = {"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"}

_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# In a mail it stands before the body. What then switches to Hangul and back are controls.
_HANGUL_MARK = b"\x1b$)C"


def text_encoding(path: Path) -> str | None:
    """Return the encoding of a text file, None for a file that is not text.

    A text of millions of good UTF-8 letters and a few bad bytes is still UTF-8, so the text is
    to be decoded with `errors="replace"`.
    """
    with path.open("rb") as file:
        return encoding_of(file)


def encoding_of(file: BinaryIO) -> str | None:
    """Return the same of an open file, from its beginning on."""
    start = file.read(SAMPLE_BYTES)
    if marked := _encoding_of_mark(start):
        return marked if _is_text(start.decode(marked, "replace")) else None
    file.seek(0)
    size = controls = 0
    doubtful = b""
    decoder = codecs.getincrementaldecoder("utf-8")()
    last = b""
    while chunk := file.read(CHUNK_BYTES):
        last = chunk
        size += len(chunk)
        controls += len(chunk) - len(chunk.translate(None, _CONTROLS))
        controls -= len(_STRUCK_OVER.findall(chunk)) if b"\b" in chunk else 0
        if b"\0" in chunk or controls > max(2, MAX_CONTROL_SHARE * size):
            return None
        doubtful = doubtful or _first_doubt(decoder, chunk)
    if b"\x1b$" in start:
        return "iso2022_jp"
    doubtful = doubtful or _doubtful_end(decoder, last)
    return guess_encoding(doubtful) if doubtful else "utf-8"


def text_codec(name: str) -> str:
    """Return what Python calls the encoding that a document says it is in, "" for none of text."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    return codec.name if codec._is_text_encoding and codec.name not in _NO_CHARSETS else ""


def _encoding_of_mark(start: bytes) -> str | None:
    for mark, encoding in _MARKS.items():
        if start.startswith(mark):
            return encoding
    if _HANGUL_MARK in start:
        return "iso2022_kr"
    # Some programs write UTF-16 without its mark; of text in it at least the line ends have zeros.
    return _unmarked_utf32(start) or _unmarked_utf16(start) if b"\0" in start else None


def _unmarked_utf32(start: bytes) -> str | None:
    if len(start) < MIN_UTF32_BYTES:
        return None
    for order in ("utf-32-le", "utf-32-be"):
        # The sample is not cut within a character, and hardly any other bytes are good UTF-32.
        with contextlib.suppress(UnicodeDecodeError):
            if _is_printable(start.decode(order)):
                return order
    return None


def _unmarked_utf16(start: bytes) -> str | None:
    half = len(start) // 2
    if half <= 8:
        return None
    # The last character may be cut in two.
    whole = start[: 2 * half - 2]
    evens, odds = (len(set(start[n::2])) for n in (0, 1))
    if min(evens, odds) <= MAX_UTF16_HIGH_BYTES * max(evens, odds):
        encoding = "utf-16-be" if evens < odds else "utf-16-le"
        if _is_printable(whole.decode(encoding, "replace")):
            return encoding
    for order in ("utf-16-le", "utf-16-be"):
        if _EAST_ASIAN_TEXT.fullmatch(whole.decode(order, "replace")):
            return order
    return None


def _is_printable(text: str) -> bool:
    return all(one.isprintable() or one.isspace() or one in _INVISIBLE for one in text)


def _is_text(text: str) -> bool:
    bad = len(_BAD_CHARACTER.findall(text))
    return bad <= max(2, MAX_CONTROL_SHARE * len(text)) and "\0" not in text


def _first_doubt(decoder: codecs.IncrementalDecoder, chunk: bytes) -> bytes:
    """Return the part of the chunk from a little before the first byte that is not UTF-8."""
    try:
        decoder.decode(chunk)
    except UnicodeDecodeError as error:
        decoder.reset()
        # Positions count from what was left over of the chunk before.
        return chunk[max(0, error.start - 1000) :][:SAMPLE_BYTES]
    return b""


def _doubtful_end(decoder: codecs.IncrementalDecoder, last: bytes) -> bytes:
    """Return the end of the last chunk if a letter of one byte stands there alone, b"" if not.

    It may look like the first byte of a character of UTF-8. Behind others of them it is one, cut.
    """
    left_over = decoder.getstate()[0]
    if not left_over or not last.removesuffix(left_over).isascii():
        return b""
    return last[-SAMPLE_BYTES:]
