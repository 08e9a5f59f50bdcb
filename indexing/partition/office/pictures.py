"""Read the pictures in an office document where they stand.

While the text is taken out of the document, a character that no script has stands for each picture.
When a page is iterated, what is recognised in its pictures, or written in its drawings, takes the
place of their characters.
"""

import hashlib
import io
import itertools
import re
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from PIL import Image

from indexing.drawing import FigureMaker
from indexing.ocr import OUT_OF_MEMORY, RecognitionFailed
from indexing.ocr_models import Picture
from indexing.partition.office.time_to_look import OVER, TIME_TO_LOOK
from indexing.partition.office.zip_names import open_zip
from indexing.partition.pdf.pictures import (
    MIN_PICTURE_PIXELS,
    MIN_PICTURE_POINTS,
    MIN_PICTURE_SHARE,
)
from indexing.partition.pdf.view import MAX_REMEMBERED, MIN_LETTERS
from indexing.partition.pictures.check import MAX_PIXELS
from indexing.partition.pictures.device_context import MetafileUnreadable
from indexing.partition.pictures.image import picture_of
from indexing.partition.pictures.metafile import is_metafile, read_metafile
from indexing.partition.pictures.upright import DAMAGED
from indexing.partition.text import clean_line
from indexing.types import NO_PAGE, Block, BlockKind, Page, ReadBy
from indexing.visual_layer import (
    PlacedFigure,
    VisibleText,
    on_page,
    read_picture,
    unknown_letters,
)

FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP", "DIB")

PICTURES_AT_A_TIME = 2
"""Of a text without pages; after so many, what was read is handed on. A full one takes up to half a
minute where several documents are read at once, and all of them have the time that one page has.
Those that were shown before do not count: they are remembered.
"""

MAX_CELL_CHARACTERS = 200
"""A picture in a table with more text than this is no value of its cell, and follows the table."""

MIN_LETTERS_AGAIN = 40
"""What an earlier page shows too, with less text than this, is the logo of the house."""

NO_FIGURE = PlacedFigure(b"", 0, 0, 0, 0)

# Private use: no letters, so that the search for the page of a text does not see them. Where a
# document has one of its own, it shows the picture of that number once more.
_FIRST, _LAST = 0xF0000, 0xFFFFD
_MARK = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")
_DAMAGED = (*DAMAGED, RuntimeError, zipfile.BadZipFile, zlib.error)


