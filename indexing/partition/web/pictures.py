"""Mark the pictures that a page or a book shows in its text."""

import base64
import binascii
import posixpath
import re
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from indexing.ocr import RecognitionFailed
from indexing.partition.office.pictures import Album, ShownPicture
from indexing.partition.web.book_order import member
from indexing.partition.word.pictures import A4_POINTS

POINTS_PER_PIXEL = 0.75
"""As browsers show a picture whose size is not stated."""

DRAWING = ".svg"

# Only what is marked is told to be damaged.
_SIZE_OF_DAMAGED = 800, 800

_PICTURE = re.compile(r".*\.(?:png|jpe?g|jpe|jfif|gif|bmp|tiff?|webp)", re.IGNORECASE | re.DOTALL)
_ENCLOSED = re.compile(
    r"\s*data:image/(?:png|p?jpe?g|gif|bmp|tiff|webp)(?:;[\w=-]+)?;base64,", re.IGNORECASE
)


def page_album(package: Path | None = None) -> Album:
    """Return an album of a book, or of a page that has its pictures in it."""
    return Album(package, A4_POINTS)


@dataclass(slots=True)
class BookPictures:
    """The pictures that the chapters of a book show."""

    album: Album
    drawing_text: Callable[[str], str]
    """Returns what is written in a drawing (SVG), given its name in the package."""
    _drawn: set[str] = field(default_factory=set)

    def mark(self, chapter: str, address: str) -> str:
        """Return what stands for a picture in a chapter, of a drawing its words, once."""
        if _ENCLOSED.match(address):
            return mark_enclosed(self.album, address)
        name = member(address, posixpath.dirname(chapter))
        if name not in self.album.members:
            return ""
        if is_picture(name):
            return mark_of(name, self.album)
        if not name.lower().endswith(DRAWING) or name in self._drawn:
            return ""
        self._drawn.add(name)
        return f"\n{self.drawing_text(name)}\n"


def mark_enclosed(album: Album, address: str) -> str:
    """Return the mark for a picture that the address itself holds, "" for any other."""
    begin = _ENCLOSED.match(address)
    if not begin:
        return ""
    try:
        content = base64.b64decode(urllib.parse.unquote_to_bytes(address[begin.end() :]))
    except binascii.Error:
        return ""
    return mark_of(album.add(content), album)


def is_picture(name: str) -> bool:
    """Tell whether a file is named as one of a picture that can be read."""
    return bool(_PICTURE.fullmatch(name))


def mark_of(name: str, album: Album) -> str:
    """Return the mark for a picture of the album, "" for a logo or an icon."""
    try:
        width, height = album.pixels(name)
    except RecognitionFailed:
        width, height = _SIZE_OF_DAMAGED
    return album.mark(ShownPicture(name, width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL))
