"""Put what was filled into the form of a PDF page where its fields stand in the text.

Flattened, all of it comes behind the text of the page: values far from their labels, and of the
boxes that were ticked nothing, nor of fields that do not show their values. The text of a page
comes in the order in which it is drawn.
"""

import ctypes
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf.annotations import annotations_of, is_hidden, string_of, told_by
from indexing.partition.pdf.form_values import Form, drawn_lines

TICKED, NOT_TICKED = ("❥", "☒"), ("❦", "☐")
"""What is drawn for a box that is ticked, or not, and what is read.

The one font for signs that PDFium has by itself has neither box, but leaves that no text needs.
"""

MAX_OBJECTS = 2000
"""On a page with more, or with more values, these are left behind its text."""

MAX_DEPTH = 3
"""Of forms within forms: what fills a field in is in the second."""

_FONT = b"ZapfDingbats"
_SIZE = 0.8  # of the height of a box
_LOW = 0.15  # the same, from its lower side to the line
_BELOW = 0.35  # of the height of letters, from their middle to the line
_HIGHEST = 15.0  # points; of the lines of a value
_TALL = 24.0  # points; in such a field a value begins at the top, in others it is in the middle


class _Box(NamedTuple):
    """Where something stands, in points from the lower left corner."""

    left: float
    bottom: float
    right: float
    top: float

    def is_beside(self, other: "_Box") -> bool:
        """Tell whether most of the lower of both stands at the height of the other."""
        shared = min(self.top, other.top) - max(self.bottom, other.bottom)
        return shared > min(self.top - self.bottom, other.top - other.bottom) / 2

    def is_within(self, other: "_Box") -> bool:
        """Tell whether the middle stands in the other."""
        x, y = (self.left + self.right) / 2, (self.bottom + self.top) / 2
        return other.left <= x <= other.right and other.bottom <= y <= other.top

    def turned(self, quarter_turns: int) -> "_Box":
        """Return the box as it is displayed on a page that is turned clockwise."""
        left, bottom, right, top = self
        for _ in range(quarter_turns):
            left, bottom, right, top = bottom, -right, top, -left
        return _Box(left, bottom, right, top)


class _Field(NamedTuple):
    box: _Box
    state: str  # of a box to tick
    value: str = ""

    @property
    def sign(self) -> str:
        return (NOT_TICKED if self.state == "Off" else TICKED)[0]


_Value = tuple[_Box, pdfium.FPDF_PAGEOBJECT]
"""The box of a field, and a text that stands in it."""


def flattened(
    pdf: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, index: int, form: Form | None = None
) -> pypdfium2.PdfPage:
    """Return the page with what lies above it as a part of it; the one that is given is closed."""
    fields = list(_fields(page, None))
    count = pdfium.FPDFPage_CountObjects(page)
    # Of more nothing is done with what the fields hold, and to ask for it takes its time.
    if form and fields and len(fields) + count < MAX_OBJECTS:
        fields = list(_fields(page, form))
    pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
    page.close()
    page = pdf[index]
    if fields and len(fields) + count < MAX_OBJECTS:
        signs = [(field.box, _drawn_sign(pdf, field)) for field in fields if field.state]
        shown = _values(page, count, fields)
        if form and any(field.value for field in fields):
            shown = _as_filled(pdf, page, shown, fields, lambda: form.is_drawn_anew(index))
        _put_beside([*shown, *signs], page, count)
    return page


def _fields(page: pypdfium2.PdfPage, form: Form | None) -> Iterator[_Field]:
    for annotation in annotations_of(page):
        is_field = pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_WIDGET
        if is_field and not is_hidden(annotation):
            place = pdfium.FS_RECTF()
            pdfium.FPDFAnnot_GetRect(annotation, place)
            box = _Box(place.left, place.bottom, place.right, place.top)
            state = string_of(annotation, b"AS")
            yield _Field(box, state, form.value(annotation) if form and not state else "")


def _as_filled(
    pdf: pypdfium2.PdfDocument,
    page: pypdfium2.PdfPage,
    shown: list[_Value],
    fields: Sequence[_Field],
    is_drawn_anew: Callable[[], bool],
) -> list[_Value]:
    """Return the values with those that are not shown, and not what fields held before."""
    texts: dict[_Box, list[pdfium.FPDF_PAGEOBJECT]] = defaultdict(list)
    for box, text in shown:
        texts[box].append(text)
    filled = {field.box: field for field in fields if field.value}
    missing = [field for box, field in filled.items() if box not in texts]
    if len(missing) < len(filled) and is_drawn_anew():
        with closing(page.get_textpage()) as textpage:
            for box in filled.keys() & texts.keys():
                parts = [told_by(pdfium.FPDFTextObj_GetText, text, textpage) for text in texts[box]]
                if _letters("".join(parts)) != _letters(filled[box].value):
                    missing.append(filled[box])
    old = {field.box for field in missing}
    for box in old:
        for text in texts[box]:
            pdfium.FPDFPageObj_Destroy(text)
    kept = [value for value in shown if value[0] not in old]
    return kept + [value for field in missing for value in _drawn_value(pdf, page, field)]


def _letters(text: str) -> str:
    return "".join(text.split())


