"""Mark the pictures of an OpenDocument file in its text."""

import re
from collections.abc import Iterable

from indexing.partition.office.package_xml import Element
from indexing.partition.office.pictures import Album, ShownPicture
from indexing.partition.open_document.names import DRAW, FO, STYLE, SVG, TABLE, XLINK_HREF
from indexing.partition.word.pictures import POINTS

_READ_THEMSELVES = (f"{DRAW}object", f"{TABLE}table")
_LENGTH = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?)(pt|in|cm|mm|px|pc)")
_NOT_READ = (".svg", ".svgz", ".svm")  # Programs put a picture of its pixels beside it.


def mark_of(image: Element, album: Album) -> str:
    """Return the mark for a picture in its frame, "" for none.

    A frame may hold the same picture in several forms, of which one is read; none beside a chart or
    a table, which are read themselves. What is linked, and not in the package, is not fetched.
    """
    frame = image.getparent()
    if frame is None or any(frame.find(tag) is not None for tag in _READ_THEMSELVES):
        return ""
    forms = (one for one in frame.iterchildren(f"{DRAW}image") if _can_be_read(one, album))
    if image is not next(forms, None):
        return ""
    width, height = (points(frame.get(f"{SVG}{side}", "")) for side in ("width", "height"))
    return album.mark(ShownPicture(_member(image), width, height))


def page_size(styles: Iterable[Element]) -> float:
    """Return how large the first page is whose size is stated, in square points; 0 if none is."""
    for part in styles:
        for layout in part.iter(f"{STYLE}page-layout-properties"):
            sides = (layout.get(f"{FO}page-{side}", "") for side in ("width", "height"))
            width, height = map(points, sides)
            if width and height:
                return width * height
    return 0.0


def points(length: str) -> float:
    """Return a length in points, 0 for what is none."""
    found = _LENGTH.fullmatch(length)
    return float(found[1]) * POINTS[found[2]] if found else 0.0


def _can_be_read(image: Element, album: Album) -> bool:
    member = _member(image)
    return member in album.members and not member.lower().endswith(_NOT_READ)


def _member(image: Element) -> str:
    return str(image.get(XLINK_HREF, "")).removeprefix("./")
