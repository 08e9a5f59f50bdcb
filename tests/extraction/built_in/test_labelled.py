from extraction.built_in.labelled import behind_labels, labelled, passages_of_text
from tests.extraction.built_in.pages import passages


def test_each_colon_of_a_line_has_a_value_behind_it() -> None:
    found = behind_labels(passages("Receipt: 42 Cashier: Ann Lee"))

    assert [one.value for one in found] == ["42", "Ann Lee"]


def test_cells_are_values() -> None:
    found = behind_labels(passages("Name | Ann\nTown: Ulm | x"))

    assert [one.value for one in found] == ["Name", "Ann", "Ulm", "x"]


def test_the_mark_of_an_address_is_no_label() -> None:
    assert not list(behind_labels(passages("https://example.com/a")))


def test_a_line_below_a_label_is_a_value() -> None:
    assert "Ann Lee" in [one.value for one in labelled(passages("Tenant\nAnn Lee"))]


def test_sentences_are_word_for_word() -> None:
    text = "The tenant insures the goods. It pays for that."

    found = [one.value for one in passages_of_text(passages(text))]

    assert found == ["The tenant insures the goods."]
