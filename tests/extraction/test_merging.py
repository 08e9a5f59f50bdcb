"""From several answers to one value."""

import pytest

from extraction.grounding import Grounding, GroundingKind
from extraction.merging import Candidate, merge
from extraction.types import Evidence, FieldType, RequestedField, Value
from tests.extraction.documents import wanted

AMOUNT = wanted()
DATE = wanted("signed", FieldType.DATE)
NAME = wanted("party", FieldType.TEXT)
TAGS = wanted("tags", FieldType.MULTI_SELECT, "a", "b", "c")


def test_single_answer_is_taken() -> None:
    merged = merge(AMOUNT, [candidate(5)])

    assert (merged.candidate.value, merged.agreement) == (5, 1.0)
    assert merged.reason == "It is the only value that was found."


def test_answers_that_agree_are_sure() -> None:
    merged = merge(AMOUNT, [candidate(5), candidate(5), candidate(5)])

    assert (merged.candidate.value, merged.agreement) == (5, 1.0)
    assert merged.reason == "All 3 parts of the documents that have a value agree."


def test_what_most_say_is_taken_with_less_agreement() -> None:
    merged = merge(AMOUNT, [candidate(7, nearness=0.9), candidate(5), candidate(5)])

    assert (merged.candidate.value, merged.agreement) == (5, pytest.approx(2 / 3))
    assert merged.reason == (
        "2 of 3 parts of the documents that have a value say this, more than anything else."
    )


def test_what_the_pages_have_goes_before_what_most_say() -> None:
    nowhere = [candidate(7, GroundingKind.NONE) for _ in range(2)]

    merged = merge(AMOUNT, [*nowhere, candidate(5)])

    assert (merged.candidate.value, merged.agreement) == (5, pytest.approx(1 / 3))
    assert "more literally" in merged.reason


def test_of_equals_the_one_nearest_to_the_field_is_taken() -> None:
    merged = merge(AMOUNT, [candidate(7, nearness=0.1), candidate(5, nearness=0.6)])

    assert (merged.candidate.value, merged.agreement) == (5, 0.5)
    assert "nearer to the words of the field" in merged.reason


@pytest.mark.parametrize(
    ("field", "values", "value"),
    [
        pytest.param(DATE, ["2024-03", "2024-03-05", "2024"], "2024-03-05", id="date"),
        pytest.param(NAME, ["Acme", "ACME Ltd."], "ACME Ltd.", id="name"),
    ],
)
def test_more_exact_answer_agrees_with_the_others_and_is_taken(
    field: RequestedField, values: list[Value], value: Value
) -> None:
    merged = merge(field, [candidate(one) for one in values])

    assert (merged.candidate.value, merged.agreement) == (value, 1.0)
    assert merged.reason.endswith("agree, and this is the most exact.")


def test_longer_answer_that_the_pages_have_less_well_is_not_taken() -> None:
    merged = merge(NAME, [candidate("Acme"), candidate("Acme Ltd", GroundingKind.FUZZY)])

    assert (merged.candidate.value, merged.agreement) == ("Acme", 1.0)


def test_word_that_begins_another_is_another() -> None:
    merged = merge(NAME, [candidate("Ann"), candidate("Annual"), candidate("Ann")])

    assert (merged.candidate.value, merged.agreement) == ("Ann", pytest.approx(2 / 3))


def test_longer_identifier_is_another() -> None:
    id_ = wanted("no", FieldType.ID_ALPHANUMERIC)

    assert merge(id_, [candidate("A-1"), candidate("A-1-2")]).agreement == 0.5


def test_true_is_not_one() -> None:
    merged = merge(wanted("f", FieldType.SINGLE_SELECT, 1, True), [candidate(1), candidate(True)])

    assert merged.agreement == 0.5


def test_options_are_united_in_their_order_with_all_places() -> None:
    answers = [candidate(["c"], page=2), candidate(["a", "c"], page=5)]

    merged = merge(TAGS, answers)

    assert merged.candidate.value == ["a", "c"]
    assert [one.page_number for one in merged.candidate.grounding.evidence] == [2, 5]
    assert merged.agreement == 0.75
    assert merged.reason == "The options of 2 parts of the documents were united."


def test_united_options_are_as_sure_as_the_weakest_of_them() -> None:
    answers = [candidate(["c"], log_probability=-2.0), candidate(["a"], GroundingKind.FUZZY)]

    united = merge(TAGS, answers).candidate

    assert (united.grounding.kind, united.log_probability) == (GroundingKind.FUZZY, -2.0)


def candidate(
    value: Value,
    kind: GroundingKind = GroundingKind.EXACT,
    *,
    nearness: float = 0.5,
    page: int = 1,
    log_probability: float | None = None,
) -> Candidate:
    evidence = (Evidence("ds_1", "lease.pdf", page, "text"),)
    return Candidate(value, Grounding(value, kind, 1.0, evidence, nearness), log_probability)
