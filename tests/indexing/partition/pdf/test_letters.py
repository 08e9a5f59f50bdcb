from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import page_letters, raw_text
from tests.files.hostile_pdfs import pdf, stream
from tests.indexing.partition.from_right import draw, hebrew

CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 4 beginbfchar "
    b"<41> <0627> <42> <06440625> <43> <064A> <44> <0644> endbfchar endcmap"
)

HYPHEN_CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
    b"1 beginbfchar <2B> <2010> endbfchar endcmap"
)


def test_a_lam_alef_that_is_one_shape_is_read_as_lam_and_alef(tmp_path: Path) -> None:
    assert _read(_shapes(tmp_path, b"(CBA)")) == "الإي"


def test_an_alef_and_a_lam_beside_each_other_stay(tmp_path: Path) -> None:
    assert _read(_shapes(tmp_path, b"(CDA)")) == "الي"


def test_radicals_are_read_as_characters(tmp_path: Path) -> None:
    characters = CMAP.replace(b"<064A>", b"<2F45>").replace(b"<0627>", b"<2EA0>")
    assert _read(_page(tmp_path, b"(CA) Tj", characters)) == "方民"


@pytest.mark.parametrize(
    ("seen", "written"),
    [
        ("ihg fed cba", "abc def ghi"),
        (".ACME LTD hgfe dcba", "abcd efgh ACME LTD."),
        ("fed INV-2024-023 cba", "abc INV-2024-023 def"),
        ("fed 12.5% cba", "abc 12.5% def"),
    ],
)
def test_a_line_is_read_as_it_was_written(tmp_path: Path, seen: str, written: str) -> None:
    assert _read(draw(tmp_path, (40, 200, seen))) == hebrew(written)


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param("fed (4.2) cba", id="named by what they look like"),
        pytest.param("fed )4.2( cba", id="named by what they mean"),
    ],
)
def test_brackets_open_before_they_close(tmp_path: Path, seen: str) -> None:
    assert _read(draw(tmp_path, (40, 200, seen))) == hebrew("abc (4.2) def")


def test_words_drawn_one_by_one_from_the_right_have_spaces(tmp_path: Path) -> None:
    path = draw(tmp_path, (200, 200, "dcba"), (160, 200, "hgfe"), (120, 200, "ACME"))

    assert _read(path) == hebrew("abcd efgh ACME")


def test_a_name_from_the_right_is_read_within_a_line_from_the_left(tmp_path: Path) -> None:
    seen = "THE NAME fed cba IS ON THE GATE"

    assert _read(draw(tmp_path, (40, 200, seen))) == hebrew("THE NAME abc def IS ON THE GATE")


def test_a_line_of_figures_ends_on_the_left_where_its_page_does(tmp_path: Path) -> None:
    path = draw(tmp_path, (60, 200, "hgfe dcba"), (60, 180, ".03-1234567"), (60, 160, "ACME LTD."))

    assert _read(path).splitlines() == [hebrew("abcd efgh"), "03-1234567.", "ACME LTD."]


@pytest.mark.parametrize("seen", ["(LTD 6642)", ")LTD 6642("])
def test_brackets_around_a_line_from_the_left_open_on_such_a_page_too(
    tmp_path: Path, seen: str
) -> None:
    path = draw(tmp_path, (60, 200, "hgfe dcba"), (60, 180, seen))

    assert _read(path).splitlines() == [hebrew("abcd efgh"), "(LTD 6642)"]


def test_blank_lines_are_nothing_to_be_read(tmp_path: Path) -> None:
    path = draw(tmp_path, (60, 200, "hgfe dcba"), (60, 180, "   "))

    assert _read(path).split() == hebrew("abcd efgh").split()


def test_words_from_the_left_are_in_order_where_they_were_drawn_from_the_right(
    tmp_path: Path,
) -> None:
    path = draw(tmp_path, (60, 200, "hgfe dcba"), (120, 180, "6642"), (60, 180, "ACME LTD "))

    assert _read(path).splitlines() == [hebrew("abcd efgh"), "ACME LTD 6642"]


def test_a_line_from_the_right_has_its_place(tmp_path: Path) -> None:
    path = draw(tmp_path, (60, 200, "fed cba ACME"), (60, 180, "hgfe dcba"))

    (page,) = open_pdf(path).pages

    (block,) = page.blocks
    assert block.text == hebrew("ACME abc def\nabcd efgh")
    first, second = block.line_boxes
    assert first is not None
    assert second is not None
    assert first[0] == second[0] == pytest.approx(0.2, abs=0.01)
    assert first[2] == pytest.approx(0.44, abs=0.03)
    assert second[2] == pytest.approx(0.36, abs=0.03)


def test_a_word_that_chromium_broke_is_put_together(tmp_path: Path) -> None:
    first, second = b"(harbour mas+) Tj", b"0 -14 Td (ter) Tj"
    path = _page(tmp_path, first + b" " + second, HYPHEN_CMAP)

    (page,) = open_pdf(path).pages

    assert page.blocks[0].text == "harbour master"


def test_the_text_of_other_pages_is_that_of_pdfium(tmp_path: Path) -> None:
    path = draw(tmp_path, (60, 200, "THE LEASE (2023)"))

    with pypdfium2.PdfDocument(path) as document:
        textpage = document[0].get_textpage()
        letters = page_letters(document[0], textpage, raw_text(textpage))

    assert letters.text == letters.raw == "THE LEASE (2023)"
    assert letters.stand is None


def _shapes(folder: Path, shapes: bytes) -> Path:
    """Return a page on which the shapes stand from the left to the right."""
    return _page(folder, shapes + b" Tj", CMAP)


def _page(folder: Path, shapes: bytes, cmap: bytes) -> Path:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    words = stream(b"BT /F 12 Tf 20 200 Td " + shapes + b" ET")
    path = folder / "lease.pdf"
    path.write_bytes(pdf({3: page + resources, 4: words, 5: font, 6: stream(cmap)}))
    return path


def _read(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        textpage = document[0].get_textpage()
        return page_letters(document[0], textpage, raw_text(textpage)).text


@pytest.mark.parametrize(
    ("gap", "lines"),
    [
        pytest.param(40, ["the committee discussed the recon", "3"], id="the number of the page"),
        pytest.param(14, ["the committee discussed the recon-3"], id="a part of the word"),
    ],
)
def test_the_number_of_a_page_ends_no_broken_word(
    tmp_path: Path, gap: int, lines: list[str]
) -> None:
    canvas = Canvas(str(tmp_path / "page.pdf"))
    canvas.drawString(72, 100, "the committee discussed the recon-")
    canvas.drawString(72, 100 - gap, "3")
    canvas.save()

    (page,) = open_pdf(tmp_path / "page.pdf").pages

    assert "\n".join(block.text for block in page.blocks).split("\n") == lines
