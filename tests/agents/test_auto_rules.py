from dataclasses import replace

import pytest

from agents.auto_rules import (
    LONG_EVIDENCE_TOKENS,
    NARROW_MARGIN,
    SIGNIFICANT_CHARACTERS,
    estimated_tokens,
    first_rule,
)
from config.model_table import AutoRule
from indexing.types import Chunk
from tests.agents.chunks import chunk
from tests.agents.routing_questions import QUESTIONS

FACT = "When does the lease end?"
TABLE = "Item | 2022 | 2023\nRent | 900 | 950\nWater | 40 | 42"
FIGURE = "Growth of the fleet\nFigure: A bar chart of lorries by year."


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        pytest.param(question, rule, id=f"{rule}: {question[:40]}")
        for rule, questions in QUESTIONS.items()
        for question in questions
    ],
)
def test_question_is_told_by_its_words(question: str, rule: AutoRule) -> None:
    assert first_rule(question) is rule


def test_the_table_of_questions_is_large_enough() -> None:
    assert len({question for questions in QUESTIONS.values() for question in questions}) >= 60


def test_advanced_reasoning_comes_before_everything_else() -> None:
    assert first_rule(FACT, advanced_reasoning=True) is AutoRule.ADVANCED_REASONING


def test_question_decides_before_the_evidence() -> None:
    assert first_rule("Compare the rents.", ranked(TABLE, TABLE)) is AutoRule.COMPARISON


def test_long_evidence() -> None:
    half = "x" * (LONG_EVIDENCE_TOKENS * 3 // 2)

    assert first_rule(FACT, ranked(half)) is AutoRule.SINGLE_FACT
    assert first_rule(FACT, ranked(half, half)) is AutoRule.LONG_EVIDENCE


@pytest.mark.parametrize(
    ("contents", "rule"),
    [
        pytest.param([FIGURE], AutoRule.FIGURES, id="figure"),
        pytest.param([TABLE], AutoRule.FIGURES, id="table"),
        pytest.param([FIGURE, "a", TABLE, "b"], AutoRule.FIGURES, id="half of the best"),
        pytest.param([FIGURE, "a", "b"], AutoRule.SINGLE_FACT, id="fewer than half"),
        pytest.param(["a", "b", "c", "d", TABLE, TABLE], AutoRule.SINGLE_FACT, id="far behind"),
        pytest.param(["Either a | b or c."], AutoRule.SINGLE_FACT, id="one line with a bar"),
        pytest.param(["See Figure: 3"], AutoRule.SINGLE_FACT, id="mention of a figure"),
    ],
)
def test_figures_among_the_best_passages(contents: list[str], rule: AutoRule) -> None:
    assert first_rule(FACT, ranked(*contents)) is rule


@pytest.mark.parametrize(
    ("scores", "rule"),
    [
        pytest.param([0.9], AutoRule.SINGLE_FACT, id="a single passage"),
        pytest.param([0.9, 0.5, 0.5], AutoRule.SINGLE_FACT, id="wide"),
        pytest.param([0.6, 0.59, 0.58], AutoRule.NARROW_MARGIN, id="narrow"),
        pytest.param([0.6, 0.6, 0.2], AutoRule.SINGLE_FACT, id="two stand out"),
        pytest.param([0.6] * 8 + [0.0] * 40, AutoRule.NARROW_MARGIN, id="only the best count"),
        pytest.param(
            [0.6, 0.6 - NARROW_MARGIN - 0.001], AutoRule.SINGLE_FACT, id="just wide enough"
        ),
    ],
)
def test_margin_of_the_best_passage(scores: list[float], rule: AutoRule) -> None:
    chunks = [replace(chunk(number), score=score) for number, score in enumerate(scores)]

    assert first_rule(FACT, chunks) is rule


@pytest.mark.parametrize(
    "question",
    ["", "?", "¿¡", "\n\t", "🙂", "1234567890", "x" * 100_000, "(((((", "\\", "\x00"],
    ids=lambda question: repr(question[:10]),
)
def test_any_text_gets_a_rule(question: str) -> None:
    assert first_rule(question) in AutoRule


def test_nothing_asked_is_nothing_special() -> None:
    assert first_rule("") is AutoRule.STANDARD


def test_question_is_read_only_at_its_beginning() -> None:
    padding = "word " * (SIGNIFICANT_CHARACTERS // 5)

    assert first_rule(padding + "compare") is AutoRule.STANDARD


def test_tokens_are_never_counted_too_few_in_dense_scripts() -> None:
    assert estimated_tokens("租约什么时候到期") >= 8


def ranked(*contents: str) -> list[Chunk]:
    """Return passages with these contents, of which the first stands out."""
    return [
        replace(chunk(number, content), score=0.9 if number == 0 else 0.1)
        for number, content in enumerate(contents)
    ]
