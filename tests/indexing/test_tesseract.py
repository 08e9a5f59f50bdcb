from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from indexing.ocr import recognize
from indexing.ocr_models import Picture
from indexing.tesseract import find_script, readable_scripts, script_of

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
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
    picture = Image.new("RGB", (900, 400), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(DEJAVU, 28)
    for number, line in enumerate(RUSSIAN):
        draw.text((40, 40 + 60 * number), line, "black", font)
    return np.asarray(picture)


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
def test_a_picture_without_letters_is_in_no_script() -> None:
    assert find_script(np.full((300, 300, 3), 255, np.uint8)) is None


def test_a_script_without_data_for_it_is_not_read() -> None:
    assert script_of("Runic") is None
