"""Mark the pictures in a part of a Word document in its text."""

import re
from collections.abc import Mapping

from indexing.partition.office.package_xml import Element
from indexing.partition.office.pictures import Album, ShownPicture
from indexing.partition.word.elements import VISIBLE, T

A4_POINTS = 595.0 * 842.0
EMU_PER_POINT = 12_700
POINTS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 0.75, "pc": 12.0}
"""How many points the units have in which lengths are said."""

SHARE = 100_000  # what a crop is counted in

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_WPG = "{http://schemas.microsoft.com/office/word/2010/wordprocessingGroup}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_V = "{urn:schemas-microsoft-com:vml}"

_LENGTH = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d+(?:\.\d+)?)(pt|in|cm|mm|px|pc)\b")


def mark_pictures(root: Element, members: Mapping[str, str], album: Album) -> None:
    """Put the mark of each picture behind the drawing that shows it."""
    behind: dict[Element, Element] = {}
    for picture in list(root.iter(f"{_A}blip", f"{_V}imagedata")):
        member = members.get(picture.get(f"{_R}embed") or picture.get(f"{_R}id") or "")
        drawing = next(picture.iterancestors(*VISIBLE), None)
        if member is None or drawing is None:
            continue
        if mark := album.mark(_shown(picture, member)):
            text = root.makeelement(T)
            text.text = mark
            behind.get(drawing, drawing).addnext(text)
            behind[drawing] = text


def crop_of(blip: Element) -> tuple[float, float, float, float]:
    """Return the shares of the picture that are not shown."""
    cut = blip.getparent().find(f"{_A}srcRect")
    if cut is None:
        return 0.0, 0.0, 0.0, 0.0
    left, top, right, bottom = (_share(cut.get(side, "")) for side in "ltrb")
    return left, top, right, bottom


def _shown(picture: Element, member: str) -> ShownPicture:
    if picture.tag == f"{_V}imagedata":
        return ShownPicture(member, *_size_in_vml(picture))
    return ShownPicture(member, *_size(picture), crop_of(picture))


def _size(blip: Element) -> tuple[float, float]:
    frame = next(blip.iterancestors(f"{_WP}inline", f"{_WP}anchor"), None)
    extent = None if frame is None else frame.find(f"{_WP}extent")
    width, height = _points(extent, "cx"), _points(extent, "cy")
    if next(blip.iterancestors(f"{_WPG}wgp"), None) is None:
        return width, height
    # The frame is that of a group of several; each says its own size.
    places = (one.find(f".//{_A}xfrm/{_A}ext") for one in blip.iterancestors())
    own = next((place for place in places if place is not None), None)
    return min(width, _points(own, "cx")), min(height, _points(own, "cy"))


def _size_in_vml(picture: Element) -> tuple[float, float]:
    """Return the size that the nearest shape around the picture has in real units."""
    for shape in picture.iterancestors():
        lengths = _LENGTH.findall(shape.get("style", ""))
        points = {side: float(number) * POINTS[unit] for side, number, unit in lengths}
        if len(points) == 2:
            return points["width"], points["height"]
    return 0.0, 0.0


def _points(extent: Element | None, side: str) -> float:
    value = "" if extent is None else extent.get(side, "")
    return int(value) / EMU_PER_POINT if value.isdecimal() and len(value) < 10 else 0.0


def _share(value: str) -> float:
    """Return a share from 0 to 1; a negative one is a margin, which hides nothing."""
    return min(int(value), SHARE) / SHARE if value.isdecimal() and len(value) < 10 else 0.0
