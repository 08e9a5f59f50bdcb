import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont, features

from indexing.ocr import recognize
from indexing.ocr_models import Picture
from indexing.tesseract import find_script, readable_scripts, script_of
from tests.fonts import DEJAVU, needs_dejavu

RUSSIAN = [
    "Договор аренды заключён двенадцатого марта.",
    "Арендатор обязуется оплачивать воду и свет",
    "каждый месяц до десятого числа. Общая сумма",
    "составляет 45 300 рублей, включая налог.",
]

needs_russian = pytest.mark.skipif(
    "Cyrillic" not in readable_scripts() or not DEJAVU.exists(),
    reason="needs tesseract-ocr, tesseract-ocr-rus and fonts-dejavu-core",
)


@pytest.fixture
def page() -> Picture:
    return _drawn([[line] for line in RUSSIAN])


@needs_russian
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_letters_that_the_models_do_not_know_are_read_whichever_way_they_lie(
    page: Picture, turns: int
) -> None:
    reading = recognize(np.ascontiguousarray(np.rot90(page, turns)))

    assert [line.text for line in reading.lines] == RUSSIAN
    assert reading.quarter_turns == (4 - turns) % 4
    assert not reading.has_unknown_letters


@needs_russian
def test_a_photograph_in_which_no_script_can_be_told_is_read(page: Picture) -> None:
    table = np.full((800, 1600, 3), (70, 90, 120), np.uint8)
    table[200 : 200 + len(page), 300 : 300 + page.shape[1]] = page
    light = np.linspace(0.35, 0.9, table.shape[1])[:, None]
    grain = np.random.default_rng(0).normal(0, 6, table.shape)
    photograph = np.clip(table * light + grain, 0, 255).astype(np.uint8)

    reading = recognize(photograph)

    assert find_script(photograph) is None
    assert [line.text for line in reading.lines] == RUSSIAN


@needs_russian
def test_lines_in_half_a_shadow_are_read(page: Picture) -> None:
    shaded = page.copy()
    shaded[:, :400] = shaded[:, :400] * 0.5

    assert [line.text for line in recognize(shaded).lines] == RUSSIAN


@needs_russian
def test_words_among_many_figures_are_read() -> None:
    rows = [["Снятие наличных", "2 818,33", "258,00"], ["Заработная плата", "476,44", "275,54"]]

    reading = recognize(_drawn([["Дата и остаток по счёту"], *rows * 3]))

    texts = [line.text for line in reading.lines]
    assert texts[0] == "Дата и остаток по счёту"
    assert sorted(texts[1:]) == sorted(cell for row in rows * 3 for cell in row)


@needs_dejavu
def test_a_paragraph_in_other_letters_is_read_or_the_page_said_to_have_unknown_ones() -> None:
    text = [["This agreement is made in two languages."], [RUSSIAN[0]], ["Both of them are equal."]]

    reading = recognize(_drawn(text))

    is_whole = [[line.text] for line in reading.lines] == text
    assert is_whole is (script_of("Cyrillic") is not None)
    assert reading.has_unknown_letters is not is_whole


@needs_russian
def test_a_picture_without_letters_is_in_no_script() -> None:
    assert find_script(np.full((300, 300, 3), 255, np.uint8)) is None


def test_a_script_without_data_for_it_is_not_read() -> None:
    assert script_of("Runic") is None


def _drawn(lines: list[list[str]]) -> Picture:
    picture = Image.new("RGB", (900, 80 + 60 * len(lines)), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(DEJAVU, 28)
    for number, line in enumerate(lines):
        for place, text in enumerate(line):
            draw.text((40 + 330 * place, 40 + 60 * number), text, "black", font)
    return np.asarray(picture)


ARABIC = "وقعت شركة Siemens AG عقدا بقيمة 45300 مع مدينة الرياض"

needs_arabic = pytest.mark.skipif(
    "Arabic" not in readable_scripts() or not DEJAVU.exists() or not features.check("raqm"),
    reason="needs tesseract-ocr, tesseract-ocr-ara, fonts-dejavu-core and Pillow with Raqm",
)


@needs_arabic
def test_latin_names_among_letters_from_the_right_are_read_within_rules() -> None:
    picture = Image.new("RGB", (1100, 420), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(DEJAVU, 30)
    for number in range(4):
        place = (1060, 30 + 100 * number)
        draw.text(place, ARABIC, "black", font, anchor="ra", direction="rtl")
        draw.rectangle((40, place[1] - 12, 1072, place[1] + 54), outline="black", width=2)

    reading = recognize(np.asarray(picture))

    assert [line.text for line in reading.lines] == [ARABIC] * 4
    assert not reading.has_unknown_letters


@needs_russian
def test_a_line_that_cannot_be_read_is_told_of(page: Picture) -> None:
    spoilt = page.copy()
    spoilt[105:125, ::6] = spoilt[165:185, ::6] = 0

    reading = recognize(spoilt)

    assert [line.text for line in reading.lines] != RUSSIAN
    assert reading.has_unknown_letters


@needs_arabic
def test_blurred_words_among_figures_are_read() -> None:
    names = ["أرز بسمتي", "زيت زيتون", "سكر أبيض", "شاي أسود", "دقيق القمح", "ملح الطعام"] * 2
    picture = Image.new("RGB", (800, 760), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(DEJAVU, 22)
    for number, name in enumerate(names):
        draw.text((760, 20 + 60 * number), name, "black", font, anchor="ra", direction="rtl")
        draw.text((60, 20 + 60 * number), f"{number + 2}4.50", "black", font)

    reading = recognize(np.asarray(picture.filter(ImageFilter.GaussianBlur(1.5))))

    texts = [line.text for line in reading.lines]
    assert sum(name in texts for name in names) >= len(names) / 2


@needs_arabic
@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            ["إيصال استلام البضاعة", "المبلغ الإجمالي خمسون درهما"],
            id="two lines",
        ),
        pytest.param(["السقف يحتاج إلى إصلاح قبل الشتاء"], id="one line"),
    ],
)
def test_short_lines_of_which_the_models_know_nothing_are_read(lines: list[str]) -> None:
    picture = Image.new("RGB", (900, 240), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(DEJAVU, 34)
    for number, line in enumerate(lines):
        draw.text((860, 40 + 80 * number), line, "black", font, anchor="ra", direction="rtl")

    reading = recognize(np.asarray(picture))

    assert [line.text for line in reading.lines] == lines
