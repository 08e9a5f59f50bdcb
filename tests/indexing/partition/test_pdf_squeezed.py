from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from indexing.partition.pdf import open_pdf
from indexing.partition.pdf_letters import page_letters, raw_text
from indexing.partition.pdf_squeezed import word_places
from indexing.types import BlockKind
from tests.files.text_layer import SIDE, WIDTH, lay_out, write_text_layer

LINES = ["За то до 12 15", "на мы по 10 14", "из до 16 от 22", "их на за 30 31"]


def test_words_of_a_text_layer_of_tesseract_are_no_cells(tmp_path: Path) -> None:
    write_text_layer(tmp_path / "layer.pdf", lay_out(LINES))

    [page] = open_pdf(tmp_path / "layer.pdf").pages

    assert [(block.kind, block.text) for block in page.blocks] == [
        (BlockKind.TEXT, "\n".join(LINES))
    ]


def test_a_table_in_a_text_layer_of_tesseract_has_its_cells(tmp_path: Path) -> None:
    rows = ["Товар Штук Цена", "Лампа 24 85", "Масло 12 90", "Якорь 30 70"]
    words = [
        (20 + 80 * column, 270 - 15 * number, word)
        for number, row in enumerate(rows)
        for column, word in enumerate(row.split())
    ]
    write_text_layer(tmp_path / "layer.pdf", words)

    [page] = open_pdf(tmp_path / "layer.pdf").pages

    [table] = page.blocks
    assert (table.header, table.text) == (
        "Товар | Штук | Цена",
        "Лампа | 24 | 85\nМасло | 12 | 90\nЯкорь | 30 | 70",
    )


@pytest.mark.parametrize(
    ("font", "letters"),
    [
        pytest.param(b"GlyphLessFont", 3, id="of Tesseract"),
        pytest.param(b"OrdinaryFonts", 3 * 3 / 4, id="of others"),
    ],
)
def test_words_are_as_wide_as_with_the_space_behind_them(
    font: bytes, letters: float, tmp_path: Path
) -> None:
    write_text_layer(tmp_path / "layer.pdf", [(20, 200, "дом"), (80, 200, "сад")])
    file = (tmp_path / "layer.pdf").read_bytes().replace(b"GlyphLessFont", font)

    with pypdfium2.PdfDocument(file) as pdf:
        page, textpage = pdf[0], pdf[0].get_textpage()
        letters_of_page = page_letters(page, textpage, raw_text(textpage))
        found = word_places(page, textpage, letters_of_page, [(0, 3), (4, 7)])

    widths = (found[:, 2] - found[:, 0]) * SIDE
    assert np.allclose(widths, letters * WIDTH, atol=0.1)
