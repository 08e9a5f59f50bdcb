import re

import cv2
import numpy as np
import pytest
from PIL import ImageDraw, ImageFont

from indexing.ocr import GLANCED_LINES, glance, recognize
from indexing.ocr_models import Picture
from tests.files.drawn import RECEIPT, draw_lines, draw_unknown_letters

TEXT = ["Storm lantern 24.50", "Deck lamp 61.00", "The goods are paid."]


@pytest.fixture(scope="module")
def note() -> Picture:
    drawn = draw_lines([[line] for line in TEXT], (480, 200), 26)
    return np.asarray(drawn.convert("RGB"))


def test_lines_are_recognised_with_their_places(note: Picture) -> None:
    lines = recognize(note).lines

    assert [line.text for line in lines] == TEXT
    assert [line.top for line in lines] == sorted(line.top for line in lines)
    assert all(0 <= line.left < line.right <= 480 for line in lines)


def test_a_line_reaches_from_its_first_letter_to_its_last_one(note: Picture) -> None:
    inked = np.flatnonzero((note[:70] < 128).any(axis=(0, 2)))

    line = recognize(note).lines[0]

    assert abs(line.left - inked[0]) < 3
    assert abs(line.right - inked[-1]) < 3


@pytest.mark.parametrize("turns", [pytest.param(n, id=f"{n * 90} degrees") for n in (1, 2, 3)])
def test_a_turned_picture_is_read_as_if_upright(note: Picture, turns: int) -> None:
    turned = np.ascontiguousarray(np.rot90(note, turns))

    reading = recognize(turned)

    assert [line.text for line in reading.lines] == TEXT
    assert (reading.quarter_turns + turns) % 4 == 0


def test_lines_of_a_skewed_picture_lie_straight() -> None:
    drawn = draw_lines(RECEIPT, (600, 600), 24).rotate(6, fillcolor="white")

    lines = recognize(np.asarray(drawn.convert("RGB"))).lines

    total, price = (
        next(line for line in lines if line.text == text) for text in ("TOTAL", "85.50")
    )
    assert abs(total.middle - price.middle) < total.height / 3


def test_what_is_known_is_not_recognised_again(note: Picture) -> None:
    covered = np.zeros(note.shape[:2], dtype=np.bool_)
    covered[:110] = True

    lines = recognize(note, covered).lines

    assert [line.text for line in lines] == TEXT[1:] or [line.text for line in lines] == TEXT[2:]


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(np.full((300, 300, 3), 200, dtype=np.uint8), id="one colour"),
        pytest.param(np.zeros((4, 300, 3), dtype=np.uint8), id="a hair's breadth"),
        pytest.param(cv2.circle(np.zeros((300, 300, 3), np.uint8), (150, 150), 90, 255), id="ring"),
    ],
)
def test_a_picture_without_text_has_no_lines(picture: Picture) -> None:
    assert recognize(picture).lines == ()


def test_letters_that_nobody_here_knows_are_told() -> None:
    page = np.asarray(draw_unknown_letters())

    assert recognize(page).has_unknown_letters


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(TEXT, id="words"),
        pytest.param(
            ["Rent ........................ 3", "Deposit ..................... 7"], id="dots"
        ),
        pytest.param(["Name ________________", "Date ________________"], id="a form"),
    ],
)
def test_a_text_whose_letters_are_known_is_none_of_these(lines: list[str]) -> None:
    drawn = draw_lines([[line] for line in lines], (640, 240), 26)

    reading = recognize(np.asarray(drawn.convert("RGB")))

    assert reading.lines
    assert not reading.has_unknown_letters


def test_a_glance_tells_what_lines_begin_with(note: Picture) -> None:
    seen = glance(np.ascontiguousarray(np.rot90(note)))

    assert set(seen.texts) <= set(TEXT)
    assert seen.score > 0.9


def test_of_a_long_page_a_glance_reads_only_some_lines() -> None:
    drawn = draw_lines([["Storm lantern"]] * 30, (400, 1200), 24).convert("RGB")

    assert glance(np.asarray(drawn)).texts == ("Storm lantern",) * GLANCED_LINES


def test_a_glance_tells_of_unknown_letters_and_of_nothing() -> None:
    assert glance(np.asarray(draw_unknown_letters())).has_unknown_letters
    assert glance(np.full((300, 300, 3), 255, dtype=np.uint8)).texts == ()
    assert glance(np.zeros((4, 300, 3), dtype=np.uint8)).texts == ()


def test_a_list_of_contents_keeps_its_page_numbers_apart_and_has_no_unknown_letters() -> None:
    drawn = draw_lines([["Contents of the report"]], (900, 400), 22)
    pen, font = ImageDraw.Draw(drawn), ImageFont.load_default(22)
    for number, title in enumerate(("Introduction", "Installation", "Maintenance", "Index")):
        y = 100 + 50 * number
        pen.text((40, y), title, "black", font)
        start = 44 + pen.textlength(title, font)
        pen.text((start, y), "." * int((820 - start) / pen.textlength(".", font)), "black", font)
        pen.text((824, y), str(11 + number), "black", font)

    reading = recognize(np.asarray(drawn.convert("RGB")))

    words = re.findall(r"\w+", " ".join(line.text for line in reading.lines))
    assert {"11", "12", "13", "14"} <= set(words)
    assert not reading.has_unknown_letters
