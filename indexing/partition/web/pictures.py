"""Mark the pictures that a page or a book shows in its text."""

import base64
import binascii
import posixpath
import re
import urllib.parse
from collections.abc import Callable
from pathlib import Path

from indexing.ocr import RecognitionFailed
from indexing.partition.office.pictures import Album, ShownPicture
from indexing.partition.web.book_order import member
from indexing.partition.word.pictures import A4_POINTS

POINTS_PER_PIXEL = 0.75
"""As browsers show a picture whose size is not stated."""

# Only what is marked is told to be damaged.
_SIZE_OF_DAMAGED = 800, 800

_PICTURE = re.compile(r".*\.(?:png|jpe?g|jpe|jfif|gif|bmp|tiff?|webp)", re.IGNORECASE | re.DOTALL)
_ENCLOSED = re.compile(
    r"\s*data:image/(?:png|p?jpe?g|gif|bmp|tiff|webp)(?:;[\w=-]+)?;base64,", re.IGNORECASE
)


def page_album(package: Path | None = None) -> Album:
    """Return an album of a book, or of a page that has its pictures in it."""
    return Album(package, A4_POINTS)


def marks_of_chapter(album: Album, chapter: str) -> Callable[[str], str]:
    """Return what marks the pictures that a chapter of a book shows."""
    folder = posixpath.dirname(chapter)

    def mark(address: str) -> str:
        if _ENCLOSED.match(address):
            return mark_enclosed(album, address)
        name = member(address, folder)
        return mark_of(name, album) if is_picture(name) and name in album.members else ""

    return mark


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
