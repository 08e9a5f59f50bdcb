import re
from collections.abc import Iterable
from pathlib import Path

import pypdfium2
import pytest

from indexing.partition.pdf import open_text_layer
from indexing.partition.pdf_scan_layer import is_by_tesseract
from indexing.types import BlockKind
from tests.files.hostile_pdfs import pdf, stream

PROSE = [
    "Each keeper must light lamps",
    "when storms come while boats",
    "sail beyond that north point",
    "with little sail above decks",
]


@pytest.mark.parametrize(("font", "expected"), [("GlyphLessFont", True), ("GlyphLess", False)])
def test_the_letters_of_tesseract_are_known_by_their_font(
    tmp_path: Path, font: str, expected: bool
) -> None:
    path = _draw(tmp_path, PROSE, font)

    with pypdfium2.PdfDocument(path) as file:
        assert is_by_tesseract(file[0].get_textpage(), 0) is expected


def test_prose_that_tesseract_placed_word_by_word_is_no_table(tmp_path: Path) -> None:
    (page,) = open_text_layer(_draw(tmp_path, PROSE)).pages

    assert [(block.kind, block.text) for block in page.blocks] == [
        (BlockKind.TEXT, "\n".join(PROSE))
    ]


def test_a_table_that_tesseract_placed_word_by_word_has_its_cells(tmp_path: Path) -> None:
    rows = ["Article", "Pieces"], ["Storm lantern", "24"], ["Deck lamp", "12"], ["Buoy", "3"]
    lines = ["".join(cell.ljust(30) for cell in row) for row in rows]

    (page,) = open_text_layer(_draw(tmp_path, lines)).pages

    (table,) = page.blocks
    assert table.header == "Article | Pieces"
    assert table.text == "Storm lantern | 24\nDeck lamp | 12\nBuoy | 3"


def _draw(folder: Path, lines: Iterable[str], font: str = "GlyphLessFont") -> Path:
    """Return a page of lines in letters of a typewriter, each word as Tesseract draws it.

    They are six points wide; a word is drawn narrower, so that the space behind it ends with it.
    """
    texts = []
    for number, line in enumerate(lines):
        for found in re.finditer(r"\S+", line):
            at = 60 + 6 * found.start()
            stretch = 150 * len(found[0]) / (len(found[0]) + 1)
            text = f"{found[0]} ".encode().hex()
            texts.append(f"BT /F 8 Tf {stretch} Tz {at} {700 - 14 * number} Td <{text}> Tj ET")
    widths = b" ".join([b"500"] * 96)
    objects = {
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F 5 0 R >> >> >>",
        4: stream(" ".join(texts).encode()),
        5: b"<< /Type /Font /Subtype /TrueType /BaseFont /%s /Encoding /WinAnsiEncoding "
        b"/FirstChar 32 /LastChar 127 /Widths [%s] >>" % (font.encode(), widths),
    }
    path = folder / "layer.pdf"
    path.write_bytes(pdf(objects))
    return path
