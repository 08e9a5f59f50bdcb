from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.pictures import (
    Area,
    drawn_objects,
    has_picture,
    has_text,
    holds_pictures,
    page_areas,
    picture_areas,
)

FILES = Path(__file__).parents[3] / "files"
PICTURE = ImageReader(Image.effect_noise((300, 300), 60))


@pytest.mark.parametrize(
    ("text", "is_text"),
    [
        pytest.param("The lease runs for three years and ends on 31 March 2024.", True, id="prose"),
        pytest.param("Page 3", False, id="little"),
        pytest.param("倉庫の賃貸借契約は三年間とし、" * 4, True, id="Japanese"),
        pytest.param("a long\x02\r\nterm lease of the ware\x02\r\nhouse " * 3, True, id="hyphens"),
    ],
)
def test_a_page_has_text_if_it_has_enough(text: str, is_text: bool) -> None:
    assert has_text(text) is is_text


def test_a_file_tells_whether_it_holds_pictures() -> None:
    assert holds_pictures(FILES / "delivery-note-scan.pdf")
    assert not holds_pictures(FILES / "warehouse-lease.pdf")


def test_a_picture_written_among_the_text_is_on_the_page(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "inline.pdf"), pagesize=(600, 800))
    canvas.drawInlineImage(Image.new("RGB", (9, 9)), 50, 500, 200, 200)
    canvas.showPage()
    canvas.drawString(60, 700, "No picture")
    canvas.save()

    with closing(pypdfium2.PdfDocument(tmp_path / "inline.pdf")) as pdf:
        assert [has_picture(drawn_objects(page)) for page in pdf] == [True, False]
    assert not holds_pictures(tmp_path / "inline.pdf")


def test_only_large_pictures_without_text_over_them_are_looked_at(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "pictures.pdf"), pagesize=(600, 800))
    canvas.drawImage(PICTURE, 50, 500, 200, 200)
    canvas.drawImage(PICTURE, 300, 500, 30, 30)
    canvas.drawImage(PICTURE, 50, 100, 200, 200)
    for number in range(12):
        canvas.drawString(60, 110 + 15 * number, "words over a background")
    canvas.save()

    assert _picture_areas(tmp_path / "pictures.pdf") == [(50, 500, 250, 700)]


def test_strips_of_one_picture_are_joined(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "strips.pdf"), pagesize=(600, 800))
    for number in range(10):
        canvas.drawImage(PICTURE, 100, 300 + 20 * number, 300, 20)
    canvas.save()

    assert _picture_areas(tmp_path / "strips.pdf") == [(100, 300, 400, 500)]


def test_a_picture_within_a_form_is_found_where_it_stands(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "form.pdf"), pagesize=(600, 800))
    canvas.beginForm("letterhead", 0, 0, 300, 300)
    canvas.drawImage(PICTURE, 0, 0, 100, 100)
    canvas.endForm()
    canvas.translate(200, 300)
    canvas.scale(2, 2)
    canvas.doForm("letterhead")
    canvas.save()

    assert _picture_areas(tmp_path / "form.pdf") == [(200, 300, 400, 500)]


def test_letters_drawn_as_outlines_make_a_page_worth_looking_at(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "outlines.pdf"), pagesize=(600, 800))
    for number in range(60):
        canvas.line(50 + 5 * number, 700, 52 + 5 * number, 710)
    canvas.save()

    with closing(pypdfium2.PdfDocument(tmp_path / "outlines.pdf")) as pdf:
        page = pdf[0]
        assert page_areas(page, drawn_objects(page)) == [Area(0, 0, 600, 800)]


def _picture_areas(path: Path) -> list[tuple[int, int, int, int]]:
    with closing(pypdfium2.PdfDocument(path)) as pdf:
        page = pdf[0]
        areas = picture_areas(page, page.get_textpage(), drawn_objects(page))
    return [
        (round(area.left), round(area.bottom), round(area.right), round(area.top)) for area in areas
    ]
