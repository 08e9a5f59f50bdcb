"""Pieces of the text of a page in another order."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.letters import PageLetters
from indexing.partition.pdf.reordered import reordered

Page = tuple[pypdfium2.PdfPage, pypdfium2.PdfTextPage, PageLetters]


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    canvas = Canvas(str(tmp_path / "words.pdf"))
    canvas.drawString(50, 700, "rent due")
    canvas.save()
    with (
        pypdfium2.PdfDocument(tmp_path / "words.pdf") as pdf,
        closing(pdf[0]) as page,
        closing(page.get_textpage()) as textpage,
    ):
        raw = textpage.get_text_range()
        yield page, textpage, PageLetters(raw, raw)


def test_the_text_is_that_of_the_pieces(page: Page) -> None:
    assert reordered(page[2], [slice(5, 8), "\n", slice(0, 4)]).text == "due\nrent"


def test_each_letter_stands_where_it_did(page: Page) -> None:
    pdf_page, textpage, letters = page
    before = letters.places(pdf_page, textpage, [(0, 4), (5, 8)])

    after = reordered(letters, [slice(5, 8), "\n", slice(0, 4)])

    assert np.allclose(after.places(pdf_page, textpage, [(4, 8), (0, 3)]), before)


def test_a_new_sign_stands_nowhere(page: Page) -> None:
    after = reordered(page[2], [slice(5, 8), "\n", slice(0, 4)])

    assert np.isnan(after.places(*page[:2], [(3, 4)])).all()


def test_what_was_put_in_order_before_goes_with_its_piece(page: Page) -> None:
    pdf_page, textpage, letters = page
    once = reordered(letters, [slice(0, 4), "^", slice(4, 8)])

    again = reordered(once, [slice(5, 9), slice(0, 5)])

    assert again.text == " duerent^"
    before = letters.places(pdf_page, textpage, [(0, 4), (5, 8)])
    assert np.allclose(again.places(pdf_page, textpage, [(4, 8), (1, 4)]), before)
    assert np.isnan(again.places(pdf_page, textpage, [(8, 9)])).all()
