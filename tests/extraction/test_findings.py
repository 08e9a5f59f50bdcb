"""What becomes of the answers of a model."""

import pytest

from extraction.confidence import UNGROUNDED
from extraction.extractor import Answer
from extraction.findings import NOT_ON_THE_PAGES, Findings
from extraction.types import ExtractedField, FieldType, Habit, RequestedField, SourcePages
from tests.extraction.documents import source, wanted

LEASE = source("Ann Smith lets to Acme Ltd. Deposit: 300 EUR.", "The total rent is 1.250,00 EUR.")
TOTAL = wanted("total rent", FieldType.CURRENCY)
PARTY = wanted("tenant", FieldType.TEXT)
STATE = wanted("state", FieldType.SINGLE_SELECT, "signed", "draft")


def test_answer_becomes_a_value_with_its_place() -> None:
    found = result(TOTAL, answer(TOTAL, 1250))

    assert found.value == 1250
    assert [(one.page_number, one.text) for one in found.evidence] == [
        (2, "The total rent is 1.250,00 EUR.")
    ]
    assert 0 < found.confidence <= 1
    assert found.reason


def test_text_is_read_by_the_habit_of_its_source() -> None:
    american = source("The total rent is 1.250 EUR.", data_source_id="ds_2")
    habits = [Habit(decimal_comma=True), Habit(decimal_comma=False)]

    values = [
        result_of([LEASE, american], habits, TOTAL, answer(TOTAL, "1.250", source=number)).value
        for number in (0, 1)
    ]

    assert values == [1250, 1.25]


def test_field_nobody_answers_has_the_reason_for_that() -> None:
    found = result(TOTAL)

    assert found == ExtractedField(TOTAL, None, 0.0, (), "nothing was said")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param(STATE, "cancelled", id="no option"),
        pytest.param(TOTAL, "a lot", id="no amount"),
        pytest.param(PARTY, "Umbrella Corporation", id="name that stands nowhere"),
    ],
)
def test_value_that_cannot_be_is_dropped(field: RequestedField, value: object) -> None:
    found = result(field, answer(field, value))

    assert (found.value, found.confidence, found.reason) == (None, 0.0, NOT_ON_THE_PAGES)


def test_value_that_stands_nowhere_is_never_trusted() -> None:
    found = result(TOTAL, answer(TOTAL, 99))

    assert found.confidence <= UNGROUNDED
    assert found.evidence == ()


def test_value_is_found_only_where_the_pages_have_it() -> None:
    findings = Findings([LEASE], [Habit()])

    findings.add([answer(TOTAL, 99), answer(PARTY, "Acme Ltd.")])

    assert (findings.has(TOTAL), findings.has(PARTY), findings.has(STATE)) == (False, True, False)


def test_answers_of_several_windows_are_merged() -> None:
    found = result(TOTAL, answer(TOTAL, 300), answer(TOTAL, 1250))

    assert found.value == 1250
    assert found.confidence <= 0.5


def test_unsure_model_is_not_trusted_more_than_it_trusts_itself() -> None:
    sure, unsure = (
        result(TOTAL, answer(TOTAL, 1250, log_probability=log)).confidence for log in (-0.01, -3.0)
    )

    assert unsure < 0.1 < sure


def answer(
    field: RequestedField,
    value: object,
    *,
    source: int | None = 0,
    log_probability: float | None = None,
) -> Answer:
    return Answer(field, value, "", source, log_probability)


def result(field: RequestedField, *answers: Answer) -> ExtractedField:
    return result_of([LEASE], [Habit(decimal_comma=True)], field, *answers)


def result_of(
    sources: list[SourcePages], habits: list[Habit], field: RequestedField, *answers: Answer
) -> ExtractedField:
    findings = Findings(sources, habits)
    findings.add(answers)
    return findings.result(field, "nothing was said")
