"""Write a PDF whose font draws letters without saying which letters they are."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SIDE = 40  # pixels of a letter, and the units of its space
WIDTH = 26


def write_unnamed_letters(path: Path, text: str, first_number: int, above: str = "") -> None:
    """Write a line of capitals and spaces; A has the first number in the font, B the next.

    What stands above is in a font that names its letters.
    """
    numbers = {letter: first_number + ord(letter) - ord("A") for letter in text if letter != " "}
    names = {letter: f"/g{number}" for letter, number in numbers.items()}
    glyphs = sorted(numbers)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 100]/Resources<</Font<</F 5 0 R"
        b"/H<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
        b"/Contents 4 0 R>>",
        _stream(b"BT /H 8 Tf 20 80 Td (%b) Tj ET " % above.encode() + _line(text, numbers)),
        (
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 40 40]/FontMatrix[.025 0 0 .025 0 0]"
            f"/FirstChar 0/LastChar 127/Widths[{f'{WIDTH} ' * 128}]/Resources<<>>/CharProcs<<"
            + " ".join(f"{names[one]} {6 + n} 0 R" for n, one in enumerate(glyphs))
            + ">>/Encoding<</Differences["
            + " ".join(f"{numbers[one]}{names[one]}" for one in glyphs)
            + "]>>>>"
        ).encode(),
        *(_stream(_glyph(letter)) for letter in glyphs),
    ]
    body = b"".join(
        b"%d 0 obj\n%b\nendobj\n" % (number, content) for number, content in enumerate(objects, 1)
    )
    # Without a list of its objects, the file is searched for them.
    path.write_bytes(b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF")


def _line(text: str, numbers: dict[str, int]) -> bytes:
    words = [b"".join(b"%02x" % numbers[letter] for letter in word) for word in text.split()]
    places = [len(" ".join(text.split()[:n])) + (n > 0) for n in range(len(words))]
    step = 20 * WIDTH / SIDE
    shown = (
        b"1 0 0 1 %.1f 40 Tm <%b> Tj " % (20 + place * step, word)
        for place, word in zip(places, words, strict=True)
    )
    return b"BT /F 20 Tf " + b"".join(shown) + b"ET"


def _glyph(letter: str) -> bytes:
    image = Image.new("1", (SIDE, SIDE), 1)
    ImageDraw.Draw(image).text((0, 0), letter, fill=0, font=ImageFont.load_default(32))
    bits = np.packbits(np.asarray(image), axis=1).tobytes()
    return (
        b"%d 0 0 0 %d %d d1 %d 0 0 %d 0 0 cm BI /W %d /H %d /IM true /BPC 1 /F /AHx ID %b> EI"
        % (WIDTH, SIDE, SIDE, SIDE, SIDE, SIDE, SIDE, bits.hex().encode())
    )


def _stream(content: bytes) -> bytes:
    return b"<</Length %d>>stream\n%b\nendstream" % (len(content), content)
