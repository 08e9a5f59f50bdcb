"""Tell a page that is blank from one whose content is damaged, which PDFium draws as blank."""

import base64
import io
import itertools
import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise

import pypdfium2

from indexing.partition.pdf.pictures import has_lost_pictures
from indexing.partition.pictures.jpeg_codes import lacks_codes

MOST_BITS_OF_A_ROW = (1 << 31) - 8
"""PDFium unpacks nothing that it is told has rows of more bits."""

MAX_DECODED_BYTES = 64 << 20
"""What stands behind so much is not looked at."""

_TABLE_AT = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*\Z")
_OFFSET = re.compile(rb"(\d{10}) \d{5} [nf]")
_PAGE = re.compile(rb"/Type */Page\b")
_CONTENTS = re.compile(rb"/Contents *(\[[^\]]*\]|\d+ 0 R)")
_REFERENCE = re.compile(rb"(?<!\d)(\d{1,10}) 0 R")
_FILTERS = re.compile(rb"/Filter *(\[[^\]]*\]|/\w+)")
_ROW = re.compile(rb"/(Columns|Colors|BitsPerComponent) (-?\d+)")
_LENGTH = re.compile(rb"/Length (\d+)")
_STREAM = b">>stream\r\n"
_PICTURE = re.compile(rb"/Subtype */Image\b")
_SIDE = re.compile(rb"/(Width|Height|BitsPerComponent) (\d+)")
_DRAWN = re.compile(rb"/([\w.-]+)\s+Do\b")
_FONT = re.compile(rb"/([\w.-]+)\s+[\d.-]+\s+Tf\b")
_SHAPES = re.compile(rb"/Length1\b|/Subtype */(?:Type1C|CIDFontType0C|OpenType)\b")
_AT_ONCE = 1 << 14  # bytes, of which those before damage are lost


def is_damaged(pdf: pypdfium2.PdfDocument, index: int, *, is_broken: bool = False) -> bool:
    """Tell whether what draws the page cannot be decoded to its end, or a picture is lost.

    A picture is if it hardly begins, cannot be decoded at all, or is not in the file. All that is
    told as far as it is known. Of a file that is broken, whatever is not whole or not there counts.

    PDFium draws what stands before the damage, and does not say that there is any. It has no way
    to the bytes of a page either, but writes them as they are into a file of this page alone: not
    encrypted, and its objects where the table at the end says.
    """
    try:
        alone = _written_alone(pdf, index)
    except pypdfium2.PdfiumError:
        return False
    objects = _objects(alone)
    drawing, pictures = list(_streams(objects)), _pictures(objects)
    if is_broken and _lacks_parts(objects, drawing):
        return True
    return not (
        all(_has_rows(one.head) and _decodes(one.filters, one.content) for one in drawing)
        and all(map(_is_seen, pictures))
        and all(_is_there(name, objects) for one in drawing for name in _named_in(one, _DRAWN))
        and not has_lost_pictures(pdf[index])
    )


@dataclass(frozen=True, slots=True)
class _Packed:
    """A stream that is packed."""

    head: bytes  # what is said of it
    filters: list[bytes]
    content: bytes


def _lacks_parts(objects: Mapping[int, bytes], drawing: Sequence[_Packed]) -> bool:
    """Tell whether the page has nothing to draw it by, or a font or a stream is lost.

    PDFium leaves out what is not in the file. The shapes of letters say nothing.
    """
    packed = itertools.chain.from_iterable(map(_packed, objects.values()))
    return (
        _CONTENTS.search(_page_in(objects)) is None
        or not all(_decodes(one.filters, one.content) for one in packed if not _is_shapes(one))
        or not all(_is_named(name, objects) for one in drawing for name in _named_in(one, _FONT))
    )


def _is_shapes(one: _Packed) -> bool:
    return _SHAPES.search(one.head) is not None


def _is_named(name: bytes, objects: Mapping[int, bytes]) -> bool:
    named = re.compile(rb"/%b *(?:<<|\d+ 0 R)" % re.escape(name))
    return any(named.search(written.partition(_STREAM)[0]) for written in objects.values())


def _written_alone(pdf: pypdfium2.PdfDocument, index: int) -> bytes:
    written = io.BytesIO()
    with closing(pypdfium2.PdfDocument.new()) as alone:
        alone.import_pages(pdf, [index])
        alone.save(written)
    return written.getvalue()


