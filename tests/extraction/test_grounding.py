"""Where a value stands in the documents, and how surely it is the value of its field."""

import pytest

from extraction.grounding import Grounder, Grounding, GroundingKind
from extraction.types import FieldType, Habit, Option, RequestedField, SourcePages, Value
from indexing.types import Block, BlockKind, Page, ReadBy

LEASE = (
    "This lease is made on 3. März 2024 between Promark Technology, Inc. and the tenant.\n"
    "The deposit is 2,400.00 EUR.\n"
    "The monthly rent is 1,200.00 EUR.\n"
    "It ends after two (2) years. A break fee of 2,400.00 EUR is due before.\n"
    "Questions: 1,200.00 reasons, https://example.org/lease"
)
BOX = (0.1, 0.2, 0.5, 0.22)


def source_of(*texts: str, name: str = "lease.pdf", read_by: ReadBy = ReadBy.TEXT) -> SourcePages:
    pages = [
        Page(number, (Block(BlockKind.TEXT, text),), read_by=read_by)
        for number, text in enumerate(texts, 1)
    ]
    return SourcePages(f"ds_{name}", name, pages)


def ground(
    value: Value,
    kind: FieldType,
    *texts: str,
    name: str = "field",
    options: tuple[Option, ...] = (),
    quote: str = "",
) -> Grounding:
    grounder = Grounder([source_of(*texts or (LEASE,))], [Habit()])
    return grounder.ground(value, RequestedField(name, "", kind, options), quote)


@pytest.mark.parametrize(
    ("value", "kind", "passage"),
    [
        pytest.param(1200.0, FieldType.CURRENCY, "monthly rent", id="currency"),
        pytest.param(1200.0, FieldType.NUMBER, "monthly rent", id="number"),
        pytest.param("2024-03-03", FieldType.DATE, "3. März 2024", id="date"),
        pytest.param("EUR", FieldType.CURRENCY_SYMBOL, "2,400.00 EUR", id="currency code"),
        pytest.param("https://example.org/lease", FieldType.URL, "Questions", id="address"),
        pytest.param("the tenant", FieldType.TEXT, "and the tenant.", id="text"),
        pytest.param("The deposit is", FieldType.VERBATIM, "The deposit is", id="verbatim"),
    ],
)
def test_a_value_is_grounded_by_what_it_is(value: Value, kind: FieldType, passage: str) -> None:
    found = ground(value, kind)

    assert (found.kind, found.score, found.value) == (GroundingKind.EXACT, 1.0, value)
    assert passage in "".join(one.text for one in found.evidence)
    assert all(one.text in LEASE for one in found.evidence)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        pytest.param(1300.0, FieldType.CURRENCY, id="another number"),
        pytest.param("2024-03-04", FieldType.DATE, id="another date"),
        pytest.param("USD", FieldType.CURRENCY_SYMBOL, id="another currency"),
        pytest.param("https://example.com", FieldType.URL, id="another address"),
        pytest.param("Quillfeather Estates", FieldType.TEXT, id="another name"),
        pytest.param("3 years", FieldType.TEXT, id="words there, number not"),
        pytest.param("The deposit was paid", FieldType.VERBATIM, id="another passage"),
        pytest.param("The deposlt is 2,400.00", FieldType.VERBATIM, id="nearly verbatim"),
    ],
)
def test_a_value_that_is_nowhere_is_none(value: Value, kind: FieldType) -> None:
    assert ground(value, kind) == Grounding(None, GroundingKind.NONE)


def test_a_long_text_may_say_it_in_other_words() -> None:
    summary = "Somebody lets somewhere to somebody else, who promises money every few weeks forever"

    found = ground(summary, FieldType.TEXT)

    assert (found.kind, found.value, found.evidence) == (GroundingKind.NONE, summary, ())


def test_a_verbatim_value_becomes_the_passage_as_it_stands() -> None:
    found = ground("BETWEEN PROMARK TECHNOLOGY, INC.", FieldType.VERBATIM)

    assert (found.value, found.kind) == (
        "between Promark Technology, Inc.",
        GroundingKind.NORMALISED,
    )


def test_a_text_whose_words_stand_together_is_fuzzy() -> None:
    found = ground("2 years", FieldType.TEXT)

    assert (found.kind, found.score, found.value) == (GroundingKind.FUZZY, 1.0, "2 years")
    assert "two (2) years" in found.evidence[0].text


def test_a_number_of_a_text_may_be_written_in_words() -> None:
    found = ground("2 years", FieldType.TEXT, "It ends two years after the date above.")

    assert (found.kind, found.score) == (GroundingKind.FUZZY, 1.0)


