from extraction.built_in.concepts import Concept
from extraction.built_in.wanted import read_field
from extraction.types import FieldType, RequestedField


def test_the_name_counts_for_more_than_the_description() -> None:
    wanted = read_field(RequestedField("due_date", "Of the invoice", FieldType.DATE))

    assert wanted.concepts == {Concept.DUE: 1.0, Concept.INVOICE: 0.5}


def test_the_description_speaks_where_the_name_means_nothing() -> None:
    wanted = read_field(RequestedField("x1", "The governing law", FieldType.TEXT))

    assert wanted.means(Concept.LAW)


def test_a_due_date_is_special_and_the_date_is_not() -> None:
    assert read_field(RequestedField("due date", "", FieldType.DATE)).special == {Concept.DUE}
    assert not read_field(RequestedField("date", "", FieldType.DATE)).special


def test_words_whose_meaning_is_not_known_are_kept() -> None:
    wanted = read_field(RequestedField("deposit amount", "", FieldType.CURRENCY))

    assert wanted.unknown_terms == {"deposit"}


def test_what_was_paid_is_the_total_and_not_what_was_handed_over() -> None:
    wanted = read_field(RequestedField("total", "Total amount paid", FieldType.CURRENCY))

    assert Concept.PAID not in wanted.concepts


def test_a_name_without_words_has_no_terms() -> None:
    assert not read_field(RequestedField("🚀", "", FieldType.TEXT)).terms
