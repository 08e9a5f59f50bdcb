import numpy as np
import pytest

from agents.extractive.candidates import find_candidates
from agents.extractive.question import read_question
from agents.extractive.selection import MAX_SENTENCES, select_sentences

TEXT = "The rent is due monthly. It is paid by transfer. The key is at the gate."
SHEET = "2023 2022\nCash $ 5 $ 7\nTotal assets $ 8 $ 9"
PRICES = "Item | Unit price | Stock\nPallet jack | 310.00 | 6"


@pytest.mark.parametrize(
    ("question", "scores", "texts"),
    [
        pytest.param("When is it due?", [3.0, 2.9, 0.0], 1, id="a date stands in one sentence"),
        pytest.param("What is due?", [3.0, 2.9, 0.0], 2, id="nearly as good"),
        pytest.param("What is due?", [3.0, 2.0, 0.0], 1, id="not as good"),
        pytest.param("Why is it due?", [3.0, 2.0, 1.6], 3, id="broad"),
    ],
)
def test_as_many_sentences_as_the_question_needs(
    question: str, scores: list[float], texts: int
) -> None:
    assert len(selected(question, TEXT, scores)) == texts


def test_broad_answer_has_its_limit() -> None:
    text = " ".join(f"Line {letter} is here." for letter in "abcdefgh")

    assert len(selected("Why is it here?", text, [1.0] * 8)) == MAX_SENTENCES


def test_same_thing_in_other_words_is_left_out() -> None:
    vectors = np.eye(3, dtype=np.float32)
    vectors[1] = vectors[0]

    texts = selected("What is due?", TEXT, [3.0, 2.9, 2.8], vectors)

    assert texts == ["The rent is due monthly.", "The key is at the gate."]


def test_sentences_stand_in_reading_order() -> None:
    assert selected("What is paid?", TEXT, [2.9, 3.0, 0.0]) == [
        "The rent is due monthly.",
        "It is paid by transfer.",
    ]


@pytest.mark.parametrize(
    ("question", "table", "answer"),
    [
        pytest.param("What was cash in FY2023?", SHEET, "Cash; 2023: $ 5", id="year"),
        pytest.param("What is the cash?", SHEET, "Cash; 2023: $ 5; 2022: $ 7", id="no column"),
        pytest.param(
            "Did cash grow from 2022 to 2023?",
            SHEET,
            "Cash; 2023: $ 5; 2022: $ 7",
            id="two columns",
        ),
        pytest.param(
            "What is the price of the jack?",
            PRICES,
            "Item: Pallet jack; Unit price: 310.00",
            id="part of the column's name",
        ),
    ],
)
def test_row_is_cut_to_the_cells_that_are_asked_for(question: str, table: str, answer: str) -> None:
    scores = [3.0, 2.9] if table is SHEET else [3.0]

    assert selected(question, table, scores) == [answer]


def selected(
    question: str, passage: str, scores: list[float], vectors: np.ndarray | None = None
) -> list[str]:
    candidates = find_candidates([passage], "english")
    asked = read_question(question, [one.own_terms for one in candidates], "english")
    vectors = np.eye(len(candidates), dtype=np.float32) if vectors is None else vectors
    found = select_sentences(asked, candidates, np.array(scores), vectors)
    return [sentence.text for sentence in found]
