from itertools import pairwise

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from indexing.latin_words import with_codes, with_words_from_right
from indexing.ocr_models import Picture
from indexing.tesseract import ReadLine, Word
from tests.fonts import DEJAVU, needs_dejavu

pytestmark = needs_dejavu


def test_a_code_that_was_taken_for_other_letters_is_as_the_models_read_it() -> None:
    assert _with_codes([("Ключ", "Ключ"), ("FP25790", "ЕР25790")]) == ["Ключ FP25790"]


def test_words_and_codes_of_other_letters_stay() -> None:
    assert _with_codes([("Сорт", "Сорт"), ("ДШ4510", "ДШ4510")]) == ["Сорт ДШ4510"]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        pytest.param(["JK63111", "WN63124"], "PH44650", id="more Latin ones"),
        pytest.param(["ДШ63111", "ЖЩ63124"], "РН44650", id="more of its letters"),
        pytest.param([], "РН44650", id="none"),
    ],
)
def test_a_code_that_may_be_either_is_as_most_others(others: list[str], expected: str) -> None:
    lines = [[(other, other)] for other in others]

    assert _with_codes([("PH44650", "РН44650")], *lines)[0] == expected


def test_words_from_the_right_come_as_they_run_from_the_left() -> None:
    drawn = ["عقد", "info@", "firm.com", "2019"]
    taken = ["عقد", "310721", "1150", "2019"]

    assert _from_right(drawn, taken, gaps=[30, 0, 30]) == ["عقد info@firm.com 2019"]


def test_a_word_from_the_right_that_is_not_latin_stays() -> None:
    assert _from_right(["عقد", "موظف"], ["عقد", "موطف"], gaps=[30]) == ["عقد موطف"]


def test_figures_of_the_script_stay() -> None:
    assert _from_right(["عقد", "٢٠١٩"], ["عقد", "٢٠١٩"], gaps=[30]) == ["عقد ٢٠١٩"]


def test_a_line_whose_words_are_not_told_stays() -> None:
    assert with_codes([ReadLine("ЕР25790", 0.9)], [_drawn(["FP25790"], [])[0]]) == ["ЕР25790"]


def _with_codes(*lines: list[tuple[str, str]]) -> list[str]:
    """Return the texts of lines, given each word as it is drawn and as it was taken."""
    read, crops = [], []
    for line in lines:
        crop, places = _drawn([drawn for drawn, _ in line], [30] * (len(line) - 1))
        taken = [text for _, text in line]
        read.append(_read(taken, places))
        crops.append(crop)
    return with_codes(read, crops)


def _from_right(drawn: list[str], taken: list[str], gaps: list[int]) -> list[str]:
    """Return the text of a line of words, given as they stand from the left: the first is Arabic.

    Tesseract names them from the right.
    """
    crop, places = _drawn([*drawn[1:], drawn[0]], [*gaps[1:], gaps[0]])
    words = [taken[0], *reversed(taken[1:])]
    return with_words_from_right([_read(words, places[::-1])], [crop])


def _read(texts: list[str], places: list[tuple[int, int]]) -> ReadLine:
    words = tuple(Word(text, *place, 0.8) for text, place in zip(texts, places, strict=True))
    return ReadLine(" ".join(texts), 0.9, words)


def _drawn(words: list[str], gaps: list[int]) -> tuple[Picture, list[tuple[int, int]]]:
    """Return the picture of words side by side, and where each is."""
    font = ImageFont.truetype(DEJAVU, 30)
    lengths = [round(font.getlength(word)) for word in words]
    lefts = np.cumsum([10, *(sum(pair) for pair in zip(lengths, gaps, strict=False))])
    picture = Image.new("RGB", (int(lefts[-1]) + lengths[-1] + 10, 48), "white")
    for word, left in zip(words, lefts, strict=True):
        ImageDraw.Draw(picture).text((int(left), 5), word, "black", font)
    places = [(int(left), int(left) + length) for left, length in zip(lefts, lengths, strict=True)]
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    return np.asarray(picture), places
