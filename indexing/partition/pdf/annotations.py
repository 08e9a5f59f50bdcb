"""Find what was typed or stamped onto a PDF page: it lies above the page's own text."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.boxes import page_boxes
from indexing.partition.pdf.boxes import shares
from indexing.partition.text import clean_text
from indexing.types import Block, BlockKind

MAX_ANNOTATIONS = 20_000
"""What a page has more of is not looked at; to go through a million of them took its 30 s."""

TYPED = (pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP, pdfium.FPDF_ANNOT_WIDGET)
"""The last are fields, which stay on a page that was taken out of its form."""

NO_TEXT_BYTES = 2
"""PDFium ends each text with a zero, and counts it."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What was put onto a page, as far as it is shown there."""

    is_drawn: bool  # some of it says how it looks, and can be flattened into the page
    notes: tuple[Block, ...]  # the texts of which only the words are in the file
    is_cut: bool = False  # there is more above the page than is looked at


def typed_onto(page: pypdfium2.PdfPage) -> Typed:
    """Return what was typed or stamped onto the page; links, marks and comments are not that."""
    is_drawn = False
    notes = []
    for annotation in annotations_of(page):
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind not in TYPED:
            continue
        if is_hidden(annotation):
            continue
        if has_appearance(annotation):
            is_drawn = True
        elif kind == pdfium.FPDF_ANNOT_FREETEXT and (
            text := clean_text(string_of(annotation, b"Contents")).strip()
        ):
            notes.append(_note(page, annotation, text))
    is_cut = pdfium.FPDFPage_GetAnnotCount(page) > MAX_ANNOTATIONS
    return Typed(is_drawn, tuple(notes), is_cut)


def annotations_of(page: pypdfium2.PdfPage) -> Iterator[pdfium.FPDF_ANNOTATION]:
    """Yield what lies above the page, each for as long as it is looked at."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        try:
            if annotation:
                yield annotation
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def is_hidden(annotation: pdfium.FPDF_ANNOTATION) -> bool:
    """Tell whether the annotation is not shown."""
    flags: int = pdfium.FPDFAnnot_GetFlags(annotation)
    return bool(flags & (pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW))


def has_appearance(annotation: pdfium.FPDF_ANNOTATION) -> bool:
    """Tell whether the annotation says how it looks."""
    normal = pdfium.FPDF_ANNOT_APPEARANCEMODE_NORMAL
    length: int = pdfium.FPDFAnnot_GetAP(annotation, normal, None, 0)
    return length > NO_TEXT_BYTES


def string_of(annotation: pdfium.FPDF_ANNOTATION, key: bytes) -> str:
    """Return what the annotation says under this key."""
    return told_by(pdfium.FPDFAnnot_GetStringValue, annotation, key)


def told_by(get: Callable[..., int], *arguments: object) -> str:
    """Return the text that this function of PDFium has for these."""
    length = get(*arguments, None, 0)
    buffer = (ctypes.c_ushort * (length // 2))()
    get(*arguments, buffer, length)
    return bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")


def _note(page: pypdfium2.PdfPage, annotation: pdfium.FPDF_ANNOTATION, text: str) -> Block:
    """Return the text; each of its lines has the place of the whole."""
    place = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, place)
    sides = np.array([[place.left, place.top, place.right, place.bottom]])
    boxes = page_boxes(shares(page, sides)) * len(text.split("\n"))
    return Block(BlockKind.TEXT, text, line_boxes=tuple(boxes))
