"""Lines that are read from right to left, written so that a test can be read.

Lower-case letters stand for Hebrew ones, and capitals for Latin ones.
"""

import string
from pathlib import Path

from tests.files.hostile_pdfs import pdf, stream

_HEBREW = {ord(letter): 0x5D0 + number for number, letter in enumerate(string.ascii_lowercase)}
_ARABIC = {ord("a") + number: 0x628 + number for number in range(18)}


def hebrew(text: str) -> str:
    return text.translate(_HEBREW)


def arabic(text: str) -> str:
    return text.translate(_ARABIC)


def draw(
    folder: Path,
    *seen: tuple[float, float, str],
    rules: bytes = b"",
    is_mirrored: bool = False,
) -> Path:
    """Return a PDF of 300 by 300 points, with Hebrew texts as they are seen, from x and y on.

    In a mirror they are drawn as they are read, to the left.
    """
    across = -1 if is_mirrored else 1
    names = b" ".join(b"<%02x> <%04x>" % (code, hebrew_code) for code, hebrew_code in _codes())
    cmap = b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange %d beginbfchar %s "
    texts = b" ".join(
        b"BT /F 10 Tf %d 0 0 1 %f %f Tm <%s> Tj ET" % (across, x, y, text.encode().hex().encode())
        for x, y, text in seen
    )
    objects = {
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R "
        b"/Resources << /Font << /F 5 0 R >> >> >>",
        4: stream(rules + b" " + texts),
        5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        6: stream(cmap % (len(_codes()), names) + b"endbfchar endcmap"),
    }
    path = folder / "from-right.pdf"
    path.write_bytes(pdf(objects))
    return path


def _codes() -> list[tuple[int, int]]:
    return [(code, _HEBREW.get(code, code)) for code in range(0x20, 0x7F)]