def _streams(objects: Mapping[int, bytes]) -> Iterator[_Packed]:
    """Yield what draws the page."""
    contents = _CONTENTS.search(_page_in(objects))
    numbers = _references(contents[1]) if contents else []
    if len(numbers) == 1 and _STREAM not in objects.get(numbers[0], b""):
        numbers = _references(objects.get(numbers[0], b""))  # The list is an object of its own.
    for number in numbers:
        yield from _packed(objects.get(number, b""))


def _page_in(objects: Mapping[int, bytes]) -> bytes:
    return next(filter(_PAGE.search, objects.values()), b"")


def _pictures(objects: Mapping[int, bytes]) -> Iterator[_Packed]:
    for written in objects.values():
        yield from (one for one in _packed(written) if _PICTURE.search(one.head))


def _packed(written: bytes) -> Iterator[_Packed]:
    """Yield what an object holds, if that is packed."""
    head, _, body = written.partition(_STREAM)
    filters, length = _FILTERS.search(head), _LENGTH.search(head)
    if filters and length:
        yield _Packed(head, re.findall(rb"/(\w+)", filters[1]), body[: int(length[1])])


def _objects(file: bytes) -> dict[int, bytes]:
    """Return the objects of a file that PDFium has written, by their numbers."""
    found = _TABLE_AT.search(file, max(0, len(file) - 64))
    table = int(found[1]) if found else len(file)
    offsets = [int(offset) for offset in _OFFSET.findall(file, table)]
    return {
        number: file[start:end]
        for number, (start, end) in enumerate(pairwise([*offsets, table]))
        if start
    }


def _before_end(content: bytes) -> bytes:
    """Return what stands before the mark at which base 85 ends, `~>`, or what there is of it."""
    marked = content.rstrip().removesuffix(b">").rstrip()
    return marked[:-1] if marked.endswith(b"~") else content


def _references(text: bytes) -> list[int]:
    return [int(number) for number in _REFERENCE.findall(text)]


def _has_rows(head: bytes) -> bool:
    """Tell whether the rows that the bytes are said to make up are of a size PDFium unpacks."""
    sides = {"BitsPerComponent": 8} | {name.decode(): int(n) for name, n in _ROW.findall(head)}
    return min(sides.values()) > 0 and math.prod(sides.values()) <= MOST_BITS_OF_A_ROW


def _is_seen(picture: _Packed) -> bool:
    """Tell whether half of a picture can be inflated; PDFium draws what there is."""
    if picture.filters != [b"FlateDecode"]:
        return True
    sides = dict(_SIDE.findall(picture.head))
    least = math.prod(int(side) for side in sides.values()) // 8 // 2
    return _inflates(picture.content, enough=least)


def _named_in(one: _Packed, naming: re.Pattern[bytes]) -> set[bytes]:
    """Return the names of the pictures and forms, or of the fonts, that it is drawn with."""
    if one.filters != [b"FlateDecode"]:
        return set()
    content = zlib.decompressobj().decompress(one.content, MAX_DECODED_BYTES)
    return set(naming.findall(content))


def _is_there(name: bytes, objects: Mapping[int, bytes]) -> bool:
    """Tell whether anything says that a stream has this name."""
    named = re.compile(rb"/%b (\d+) 0 R" % re.escape(name))
    heads = (written.partition(_STREAM)[0] for written in objects.values())
    return any(
        _STREAM in objects.get(int(number), b"") for head in heads for number in named.findall(head)
    )


def _decodes(filters: list[bytes], content: bytes) -> bool:
    """Tell whether the bytes can be decoded to their end; of rare filters that is taken for so."""
    for name in filters:
        if name in (b"ASCII85Decode", b"A85"):
            try:
                content = base64.a85decode(_before_end(content))
            except ValueError:
                return False
        elif name in (b"DCTDecode", b"DCT"):
            return not lacks_codes(content)
        else:
            return name not in (b"FlateDecode", b"Fl") or _inflates(content)
    return True


def _inflates(content: bytes, enough: int = MAX_DECODED_BYTES) -> bool:
    """Tell whether bytes can be inflated to their end, or so many of them."""
    if not content.strip():
        return True
    decoder = zlib.decompressobj()
    left = min(enough, MAX_DECODED_BYTES)
    rest = content
    try:
        while rest and left > 0 and not decoder.eof:
            left -= len(decoder.decompress(rest, _AT_ONCE))
            rest = decoder.unconsumed_tail
        decoder.flush(1)
    except zlib.error:
        return False
    return decoder.eof or left <= 0
