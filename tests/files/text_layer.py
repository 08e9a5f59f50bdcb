"""Write a page with a text layer as Tesseract does: unseen, in a font that has no shapes.

The numbers of its letters are those of Unicode, which one range says. Each word is as wide as in
the picture, but with the space behind it: its letters are squeezed.
"""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from tests.files.hostile_pdfs import pdf, stream

SIDE = 300  # points
SIZE = 10  # of the letters
WIDTH = 7  # of each as it is seen; that of the font is 5

ALL_OF_UNICODE = b"<0000> <ffff> <0000>"

Word = tuple[float, float, str]
"""From x and y on; y is from the lower edge of the page."""


def lay_out(lines: Sequence[str], left: float = 20, top: float = 270) -> list[Word]:
    """Return the words of lines, 15 points below each other, one letter's width apart."""
    return [
        (left + WIDTH * len(" ".join([*line.split()[:number], ""])), top - 15 * row, word)
        for row, line in enumerate(lines)
        for number, word in enumerate(line.split())
    ]


def write_text_layer(
    path: Path,
    words: Sequence[Word],
    picture: Image.Image | None = None,
    *,
    named: bytes = ALL_OF_UNICODE,
) -> None:
    """Write the words, over a picture of the page if one is given."""
    cmap = b"begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
    cmap += b"1 beginbfrange %s endbfrange endcmap" % named
    texts = b" ".join(
        b"%.1f Tz 1 0 0 1 %.1f %.1f Tm <%s> Tj"
        % (20 * WIDTH * len(word) / (len(word) + 1), x, y, _codes(f"{word} "))
        for x, y, word in words
    )
    shown = b"q %d 0 0 %d 0 0 cm /I Do Q " % (SIDE, SIDE) if picture else b""
    objects = {
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R "
        b"/Resources << /Font << /F 5 0 R >> /XObject << /I 8 0 R >> >> >>" % (SIDE, SIDE),
        4: stream(shown + b"BT 3 Tr /F %d Tf %s ET" % (SIZE, texts)),
        5: b"<< /Type /Font /Subtype /Type0 /BaseFont /GlyphLessFont /Encoding /Identity-H "
        b"/DescendantFonts [6 0 R] /ToUnicode 7 0 R >>",
        6: b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /GlyphLessFont /DW 500 "
        b"/CIDSystemInfo << /Ordering (Identity) /Registry (Adobe) /Supplement 0 >> >>",
        7: stream(cmap),
        8: _image(picture or Image.new("L", (1, 1))),
    }
    path.write_bytes(pdf(objects))


def _codes(text: str) -> bytes:
    return text.encode("utf-16-be").hex().encode()


def _image(picture: Image.Image) -> bytes:
    grey = picture.convert("L")
    entries = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray"
    return stream(grey.tobytes(), (entries + b" /BitsPerComponent 8") % grey.size)