def _drawn_value(
    pdf: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, field: _Field
) -> Iterator[_Value]:
    """Yield the lines of the value as they are to be read on the displayed page."""
    lines = [line for line in map(str.strip, field.value.split("\n")) if line][:MAX_OBJECTS]
    turns = page.get_rotation() // 90
    left, bottom, right, top = field.box
    across, up = (right - left, top - bottom)[:: -1 if turns % 2 else 1]
    x, y = ((left, bottom), (right, bottom), (right, top), (left, top))[turns]
    step = min(up / len(lines), _HIGHEST)
    size = _SIZE * step
    start = up if up > _TALL else (up + step * len(lines)) / 2
    for number, drawn in enumerate(drawn_lines(pdf, lines, size, across)):
        height = start - step * (number + 0.5) - _BELOW * size
        matrix = pypdfium2.PdfMatrix().translate(0, height)
        matrix = matrix.rotate(90 * turns, ccw=True).translate(x, y)
        pdfium.FPDFPageObj_Transform(drawn, *matrix.get())
        yield field.box, drawn


def _drawn_sign(pdf: pypdfium2.PdfDocument, field: _Field) -> pdfium.FPDF_PAGEOBJECT:
    """Return a sign for the box; what the box looks like is drawn already."""
    height = field.box.top - field.box.bottom
    sign = pdfium.FPDFPageObj_NewTextObj(pdf, _FONT, _SIZE * height)
    text = ctypes.create_string_buffer(field.sign.encode("utf-16-le") + b"\0\0")
    pdfium.FPDFText_SetText(sign, ctypes.cast(text, pdfium.FPDF_WIDESTRING))
    pdfium.FPDFTextObj_SetTextRenderMode(sign, pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)
    bottom = field.box.bottom + _LOW * height
    pdfium.FPDFPageObj_Transform(sign, 1, 0, 0, 1, field.box.left, bottom)
    return sign


def _values(page: pypdfium2.PdfPage, count: int, fields: list[_Field]) -> list[_Value]:
    """Take the texts of fields out of what was added to the page; those in boxes are left out."""
    values = []
    for number in range(count, pdfium.FPDFPage_CountObjects(page)):
        texts = _texts(pdfium.FPDFPage_GetObject(page, number), [])
        for form, text, matrices in list(islice(texts, MAX_OBJECTS)):
            place = _box(text, matrices)
            field = next((one for one in fields if place.is_within(one.box)), None)
            if field is None or not pdfium.FPDFFormObj_RemoveObject(form, text):
                continue
            if field.state:
                pdfium.FPDFPageObj_Destroy(text)
                continue
            for matrix in matrices:
                pdfium.FPDFPageObj_Transform(text, *matrix.get())
            values.append((field.box, text))
    return values


def _texts(
    form: pdfium.FPDF_PAGEOBJECT, around: list[pypdfium2.PdfMatrix]
) -> Iterator[tuple[pdfium.FPDF_PAGEOBJECT, pdfium.FPDF_PAGEOBJECT, list[pypdfium2.PdfMatrix]]]:
    """Yield each text in the form with what it is directly in, and how it comes onto the page."""
    if pdfium.FPDFPageObj_GetType(form) != pdfium.FPDF_PAGEOBJ_FORM or len(around) > MAX_DEPTH:
        return
    raw = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(form, raw)
    matrices = [pypdfium2.PdfMatrix.from_raw(raw), *around]
    for number in range(pdfium.FPDFFormObj_CountObjects(form)):
        part = pdfium.FPDFFormObj_GetObject(form, number)
        if pdfium.FPDFPageObj_GetType(part) == pdfium.FPDF_PAGEOBJ_TEXT:
            yield form, part, matrices
        else:
            yield from _texts(part, matrices)


def _box(part: pdfium.FPDF_PAGEOBJECT, matrices: Sequence[pypdfium2.PdfMatrix] = ()) -> _Box:
    sides = [ctypes.c_float() for _ in range(4)]
    pdfium.FPDFPageObj_GetBounds(part, *sides)
    place = tuple(side.value for side in sides)
    for matrix in matrices:
        place = matrix.on_rect(*place)
    return _Box(*place)


def _put_beside(values: Sequence[_Value], page: pypdfium2.PdfPage, count: int) -> None:
    """Let each value follow what stands to the left of it, or else lead what does to the right."""
    parts = [pdfium.FPDFPage_GetObject(page, number) for number in range(count)]
    turns = page.get_rotation() // 90
    labels = [
        (number, _box(part).turned(turns))
        for number, part in enumerate(parts)
        if pdfium.FPDFPageObj_GetType(part) == pdfium.FPDF_PAGEOBJ_TEXT
    ]
    last = pdfium.FPDFPage_CountObjects(page)
    numbers: dict[_Box, int] = {}  # All lines of a field stay together.
    for field, value in values:
        if field not in numbers:
            numbers[field] = _number_beside(_box(value).turned(turns), labels, last)
    in_order = sorted(values, key=lambda one: (numbers[one[0]], one[0].left))
    # From the last one, so that the numbers of those before stay right.
    for field, value in reversed(in_order):
        pdfium.FPDFPage_InsertObjectAtIndex(page, value, numbers[field])


def _number_beside(box: _Box, labels: Sequence[tuple[int, _Box]], last: int) -> int:
    """Return the number that the value is to have on the page, the last if nothing is beside it."""
    beside = [(number, label) for number, label in labels if label.is_beside(box)]
    before = [(label.right, number) for number, label in beside if label.left < box.left]
    if before:
        return max(before)[1] + 1
    return min(((label.left, number) for number, label in beside), default=(0, last))[1]