def test_the_place_nearest_to_the_words_of_the_field_comes_first() -> None:
    deposit = ground(2400.0, FieldType.CURRENCY, name="deposit")
    fee = ground(2400.0, FieldType.CURRENCY, name="break_fee")

    assert "deposit" in deposit.evidence[0].text
    assert "break fee" in fee.evidence[0].text


def test_a_quote_that_is_on_a_page_guides_to_its_place() -> None:
    found = ground(2400.0, FieldType.CURRENCY, name="deposit", quote="a break fee of 2,400.00 EUR")

    assert "break fee" in found.evidence[0].text


@pytest.mark.parametrize("texts", [(LEASE, "A page of 7.00 EUR"), ("",), (" ", "…")])
def test_what_is_prepared_changes_nothing(texts: tuple[str, ...]) -> None:
    field = RequestedField("deposit", "", FieldType.CURRENCY)
    prepared, plain = (Grounder([source_of(*texts)], [Habit()]) for _ in range(2))

    prepared.prepare(field)

    assert prepared.ground(2400.0, field, "deposit") == plain.ground(2400.0, field, "deposit")


def test_a_quote_proves_nothing() -> None:
    assert ground(77.0, FieldType.CURRENCY, quote="The deposit is 2,400.00 EUR.").value is None
    assert ground(77.0, FieldType.CURRENCY, quote="The deposit is 77.00 EUR.").evidence == ()


def test_the_words_of_a_field_are_nearer_to_its_own_value() -> None:
    rent = ground(1200.0, FieldType.CURRENCY, name="monthly rent")
    other = ground(2400.0, FieldType.CURRENCY, name="monthly rent")

    assert rent.nearness > other.nearness


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        pytest.param("tenant", FieldType.SINGLE_SELECT, id="one"),
        pytest.param(["tenant", "deposit"], FieldType.MULTI_SELECT, id="several"),
    ],
)
def test_options_are_grounded_by_their_mentions(value: Value, kind: FieldType) -> None:
    found = ground(value, kind, options=("tenant", "deposit", "guarantor"))

    assert (found.kind, found.score) == (GroundingKind.EXACT, 1.0)
    assert "tenant" in found.evidence[0].text


def test_options_of_which_some_are_mentioned_are_grounded_in_part() -> None:
    chosen: list[Option] = ["tenant", "guarantor"]

    found = ground(chosen, FieldType.MULTI_SELECT, options=("tenant", "guarantor"))

    assert (found.kind, found.score, found.value) == (GroundingKind.FUZZY, 0.5, chosen)


def test_an_option_that_is_not_written_may_rest_on_a_quote_that_is() -> None:
    options = ("residential", "commercial")

    quoted = ground("commercial", FieldType.SINGLE_SELECT, options=options, quote="a break fee")
    invented = ground("commercial", FieldType.SINGLE_SELECT, options=options, quote="an office")

    assert (quoted.kind, bool(quoted.evidence)) == (GroundingKind.FUZZY, True)
    assert (invented.kind, invented.value) == (GroundingKind.NONE, "commercial")


def test_evidence_names_source_page_passage_and_box() -> None:
    page = Page(7, (Block(BlockKind.TEXT, "Total 10.60", line_boxes=(BOX,)),), read_by=ReadBy.OCR)
    scan = SourcePages("ds_scan", "scan.jpg", [page])
    grounder = Grounder([source_of(LEASE), scan], [Habit(), Habit()])

    found = grounder.ground(10.6, RequestedField("total", "", FieldType.CURRENCY))

    (evidence,) = found.evidence
    assert (evidence.data_source_id, evidence.file_name) == ("ds_scan", "scan.jpg")
    assert (evidence.page_number, evidence.text, evidence.box) == (7, "Total 10.60", BOX)
    assert found.is_recognised


def test_each_source_is_read_by_its_own_habit() -> None:
    sources = [source_of("Due 05/06/2024", name="uk.pdf"), source_of("Due 05/06/2024", name="us")]
    grounder = Grounder(sources, [Habit(day_first=True), Habit(day_first=False)])

    found = grounder.ground("2024-06-05", RequestedField("due", "", FieldType.DATE))

    assert [one.file_name for one in found.evidence] == ["uk.pdf"]


def test_no_more_than_the_first_places_are_reported() -> None:
    found = ground(5.5, FieldType.NUMBER, *(f"Row {n}: 5.5" for n in range(9)))

    assert [one.page_number for one in found.evidence] == [1, 2, 3]
