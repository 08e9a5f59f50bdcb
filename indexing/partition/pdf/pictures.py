"""Find what of a PDF page can be read only by looking at it."""

import ctypes
import itertools
import mmap
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf.calls import (
    Answers,
    Loop,
    Numbers,
    Things,
    compiled,
    direct,
    objects_of,
    ready_made,
)

MIN_CHARACTERS = 50
"""A page with less text than this in the file may be a scan with a stamp on it."""

MIN_PICTURE_SHARE = 0.025  # of the page
MIN_SCAN_SHARE = 0.6  # the same
MIN_PICTURE_POINTS = 36
MIN_PICTURE_PIXELS = 60 * 60
OUTLINES = {pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_FORM}
MIN_PATHS = 30
"""Letters drawn as outlines are paths; a page with fewer has frames and rules."""

COVERING_CHARACTERS = 1 / 1000  # for each square point
"""A picture with as much text over it is a scan that was read already, or a background."""

MAX_OBJECTS = 1200
"""Of a page with more objects the first and the last are searched for pictures and rules."""

MAX_OUTLINED = 10_000
"""The same, where many of these are outlines: tables have a frame around each cell there."""

MANY_OUTLINES = 0.25

MAX_FORM_DEPTH = 3
MAX_PICTURES = 200
TOUCHING_POINTS = 1.5

# A picture is a stream, and the dictionary of a stream is never packed or encrypted; but its names
# may be spelt in hexadecimal.
_PICTURE = re.compile(rb"/Subtype\s*/(Image\b|\w*#)")
# With plain numbers for pointers.
_get_object = direct("FPDFPage_GetObject", ctypes.c_void_p)
_get_object_of_form = direct(
    "FPDFFormObj_GetObject", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong
)
_get_bounds = direct("FPDFPageObj_GetBounds", None, ctypes.c_void_p)
_get_type = direct("FPDFPageObj_GetType", ctypes.c_int, ctypes.c_void_p)

_side_answers = Answers(np.float32, 4, loop=compiled("sides_of_objects"))
_objects_of_page = compiled("objects_of_page")


class Drawn(NamedTuple):
    """PDFium's pointers to the objects on a page, good while it is open, and their types."""

    objects: Numbers
    types: Numbers

    def of(self, kind: int) -> Numbers:
        """Return the pointers to those of a type."""
        found: Numbers = self.objects[self.types == kind]
        return found

    def count_of(self, kind: int) -> int:
        """Return how many there are of a type."""
        return int(np.count_nonzero(self.types == kind))


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on the page, in points from its lower left corner."""

    left: float
    bottom: float
    right: float
    top: float
    pixels_per_point: float = 0.0  # of the picture that is drawn there

    @property
    def size(self) -> float:
        return max(0.0, self.right - self.left) * max(0.0, self.top - self.bottom)


def holds_pictures(file: Path | bytes) -> bool:
    """Tell whether any page can have a picture, other than one within what the page draws."""
    if isinstance(file, bytes):
        return _PICTURE.search(file) is not None
    with (
        file.open("rb") as opened,
        mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content,
    ):
        return _PICTURE.search(content) is not None


def has_picture(drawn: Drawn) -> bool:
    """Tell whether a picture is on the page itself, as one is that is written among its text."""
    return bool(drawn.count_of(pdfium.FPDF_PAGEOBJ_IMAGE))


def has_text(text: str) -> bool:
    """Tell whether a page has enough text in the file to be read by it."""
    return len(text.strip()) >= MIN_CHARACTERS


def page_areas(page: pypdfium2.PdfPage, drawn: Drawn, *, garbled: bool = False) -> list[Area]:
    """Return the whole page to look at, unless nothing is drawn on it but a few lines.

    Text that is garbled in the file can only be seen.
    """
    pictures = _pictures(drawn)
    sheet = _sheet(page)
    shown = sum(picture.size for picture in pictures) > MIN_PICTURE_SHARE * sheet.size
    if not (shown or garbled) and sum(map(drawn.count_of, OUTLINES)) < MIN_PATHS:
        return []
    finest = max((picture.pixels_per_point for picture in pictures), default=0.0)
    return [replace(sheet, pixels_per_point=finest)]


def covering_picture(page: pypdfium2.PdfPage, drawn: Drawn) -> Area | None:
    """Return the whole page, if it is the picture of one: a scan."""
    sheet = _sheet(page)
    pictures = _merged([_clipped(picture, sheet) for picture in _pictures(drawn)])
    largest = max(pictures, key=lambda area: area.size, default=None)
    if largest is None or largest.size < MIN_SCAN_SHARE * sheet.size:
        return None
    return replace(sheet, pixels_per_point=largest.pixels_per_point)


def picture_areas(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, drawn: Drawn
) -> list[Area]:
    """Return the large pictures of the page that have little or no text over them."""
    pictures = _pictures(drawn)
    if not pictures:
        return []
    sheet = _sheet(page)
    return [
        area
        for area in _merged([_clipped(picture, sheet) for picture in pictures])
        if area.size >= MIN_PICTURE_SHARE * sheet.size
        and min(area.right - area.left, area.top - area.bottom) >= MIN_PICTURE_POINTS
        and _characters_over(area, textpage) < COVERING_CHARACTERS * area.size
    ]


def has_lost_pictures(page: pypdfium2.PdfPage) -> bool:
    """Tell whether more than a little of the page is covered by pictures PDFium cannot decode."""
    lost = _pictures(drawn_objects(page), only_lost=True)
    return sum(picture.size for picture in lost) > MIN_PICTURE_SHARE * _sheet(page).size


def _sheet(page: pypdfium2.PdfPage) -> Area:
    return Area(*page.get_bbox())


def drawn_objects(page: pypdfium2.PdfPage) -> Drawn:
    """Return what is drawn on the page, of very much the first and the last."""
    count = pdfium.FPDFPage_CountObjects(page)
    return _typed(_get_object, ready_made(page.raw), count, _objects_of_page)


def first_objects(page: pypdfium2.PdfPage, most: int) -> list[int]:
    """Return PDFium's pointers to the first objects on the page, good while it is open."""
    count = min(pdfium.FPDFPage_CountObjects(page), most)
    return list(map(_get_object, itertools.repeat(page.raw), range(count)))


