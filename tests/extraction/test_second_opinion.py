"""What the built-in extractor thinks of a value that a model gave."""

import pytest

from extraction.second_opinion import SecondOpinions, agree
from extraction.types import FieldType, Habit, RequestedField, SourcePages, Value
from indexing.types import Block, BlockKind, Page

RECEIPT = "Subtotal 57.00\nService 3.30\nTotal 60.30\nCash 100.00\nChange 39.70"
TOTAL = RequestedField("total", "Total amount to be paid", FieldType.CURRENCY)


def opinions_on(*texts: str) -> SecondOpinions:
    sources = [
        SourcePages(f"ds_{n}", f"{n}.pdf", [Page(1, (Block(BlockKind.TEXT, text),))])
        for n, text in enumerate(texts)
    ]
    return SecondOpinions(sources, [Habit()] * len(sources))


def test_the_value_it_would_give_itself_is_preferred() -> None:
    opinion = opinions_on(RECEIPT).of(60.3, TOTAL)

    assert opinion.score > opinion.other_score


def test_of_a_wrong_value_it_prefers_another() -> None:
    opinion = opinions_on(RECEIPT).of(100.0, TOTAL)

    assert opinion.score < opinion.other_score


def test_a_value_it_has_not_seen_scores_nothing() -> None:
    opinion = opinions_on(RECEIPT).of(77.0, TOTAL)

    assert opinion.score == 0 < opinion.other_score


def test_the_values_of_all_sources_are_candidates() -> None:
    opinion = opinions_on(RECEIPT, "Total 75.00").of(75.0, TOTAL)

    assert opinion.score > 0
    assert opinion.other_score > 0


def test_pages_without_a_value_have_no_opinion() -> None:
    opinion = opinions_on("").of(60.3, TOTAL)

    assert (opinion.score, opinion.other_score) == (0, 0)


@pytest.mark.parametrize(
    ("value", "other", "is_one"),
    [
        pytest.param(60.3, 60.3, True, id="numbers"),
        pytest.param(60.3, 60.0, False, id="other numbers"),
        pytest.param("Coolblue B.V.", "Bluecool Trading", False, id="other names"),
        pytest.param("Promark Inc.", "CDW; Promark, Inc.", True, id="one of several"),
        pytest.param("Coolblue B.V.", "Coolblue B.V. Weena 664", True, id="a part"),
        pytest.param("Promark Technology Inc.", "Promark Technology, Inc", True, id="punctuation"),
        pytest.param("GOLDEN DRAGON CAFE", "GOLDEN DRAGQN CAFE", True, id="recognition"),
        pytest.param("99 Speed Mart S/B", "99 SPEED MART 5/8", True, id="digits for letters"),
        pytest.param("99 Speed Mart 5/8", "99 SPEED MART 5/9", False, id="another digit"),
        pytest.param("2024-03", "2024-03-05", True, id="a less exact date"),
        pytest.param("2014-04-19", "2014-04-18", False, id="another day"),
        pytest.param("INV-2024-001", "INV-2024-007", False, id="another number in it"),
        pytest.param("", "anything", False, id="nothing"),
    ],
)
def test_values_agree_when_they_name_one_thing(value: Value, other: Value, is_one: bool) -> None:
    assert agree(value, other) is is_one
