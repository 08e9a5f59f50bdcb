"""Give PDFium a font in place of those of China, Japan and Korea that are nowhere to be had.

Files need not hold them, and servers mostly have none. PDFium then knows no size of their letters,
and leaves out of the text of a page each that stands by itself.
"""

import ctypes
import functools

from pypdfium2 import raw as pdfium

from indexing.partition.pdf.stand_in_font import stand_in_font

# PDFium's FXFONT_SHIFTJIS_CHARSET, _HANGUL_, _GB2312_ and _CHINESEBIG5_.
EAST_ASIAN = (128, 129, 134, 136)


@functools.cache
def stand_in_for_missing_fonts() -> object:
    """See to it, once, that PDFium asks here for the fonts of the system; return what it keeps."""
    fonts = _Fonts()
    kinds = dict(pdfium.FPDF_SYSFONTINFO._fields_)
    functions = {
        "EnumFonts": fonts.list_all,
        "MapFont": fonts.find,
        "GetFont": fonts.get,
        "GetFontData": fonts.data_of,
        "GetFaceName": fonts.name_of,
        "GetFontCharset": fonts.letters_of,
        "DeleteFont": fonts.let_go,
    }
    callbacks = {name: kinds[name](function) for name, function in functions.items()}
    info = pdfium.FPDF_SYSFONTINFO(version=1, **callbacks)
    pdfium.FPDF_SetSystemFontInfo(info)
    return info, fonts


class _Fonts:
    """The fonts of the system, and ours where these have none.

    The functions are those of an FPDF_SYSFONTINFO, the first argument of which each leaves out.
    """

    def __init__(self) -> None:
        content = stand_in_font()
        self._system = pdfium.FPDF_GetDefaultSystemFontInfo()
        self._of_system = self._system.contents
        self._content = ctypes.create_string_buffer(content, len(content))
        self._own = ctypes.addressof(self._content)

    def list_all(self, _: object, mapper: object) -> None:
        self._of_system.EnumFonts(self._system, mapper)

    def find(self, _: object, weight: int, italic: int, letters: int, *name: object) -> int | None:
        found: int | None = self._of_system.MapFont(self._system, weight, italic, letters, *name)
        return found or (self._own if letters in EAST_ASIAN else None)

    def get(self, _: object, name: object) -> int | None:
        found: int | None = self._of_system.GetFont(self._system, name)
        return found

    def data_of(self, _: object, font: int, table: int, target: int, size: int) -> int:
        """Write a table of a font, or with 0 for a table the whole, if there is room for it."""
        length = len(self._content)
        if font != self._own:
            length = self._of_system.GetFontData(self._system, font, table, target, size)
        elif table:
            return 0
        elif target and size >= length:
            ctypes.memmove(target, self._content, length)
        return length

    def name_of(self, _: object, font: int, target: object, size: int) -> int:
        is_own = font == self._own
        length = 0 if is_own else self._of_system.GetFaceName(self._system, font, target, size)
        return int(length)

    def letters_of(self, _: object, font: int) -> int:
        is_own = font == self._own
        return EAST_ASIAN[0] if is_own else int(self._of_system.GetFontCharset(self._system, font))

    def let_go(self, _: object, font: int) -> None:
        if font != self._own:
            self._of_system.DeleteFont(self._system, font)
