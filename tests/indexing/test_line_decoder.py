import numpy as np
import pytest
from rapidocr.ch_ppocr_rec.utils import CTCLabelDecode

from indexing.line_decoder import BLANK, LineDecoder

CHARACTERS = [*"0123456789abcdeijlnorstBINOPRSTV.,#"]
Step = dict[str, float]


@pytest.mark.parametrize(
    ("letters", "unsure", "text"),
    [
        pytest.param("rati0n", {4: {"o": 0.4}}, "ration", id="small letters"),
        pytest.param("Sa1es", {2: {"l": 0.1, "i": 0.02}}, "Sales", id="the likeliest"),
        pytest.param("Bi11#", {2: {"l": 0.03}, 3: {"l": 0.1}}, "Bill#", id="at the end"),
        pytest.param("NOTI0N", {4: {"O": 0.4}}, "NOTION", id="capitals"),
        pytest.param("NOTI0N", {4: {"O": 0.1}}, "NOTI0N", id="a code"),
        pytest.param("rati0n", {4: {"o": 0.01}}, "rati0n", id="surely a figure"),
        pytest.param("ra1b2c", {2: {"l": 0.4}}, "ra1b2c", id="among figures"),
        pytest.param("Tab1.2", {3: {"l": 0.4}}, "Tab1.2", id="before a figure"),
        pytest.param("Set10", {3: {"l": 0.4}, 4: {"o": 0.4}}, "Set10", id="a number"),
    ],
)
def test_a_figure_among_letters_is_the_letter_that_it_may_be(
    letters: str, unsure: dict[int, Step], text: str
) -> None:
    steps = [{letter: 0.55, **unsure.get(at, {})} for at, letter in enumerate(letters)]

    assert _read(_apart(steps)) == text


@pytest.mark.parametrize(
    ("letters", "unsure", "text"),
    [
        pytest.param("25o", {2: {"0": 0.1}}, "250", id="at the end"),
        pytest.param("I49", {0: {"1": 0.4}}, "149", id="at the beginning"),
        pytest.param(
            "2,soo", {2: {"5": 0.1}, 3: {"0": 0.01}, 4: {"0": 0.01}}, "2,500", id="groups"
        ),
        pytest.param("25o", {2: {"0": 0.01}}, "25o", id="surely a letter"),
        pytest.param("1o", {1: {"0": 0.1}}, "1o", id="an ordinal"),
        pytest.param("I.25", {0: {"1": 0.1}}, "I.25", id="a part and its chapter"),
        pytest.param("B25o", {3: {"0": 0.1}}, "B25o", id="a code"),
    ],
)
def test_a_letter_among_figures_is_the_figure_that_it_may_be(
    letters: str, unsure: dict[int, Step], text: str
) -> None:
    steps = [{letter: 0.55, **unsure.get(at, {})} for at, letter in enumerate(letters)]

    assert _read(_apart(steps)) == text


@pytest.mark.parametrize(
    ("before", "behind", "chance", "text"),
    [
        pytest.param("1", "2", 0.4, "1 2", id="figures"),
        pytest.param("4", "B", 0.4, "4 B", id="a letter behind"),
        pytest.param("1", "2", 0.1, "12", id="surely none"),
        pytest.param("a", "b", 0.4, "ab", id="letters"),
        pytest.param("1", ".", 0.4, "1.", id="a point"),
    ],
)
def test_a_space_beside_a_figure_is_one_though_almost_as_likely_as_none(
    before: str, behind: str, chance: float, text: str
) -> None:
    assert _read([{before: 0.9}, {" ": chance}, {behind: 0.9}]) == text


def test_where_the_letters_are_stays_known() -> None:
    _, words = _decoder()(_chances([{"1": 0.9}, {" ": 0.4}, {"2": 0.9}]), return_word_box=True)

    assert [steps for word in words for steps in word.word_cols] == [[0, 2]]


def _apart(steps: list[Step]) -> list[Step]:
    """Return the steps with one between any two at which there is surely nothing."""
    return [one for step in steps for one in (step, {})]


def _read(steps: list[Step]) -> str:
    ((text, _),), _ = _decoder()(_chances(steps))
    return text


def _decoder() -> LineDecoder:
    return LineDecoder(CTCLabelDecode(character=list(CHARACTERS)))


def _chances(steps: list[Step]) -> np.ndarray:
    """Return how likely each character is; what no character has is that there is none."""
    names = _decoder().character
    chances = np.zeros((1, len(steps), len(names)), dtype=np.float32)
    for at, step in enumerate(steps):
        for character, chance in step.items():
            chances[0, at, names.index(character)] = chance
        chances[0, at, BLANK] = 1 - sum(step.values())
    return chances
