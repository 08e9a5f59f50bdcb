from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing.ocr import Glance
from indexing.partition.pdf.hidden_text import HiddenTexts, Worth, is_hidden
from indexing.partition.pdf.pictures import drawn_objects

SEEN = (
    "The keeper of the lamps has written that",
    "his stock would not have lasted the winter",
    "and that which was sold before it came",
    "from the northern harbour during a storm",
)
TEXT = "\n".join(SEEN)
SURE = Glance(SEEN, 0.99)
GERMAN = (
    "Der Wärter führt über die Öle",
    "ein Verzeichnis, prüft die Fässer",
    "und übergibt größere Schäden",
)
RUSSIAN = ("Договор аренды склада заключён", "на три года с первого марта", "за счёт арендатора")
FOREIGN = Glance(("KHnra", "CTpaHa"), 0.9, has_unknown_letters=True)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TEXT, id="the same"),
        pytest.param(TEXT.replace("storm", "stonn").replace("sold", "soId"), id="a few errors"),
        pytest.param(f"{TEXT}\nThe crew drank.", id="more than was glanced at"),
    ],
)
def test_what_agrees_with_the_picture_is_kept(text: str) -> None:
    assert HiddenTexts().judge(text, SURE) is Worth.KEPT


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Tbc kccpcr 0f tlic larnps lias wr1ttcn tbat b1s st0ck", id="garbage"),
        pytest.param("".join(chr(ord(letter) + 1) for letter in TEXT), id="wrong encoding"),
        pytest.param(" ".join(TEXT.replace(" ", "")), id="letters apart"),
        pytest.param(TEXT.replace(" ", ""), id="no spaces"),
        pytest.param("\n".join(SEEN[:2]), id="half of the page"),
        pytest.param("Gulls were seen over the pier when the fog had lifted.", id="another page"),
        pytest.param("Тпе кеерег оГ Те Татрз паз мпНеп", id="recognised as Russian"),
    ],
)
def test_what_the_picture_does_not_say_is_wrong(text: str) -> None:
    assert HiddenTexts().judge(text, SURE) is Worth.WRONG


def test_a_picture_that_is_hard_to_read_says_nothing_about_its_text() -> None:
    assert HiddenTexts().judge("Gulls were seen.", Glance(SEEN, 0.7)) is Worth.KEPT


def test_letters_that_are_not_well_recognised_are_kept() -> None:
    seen = Glance(("Cac tau den tu phia bac duoc kiem", "tra truoc khi di vao cang va"), 0.97)

    assert HiddenTexts().judge("Các tàu đến từ phía bắc được kiểm tra ở cầu", seen) is Worth.KEPT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("\n".join(GERMAN), Worth.KEPT, id="all accents"),
        pytest.param("\n".join(GERMAN).replace("ß", "B"), Worth.KEPT, id="most of them"),
        pytest.param(
            "Der Warter fuhrt uber die Ole ein Verzeichnis, pruft die Fasser und ubergibt Schaden",
            Worth.WRONG,
            id="none, as recognised as English",
        ),
    ],
)
def test_a_text_without_the_accents_of_its_language_is_wrong(text: str, expected: Worth) -> None:
    assert HiddenTexts().judge(text, Glance(GERMAN, 0.99)) is expected


def test_accents_of_a_few_names_are_not_missed() -> None:
    seen = Glance((*SEEN[:3], "from Malmö during a storm, says Åsa"), 0.99)

    assert (
        HiddenTexts().judge(f"{TEXT[:-40]}from Malmo during a storm, says Asa", seen) is Worth.KEPT
    )


def test_other_letters_are_compared_where_they_are_recognised_too() -> None:
    seen = Glance(RUSSIAN, 0.9)

    assert HiddenTexts().judge("\n".join(RUSSIAN), seen) is Worth.KEPT
    assert HiddenTexts().judge("Договор аренды скпада\n1 ну тра с", seen) is Worth.WRONG


def test_latin_letters_over_a_picture_of_unknown_ones_are_doubtful() -> None:
    assert HiddenTexts().judge("KHnra o CTpaHe n ropoAe", FOREIGN) is Worth.DOUBTFUL
    assert HiddenTexts().judge("Книга о стране и городе", FOREIGN) is Worth.KEPT
    assert HiddenTexts().judge("The letter was written by hand", FOREIGN) is Worth.KEPT


def test_once_a_text_was_good_only_odd_ones_are_looked_at() -> None:
    hidden = HiddenTexts()
    before = hidden.need_a_look(TEXT, 10_000)

    hidden.judge(TEXT, SURE)

    assert before
    assert not hidden.need_a_look(TEXT, 10_000)
    assert hidden.need_a_look("Tbc kccpcr 0f tlic larnps lias wr1ttcn", 10_000)
    assert hidden.need_a_look(TEXT, 500_000)  # half a line on a large page


def test_once_a_text_was_wrong_all_are_looked_at() -> None:
    hidden = HiddenTexts()

    hidden.judge("Gulls were seen over the pier when the fog had lifted.", SURE)

    assert hidden.need_a_look(TEXT, 10_000)


@pytest.mark.parametrize("how", ["no strokes", "no colour", "below"])
def test_text_is_hidden(tmp_path: Path, how: str) -> None:
    assert _is_hidden(tmp_path / "hidden.pdf", how)


def test_text_on_a_picture_is_not_hidden(tmp_path: Path) -> None:
    assert not _is_hidden(tmp_path / "seen.pdf", "seen")


def _is_hidden(path: Path, how: str) -> bool:
    canvas = Canvas(str(path), pagesize=(200, 200))
    picture = ImageReader(Image.new("L", (60, 60), "white"))
    if how != "below":
        canvas.drawImage(picture, 0, 0, 200, 200)
    canvas.setFillAlpha(0 if how == "no colour" else 1)
    canvas.drawString(20, 100, "Storm lanterns", mode=3 if how == "no strokes" else 0)
    if how == "below":
        canvas.drawImage(picture, 0, 0, 200, 200)
    canvas.save()
    with pypdfium2.PdfDocument(path) as pdf:
        page = pdf[0]
        return is_hidden(page.get_textpage(), drawn_objects(page))
