"""Read what was filled into the form of a PDF where the file has it without showing it.

Programs that fill forms in write values, and leave it to the viewer to draw them: a field then says
nothing, or still shows what it held before.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf.annotations import annotations_of, has_appearance, string_of, told_by
from indexing.partition.text import clean_text

LETTERS_AT_ONCE = 1000
"""PDFium takes no string that is far longer."""

MAX_OPTIONS = 2000
"""Of a list with more it is not asked which are chosen, each by itself: the value itself comes."""

WIDTH = 0.5
"""Of each letter, of its height."""

_CHOICES = (pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)
_CMAP = (
    b"begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
    b"1 beginbfrange <0000> <ffff> <0000> endbfrange endcmap"
)
_FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /Helvetica /Encoding /Identity-H "
    b"/DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Helvetica /DW 500 /CIDSystemInfo "
    b"<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
)


class Form:
    """The form of a document."""

    def __init__(self, file: Path | bytes, handle: pdfium.FPDF_FORMHANDLE) -> None:
        self._file = file
        self._handle = handle
        self._is_drawn_anew: bool | None = None

    def value(self, annotation: pdfium.FPDF_ANNOTATION) -> str:
        """Return what was typed into the field or chosen there, as it is to be shown."""
        kind = pdfium.FPDFAnnot_GetFormFieldType(self._handle, annotation)
        if kind in _CHOICES and (chosen := ", ".join(self._chosen(annotation))):
            return chosen
        # Some programs leave out fields where all of them are told.
        is_text = kind == pdfium.FPDF_FORMFIELD_TEXTFIELD or (
            kind < 0 and string_of(annotation, b"FT") == "Tx"
        )
        if not is_text and kind not in _CHOICES:
            return ""
        flags = pdfium.FPDFAnnot_GetFormFieldFlags(self._handle, annotation)
        if is_text and flags & pdfium.FPDF_FORMFLAG_TEXT_PASSWORD:
            return ""
        value = told_by(pdfium.FPDFAnnot_GetFormFieldValue, self._handle, annotation)
        return clean_text(value or string_of(annotation, b"V")).strip()

    def is_drawn_anew(self, index: int) -> bool:
        """Tell whether viewers are to draw the fields by their values, whatever they look like.

        The page of this index has a field with a value.
        """
        if self._is_drawn_anew is None:
            self._is_drawn_anew = _is_drawn_anew(self._file, index)
        return self._is_drawn_anew

    def _chosen(self, annotation: pdfium.FPDF_ANNOTATION) -> Iterator[str]:
        count = pdfium.FPDFAnnot_GetOptionCount(self._handle, annotation)
        for number in range(count if count <= MAX_OPTIONS else 0):
            if pdfium.FPDFAnnot_IsOptionSelected(self._handle, annotation, number):
                get = pdfium.FPDFAnnot_GetOptionLabel
                yield clean_text(told_by(get, self._handle, annotation, number)).strip()


@contextmanager
def form_of(pdf: pypdfium2.PdfDocument, file: Path | bytes) -> Iterator[Form | None]:
    """Give the form of the document, if it has one, for as long as its pages are read."""
    if pdf.get_formtype() == pdfium.FORMTYPE_NONE:
        yield None
        return
    info = pdfium.FPDF_FORMFILLINFO(version=2)
    handle = pdfium.FPDFDOC_InitFormFillEnvironment(pdf, info)
    try:
        yield Form(file, handle)
    finally:
        pdfium.FPDFDOC_ExitFormFillEnvironment(handle)


def _is_drawn_anew(file: Path | bytes, index: int) -> bool:
    """Ask PDFium, which does not say so, but draws fields that do not show anything only then."""
    with pypdfium2.PdfDocument(file) as pdf, closing(pdf[index]) as page:
        for annotation in annotations_of(page):
            if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_WIDGET:
                pdfium.FPDFAnnot_SetAP(annotation, pdfium.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None)
        before = sum(map(has_appearance, annotations_of(page)))
        bitmap = pypdfium2.PdfBitmap.new_native(1, 1, pdfium.FPDFBitmap_BGR)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, 1, 1, 0, pdfium.FPDF_ANNOT)
        bitmap.close()
        return sum(map(has_appearance, annotations_of(page))) > before


def drawn_lines(
    pdf: pypdfium2.PdfDocument, lines: Sequence[str], size: float, width: float
) -> list[pdfium.FPDF_PAGEOBJECT]:
    """Return each line as an object for a page: not seen, from the origin, no longer than this.

    No font that PDFium has by itself has all letters. Of one that names them none is asked for.
    """
    with pypdfium2.PdfDocument(_file_of(lines, size, width)) as source:
        return [_text_of(pdf, source, number) for number in range(len(source))]


def _text_of(
    pdf: pypdfium2.PdfDocument, source: pypdfium2.PdfDocument, number: int
) -> pdfium.FPDF_PAGEOBJECT:
    """Return the text of a page: what is in a form of its own PDFium does not count for a line."""
    page = pdfium.FPDF_NewXObjectFromPage(pdf, source, number)
    form = pdfium.FPDF_NewFormObjectFromXObject(page)
    text = pdfium.FPDFFormObj_GetObject(form, 0)
    pdfium.FPDFFormObj_RemoveObject(form, text)
    pdfium.FPDFPageObj_Destroy(form)
    pdfium.FPDF_CloseXObject(page)
    return text


def _file_of(lines: Sequence[str], size: float, width: float) -> bytes:
    """Return a PDF with a page for each line."""
    pages = range(6, 6 + 2 * len(lines), 2)
    kids = b" ".join(b"%d 0 R" % page for page in pages)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(lines)),
        *_FONT,
        _stream(_CMAP),
    ]
    for page, line in zip(pages, lines, strict=True):
        narrowed = 100 * min(1, width / (WIDTH * size * len(line)))
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %f %f] /Contents %d 0 R "
            b"/Resources << /Font << /F 3 0 R >> >> >>" % (width, size, page + 1),
            _stream(
                b"BT 3 Tr /F %f Tf %f Tz [%s] TJ ET" % (size, narrowed, b"".join(_strings(line)))
            ),
        ]
    numbered = (b"%d 0 obj\n%s\nendobj\n" % one for one in enumerate(objects, 1))
    return b"%PDF-1.7\n" + b"".join(numbered) + b"trailer << /Root 1 0 R >>\n%%EOF"


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)


def _strings(line: str) -> Iterator[bytes]:
    for start in range(0, len(line), LETTERS_AT_ONCE):
        units = line[start : start + LETTERS_AT_ONCE].encode("utf-16-be", "replace")
        yield b"<%s>" % units.hex().encode()
