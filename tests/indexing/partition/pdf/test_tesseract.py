from pathlib import Path

import pypdfium2
import pytest

from indexing.partition.pdf.tesseract import is_of_tesseract
from tests.files.text_layer import write_text_layer


@pytest.mark.parametrize(
    ("font", "expected"),
    [
        pytest.param(b"GlyphLessFont", True, id="of Tesseract"),
        pytest.param(b"GlyphLessFontOfOthers", False, id="a longer name"),
        pytest.param(b"Helvetica", False, id="another"),
    ],
)
def test_tesseract_is_known_by_its_font(font: bytes, expected: bool, tmp_path: Path) -> None:
    write_text_layer(tmp_path / "layer.pdf", [(20, 200, "дом")])
    file = (tmp_path / "layer.pdf").read_bytes().replace(b"/GlyphLessFont", b"/" + font)

    with pypdfium2.PdfDocument(file) as pdf:
        assert is_of_tesseract(pdf[0].get_textpage(), 0) is expected


def test_what_is_no_letter_is_of_no_font(tmp_path: Path) -> None:
    write_text_layer(tmp_path / "layer.pdf", [(20, 200, "дом")])

    with pypdfium2.PdfDocument(tmp_path / "layer.pdf") as pdf:
        assert not is_of_tesseract(pdf[0].get_textpage(), 99)
