from extraction.built_in.ranking import Candidate
from extraction.built_in.selects import NO_OPTION, choose
from extraction.types import Evidence, FieldType, Option, RequestedField

EVIDENCE = Evidence("ds_1", "a.pdf", 1, "It is a lease.")


def test_the_likeliest_option_is_chosen() -> None:
    found = choose(_field(FieldType.SINGLE_SELECT), [_named("lease", 0.6), _named("sale", 0.3)])

    assert found.value == "lease"
    assert found.evidence == (EVIDENCE,)
    assert 0 < found.confidence <= 0.5


def test_all_likely_options_are_chosen_in_their_order() -> None:
    found = choose(_field(FieldType.MULTI_SELECT), [_named("loan", 0.4), _named("lease", 0.38)])

    assert found.value == ["lease", "loan"]
    assert len(found.evidence) == 2


def test_an_option_that_is_hardly_spoken_of_is_not_chosen() -> None:
    unlikely = [_named("sale", 0.05)]

    for kind in (FieldType.SINGLE_SELECT, FieldType.MULTI_SELECT):
        found = choose(_field(kind), unlikely)
        assert (found.value, found.confidence, found.reason) == (None, 0.0, NO_OPTION)


def test_no_option_is_chosen_where_none_is_named() -> None:
    assert choose(_field(FieldType.SINGLE_SELECT), []).value is None


def _field(kind: FieldType) -> RequestedField:
    return RequestedField("kind", "What it is", kind, ("lease", "sale", "loan"))


def _named(option: Option, score: float) -> Candidate:
    return Candidate(option, score, 0, 1, EVIDENCE, "single_select")
