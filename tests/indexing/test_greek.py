import numpy as np
import pytest

from indexing.greek import GreekDecoder, is_greek

BLANK = "blank"
CHARACTERS = [BLANK, *"oοOoτtνvήíιεϊLlusx0", " "]


def test_a_letter_divided_among_its_likes_outweighs_the_guess_of_none() -> None:
    text = _decoded({"τ": 0.9}, {BLANK: 0.9, "ο": 0.06, "o": 0.04}, {BLANK: 1.0})

    assert text == "το"


def test_what_is_certainly_no_letter_stays_none() -> None:
    text = _decoded({"τ": 0.9}, {BLANK: 0.999, "ο": 0.001}, {"ε": 0.6, BLANK: 0.4})

    assert text == "τε"


def test_an_accent_comes_from_the_latin_letter_that_has_one() -> None:
    text = _decoded({"τ": 0.9}, {BLANK: 0.9, "í": 0.1}, {BLANK: 1.0})

    assert text == "τί"


def test_a_space_is_no_surer_than_before() -> None:
    text = _decoded({"τ": 0.9}, {BLANK: 0.9, " ": 0.1}, {"ε": 0.9})

    assert text == "τε"


def test_a_latin_word_stays_one() -> None:
    words = [{"ν": 0.9}, {"ι": 0.9}, {" ": 1.0}, {"L": 0.9}, {"u": 0.9}, {"x": 0.9}]

    assert _decoded(*words) == "νι Lux"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["ισωτ φελει α διτηρε", "τ ητ κλ τστσ"], True, id="Greek"),
        pytest.param(["IANIKHΣ QΛHΣEN", "ΛOΓAPIAΣMOΣ"], True, id="capitals"),
        pytest.param(["The wave length λ is 5 μm", "and Δt is short"], False, id="formula"),
        pytest.param([], False, id="nothing"),
    ],
)
def test_greek_is_told_by_the_letters_that_came(texts: list[str], expected: bool) -> None:
    assert is_greek(texts) is expected


def _decoded(*steps: dict[str, float]) -> str:
    chances = np.zeros((1, len(steps), len(CHARACTERS)), dtype=np.float32)
    for number, step in enumerate(steps):
        for character, chance in step.items():
            chances[0, number, CHARACTERS.index(character)] = chance
    ((text, _),), _ = GreekDecoder(CHARACTERS)(chances)
    return text