Seen = list[Block | PlacedFigure]
"""What there is in a picture, in reading order."""


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as a document shows it."""

    member: str  # its name in the package
    width: float  # in points
    height: float
    crop: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """The shares that are cut off at the left, the top, the right and the bottom."""


class Album:
    """The pictures of a document: marked as its text is read, recognised as its pages are."""

    def __init__(self, path: Path | None, sheet_size: float) -> None:
        """Open the package that the pictures are in, if they are in one."""
        # Open until the last page is read, so that a converted file may be deleted meanwhile.
        self._package = open_zip(path) if path else zipfile.ZipFile(io.BytesIO(), "w")
        self._added: dict[str, bytes] = {}
        self._min_size = MIN_PICTURE_SHARE * sheet_size
        self._pictures: list[ShownPicture] = []
        self._marks: dict[ShownPicture, str] = {}
        self._remembered: dict[bytes, VisibleText] = {}
        self._failed: dict[ShownPicture, str] = {}
        self._figures = FigureMaker()

    def __bool__(self) -> bool:
        """Tell whether there are pictures in it."""
        return bool(self._pictures)

    @property
    def members(self) -> Collection[str]:
        """The names in the package of the document."""
        return self._package.NameToInfo.keys()

    def mark(self, shown: ShownPicture) -> str:
        """Return the character for a picture; none for a logo or an icon."""
        is_large = (
            shown.width * shown.height >= self._min_size
            and min(shown.width, shown.height) >= MIN_PICTURE_POINTS
        )
        if not is_large or len(self._pictures) > _LAST - _FIRST:
            return ""
        if shown not in self._marks:
            self._marks[shown] = chr(_FIRST + len(self._pictures))
            self._pictures.append(shown)
        return self._marks[shown]

    def add(self, content: bytes) -> str:
        """Take a picture in that is in no package; return the name that it has from now on."""
        member = hashlib.sha256(content).hexdigest()
        self._added[member] = content
        return member

    def pixels(self, member: str) -> tuple[int, int]:
        """Return how wide and high a picture is that says so itself.

        Raises:
            RecognitionFailed: it does not.
        """
        Image.MAX_IMAGE_PIXELS = None
        with (
            reported(),
            self._opened(member) as file,
            Image.open(file, formats=FORMATS) as image,
        ):
            return image.size

    def close(self) -> None:
        """Close the document; for one whose pages are not asked for."""
        self._package.close()

    def shown(self, block: Block) -> ShownPicture | None:
        """Return the picture that the block stands for, if it stands for one."""
        pictures = self._shown_in(block.text)
        return pictures[0] if len(block.text) == 1 and pictures else None

    def pages(self, pages: Iterable[Page], skip_pages: int) -> Iterator[Page]:
        """Yield the pages behind the first, with what is recognised in their pictures."""
        known: set[ShownPicture] = set()
        handed_on: set[str] = set()
        with self._package:
            parts = itertools.chain.from_iterable(_in_parts(page, handed_on) for page in pages)
            for number, page in enumerate(parts):
                marked = [self._shown_in(f"{block.header}{block.text}") for block in page.blocks]
                if number >= skip_pages:
                    yield self._read(page, marked, known) if any(marked) else page
                known.update(itertools.chain.from_iterable(marked))

    def _opened(self, member: str) -> IO[bytes]:
        added = self._added.get(member)
        return self._package.open(member) if added is None else io.BytesIO(added)

    def _shown_in(self, text: str) -> list[ShownPicture]:
        numbers = [ord(mark) - _FIRST for mark in _MARK.findall(text)]
        return [self._pictures[number] for number in numbers if number < len(self._pictures)]

    def _read(
        self, page: Page, marked: Sequence[list[ShownPicture]], known: set[ShownPicture]
    ) -> Page:
        has_text = any(map(_has_words, page.blocks))
        looks = _Looks(known, is_scan=not has_text)
        TIME_TO_LOOK.begin_page()
        self._figures.begin_page()
        content: Seen = []
        for block, pictures in zip(page.blocks, marked, strict=True):
            seen = [self._look(shown, looks) for shown in pictures]
            content += self._with_seen(block, seen) if seen else [block]
            if page.number == NO_PAGE:
                known.update(pictures)  # As on an earlier page, of which there are none.
        blocks, figures = on_page(content)
        warning = looks.warning(page.number, is_empty=not content)
        return replace(
            page,
            blocks=blocks,
            figures=figures,
            read_by=looks.read_by(),
            pictures=sum(map(len, marked)),
            warning="; ".join(filter(None, (page.warning, warning))),
        )

    def _with_seen(self, block: Block, seen: Sequence[Seen]) -> Iterator[Block | PlacedFigure]:
        """Yield what was seen in place of its marks; long texts follow the table they are in."""
        if block.kind is not BlockKind.TABLE:
            yield from itertools.chain.from_iterable(seen)
            return
        yield from (one for part in seen for one in part if isinstance(one, PlacedFigure))
        words = [[one for one in part if isinstance(one, Block)] for part in seen]
        values = [_value(blocks) for blocks in words]
        texts = iter(values)
        marks = set(self._marks.values())

        def filled(cells: str) -> str:
            return _MARK.sub(lambda mark: next(texts) if mark[0] in marks else mark[0], cells)

        header = filled(block.header).rstrip(" |")
        rows = [row.rstrip(" |") for row in filled(block.text).split("\n")]
        rows = [row for row in rows if row.strip(" |")]
        if rows or header.strip(" |"):
            yield replace(block, header=header, text="\n".join(rows))
        for blocks, value in zip(words, values, strict=True):
            if not value:
                yield from blocks

    def _look(self, shown: ShownPicture, looks: "_Looks") -> Seen:
        """Return what there is in the picture, and note how it went."""
        if TIME_TO_LOOK.is_over():
            looks.failures.append(OVER)
            return []
        if shown in self._failed:
            looks.failures.append(self._failed[shown])
            return []
        seen: Seen = []
        try:
            with TIME_TO_LOOK.looking():
                self._see(shown, looks, seen)
        except (RecognitionFailed, MetafileUnreadable) as error:
            looks.failures.append(str(error))
            if not seen:
                self._failed[shown] = str(error)
        return seen

    def _see(self, shown: ShownPicture, looks: "_Looks", seen: Seen) -> None:
        """Add what there is in the picture.

        Raises:
            RecognitionFailed, MetafileUnreadable: not all of it can be read.
        """
        with reported():
            with self._opened(shown.member) as file:
                content = file.read()
            drawing = read_metafile(content) if is_metafile(content) else None
        if drawing is not None:
            seen += _written(drawing.blocks, shown, looks)
            content = drawing.bitmap
        if content:
            seen += self._recognized(content, shown, looks)
        looks.without_content += drawing is not None and not (drawing.blocks or seen)

    def _recognized(self, content: bytes, shown: ShownPicture, looks: "_Looks") -> Seen:
        visible, figure = self._visible(content, shown, looks)
        looks.has_unknown_letters |= visible.has_unknown_letters
        words = [placed.block for placed in visible.blocks]
        if _count_letters(words) < (MIN_LETTERS_AGAIN if shown in looks.known else MIN_LETTERS):
            return [figure] if figure.image else []
        looks.recognized += 1
        at = visible.figure_position
        return [*words[:at], *([figure] if figure.image else []), *words[at:]]

    def _visible(
        self, content: bytes, shown: ShownPicture, looks: "_Looks"
    ) -> tuple[VisibleText, PlacedFigure]:
        """Return what is recognised in the picture, and its figure when it is first looked at.

        Raises:
            RecognitionFailed: it is damaged or too large, or memory gave out.
        """
        key = hashlib.sha256(repr(shown.crop).encode() + content).digest()
        if key in self._remembered:
            return self._remembered[key], NO_FIGURE
        with reported():
            picture = _cropped(_pixels(content), shown.crop)
        if len(self._remembered) >= MAX_REMEMBERED:
            self._remembered.clear()
        is_tiny = picture.shape[0] * picture.shape[1] < MIN_PICTURE_PIXELS
        visible = VisibleText((), 0) if is_tiny else read_picture(picture)
        self._remembered[key] = visible
        if visible.figure is None or shown in looks.known:
            return visible, NO_FIGURE
        # Of a page that is a picture only its figure is taken, of a picture on a page all of it.
        box = visible.figure if looks.is_scan else None
        image = self._figures.make(picture, visible.quarter_turns, box)
        return visible, replace(NO_FIGURE, image=image)


def parted_at_marks(block: Block) -> Iterator[Block]:
    """Yield the block and the pictures marked in it one by one; a table keeps them in its cells.

    What stands within a line follows it, so that no sentence is torn apart.
    """
    if block.kind is BlockKind.TABLE or not _MARK.search(block.text):
        yield block
        return
    lines: list[str] = []
    for line in block.text.split("\n"):
        marks = [replace(block, kind=BlockKind.TEXT, text=mark) for mark in _MARK.findall(line)]
        text = _MARK.sub("", line).strip()
        is_behind = bool(text) and not _MARK.match(line.strip())
        if is_behind:
            lines.append(text)
        if marks:
            yield from _joined(block, lines)
            lines = []
            yield from marks
        if text and not is_behind:
            lines.append(text)
    yield from _joined(block, lines)


def without_marks(text: str, known: set[str]) -> str:
    """Return the text without the marks that are known already, and know them all from now on."""
    marks = set(_MARK.findall(text))
    kept = "".join(character for character in text if character not in marks & known)
    known |= marks
    return kept.strip()


@dataclass(slots=True)
class _Looks:
    """How it went with the pictures of a page."""

    known: set[ShownPicture]  # from the pages before
    is_scan: bool  # there is nothing but pictures on it
    recognized: int = 0
    written: int = 0  # drawings with text in them
    without_content: int = 0  # drawings in which there is nothing to read
    has_unknown_letters: bool = False
    failures: list[str] = field(default_factory=list)

    def read_by(self) -> ReadBy:
        if self.is_scan and not self.written:
            return ReadBy.OCR
        return ReadBy.MIXED if self.recognized else ReadBy.TEXT

    def warning(self, number: int, *, is_empty: bool) -> str:
        where = "" if number == NO_PAGE else f" on page {number}"
        if self.failures:
            return f"{len(self.failures)} of the pictures{where} cannot be read: {self.failures[0]}"
        if self.has_unknown_letters:
            return unknown_letters(number)
        if self.without_content and is_empty:
            return f"nothing{where} is read: there is no text in its drawings (EMF, WMF)"
        return ""


def _value(blocks: Sequence[Block]) -> str:
    """Return the text as it fits into a cell, "" if it does not."""
    if any(block.kind is BlockKind.TABLE for block in blocks):
        return ""
    text = clean_line(" ".join(block.text for block in blocks))
    return text if len(text) <= MAX_CELL_CHARACTERS and "|" not in text else ""


def _in_parts(page: Page, handed_on: set[str]) -> Iterator[Page]:
    """Yield a text of which no page is known in pieces, so that reading its pictures moves on.

    The marks in it are added to those that were handed on.
    """
    if page.number != NO_PAGE:
        yield page
        return
    start, new = 0, set[str]()
    for number, block in enumerate(page.blocks):
        new.update(mark for mark in _MARK.findall(block.text) if mark not in handed_on)
        if len(new) >= PICTURES_AT_A_TIME:
            yield replace(page, blocks=page.blocks[start : number + 1])
            handed_on |= new
            start, new = number + 1, set()
            page = replace(page, warning="")  # It was said.
    if start < len(page.blocks) or not page.blocks:
        yield replace(page, blocks=page.blocks[start:])


def _joined(block: Block, lines: list[str]) -> Iterator[Block]:
    if lines:
        yield replace(block, text="\n".join(lines))


def _has_words(block: Block) -> bool:
    return any(character.isalnum() for character in block.header + block.text)


def _count_letters(blocks: Sequence[Block]) -> int:
    return sum(map(str.isalnum, "".join(block.header + block.text for block in blocks)))


def _written(blocks: Sequence[Block], shown: ShownPicture, looks: _Looks) -> Seen:
    """Return the text of a drawing, but the little that an earlier page has shown."""
    if _count_letters(blocks) < (MIN_LETTERS_AGAIN if shown in looks.known else 1):
        return []
    looks.written += 1
    return list(blocks)


@contextmanager
def reported() -> Iterator[None]:
    """Say of what cannot be read why.

    Raises:
        RecognitionFailed: so it is.
    """
    try:
        yield
    except MemoryError as error:
        raise RecognitionFailed(OUT_OF_MEMORY) from error
    except _DAMAGED as error:
        raise RecognitionFailed("it is damaged") from error


def _pixels(content: bytes) -> Picture:
    # Pillow would warn of pictures far smaller than the largest that is read.
    Image.MAX_IMAGE_PIXELS = None
    with Image.open(io.BytesIO(content), formats=FORMATS) as image:
        if image.width * image.height > MAX_PIXELS:
            raise RecognitionFailed(f"it has more than {MAX_PIXELS:,} pixels")
        return picture_of(image)


def _cropped(picture: Picture, crop: tuple[float, float, float, float]) -> Picture:
    height, width = picture.shape[:2]
    left, top, right, bottom = crop
    return picture[
        round(top * height) : round((1 - bottom) * height),
        round(left * width) : round((1 - right) * width),
    ]