def bounds_of(objects: Things) -> npt.NDArray[np.float64]:
    """Return left, bottom, right and top of each, in points from the lower left corner."""
    return _side_answers.of(_get_bounds, objects)


def _typed(
    get_object: Callable[..., int], holder: object, count: int, loop: Loop | None = None
) -> Drawn:
    """Return objects and their types, of very many the first and the last."""

    def ends(most: int) -> Drawn:
        return Drawn(*objects_of(get_object, _get_type, holder, _ends(count, most), loop))

    drawn = ends(MAX_OBJECTS)
    outlines = drawn.count_of(pdfium.FPDF_PAGEOBJ_PATH)
    are_many = count > MAX_OBJECTS and outlines > MANY_OUTLINES * len(drawn.types)
    return ends(MAX_OUTLINED) if are_many else drawn


def _ends(count: int, most: int) -> Numbers:
    """Return the first and the last of so many numbers, all of them if these are not too many."""
    if count <= most:
        return np.arange(count)
    half = most // 2
    return np.concatenate([np.arange(half), np.arange(count - half, count)])


def _pictures(drawn: Drawn, depth: int = 0, *, only_lost: bool = False) -> list[Area]:
    """Return the pictures, also those within forms, where they stand in what they are drawn on."""
    is_image = drawn.types == pdfium.FPDF_PAGEOBJ_IMAGE
    may_be_some = is_image | (drawn.types == pdfium.FPDF_PAGEOBJ_FORM)
    pictures: list[Area] = []
    for pointer, kind in zip(*(one[may_be_some].tolist() for one in drawn), strict=True):
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            pictures += [] if only_lost and _is_decoded(pointer) else _picture(pointer)
        elif depth < MAX_FORM_DEPTH:
            pictures += _pictures_of_form(pointer, depth, only_lost=only_lost)
        if len(pictures) > MAX_PICTURES:
            break
    return pictures


def _picture(pointer: int) -> list[Area]:
    picture = ctypes.cast(pointer, pdfium.FPDF_PAGEOBJECT)
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    width, height = ctypes.c_uint(), ctypes.c_uint()
    pdfium.FPDFPageObj_GetBounds(picture, left, bottom, right, top)
    pdfium.FPDFImageObj_GetImagePixelSize(picture, width, height)
    area = Area(left.value, bottom.value, right.value, top.value)
    pixels = width.value * height.value
    if not area.size or not pixels:
        return []
    return [replace(area, pixels_per_point=(pixels / area.size) ** 0.5)]


def _is_decoded(pointer: int) -> bool:
    bitmap = pdfium.FPDFImageObj_GetBitmap(ctypes.cast(pointer, pdfium.FPDF_PAGEOBJECT))
    pdfium.FPDFBitmap_Destroy(bitmap)
    return bool(bitmap)


def _pictures_of_form(pointer: int, depth: int, *, only_lost: bool) -> list[Area]:
    form = ctypes.cast(pointer, pdfium.FPDF_PAGEOBJECT)
    count = pdfium.FPDFFormObj_CountObjects(form)
    drawn = _typed(_get_object_of_form, pointer, count)
    pictures = _pictures(drawn, depth + 1, only_lost=only_lost)
    if not pictures:
        return []
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(form, matrix)
    return [_transformed(area, pypdfium2.PdfMatrix.from_raw(matrix)) for area in pictures]


def _transformed(area: Area, matrix: pypdfium2.PdfMatrix) -> Area:
    before = area.size
    moved = Area(*matrix.on_rect(area.left, area.bottom, area.right, area.top))
    if not moved.size:
        return moved
    return replace(moved, pixels_per_point=area.pixels_per_point * (before / moved.size) ** 0.5)


def _clipped(area: Area, sheet: Area) -> Area:
    return replace(
        area,
        left=max(area.left, sheet.left),
        bottom=max(area.bottom, sheet.bottom),
        right=min(area.right, sheet.right),
        top=min(area.top, sheet.top),
    )


def _merged(areas: Sequence[Area]) -> list[Area]:
    """Join what touches: scanners and programs cut one picture into strips and tiles."""
    apart: list[Area] = []
    for area in areas:
        if not area.size:
            continue
        joined = area
        while touching := [other for other in apart if _touch(joined, other)]:
            apart = [other for other in apart if other not in touching]
            together = [joined, *touching]
            joined = Area(
                min(one.left for one in together),
                min(one.bottom for one in together),
                max(one.right for one in together),
                max(one.top for one in together),
                max(one.pixels_per_point for one in together),
            )
        apart.append(joined)
    return [area for area in apart if area.size * area.pixels_per_point**2 >= MIN_PICTURE_PIXELS]


def _touch(one: Area, other: Area) -> bool:
    return (
        one.left <= other.right + TOUCHING_POINTS
        and other.left <= one.right + TOUCHING_POINTS
        and one.bottom <= other.top + TOUCHING_POINTS
        and other.bottom <= one.top + TOUCHING_POINTS
    )


def _characters_over(area: Area, textpage: pypdfium2.PdfTextPage) -> int:
    text: str = textpage.get_text_bounded(area.left, area.bottom, area.right, area.top)
    return len(text.strip())
