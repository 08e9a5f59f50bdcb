import pytest

from extraction.built_in.labels import Surroundings
from tests.extraction.built_in.pages import passages


@pytest.mark.parametrize(
    ("text", "value", "label"),
    [
        ("Exclusief BTW € 593,36 Subtotaal € 717,97", "717,97", "Subtotaal"),
        ("BTW 21% € 124,61", "124,61", "BTW"),
        ("Invoice No: PM-20817", "PM-20817", "Invoice No:"),
        ("It was signed. The rent is due on 1 May 2024.", "1 May 2024", "The rent is due on"),
        ("24.50", "24.50", ""),
    ],
)
def test_the_words_before_a_value_are_its_label(text: str, value: str, label: str) -> None:
    assert _around(text, value).label == label


def test_a_cell_is_labelled_by_the_cell_left_of_it() -> None:
    assert _around("Item | Sum\nTotal: |  | 8.96", "8.96").label == "Total:"


def test_a_value_alone_is_labelled_by_the_line_above() -> None:
    around = _around("Invoice date\n7 May 2014", "7 May 2014")

    assert around.label == "Invoice date"
    assert around.own_label == ""


def test_a_cell_has_the_head_of_its_column() -> None:
    assert _around("Item | Net | Tax\nPaper | 18.00 | 3.42", "3.42").column == "Tax"


def test_what_stands_behind_a_value_ends_at_the_next_figure() -> None:
    assert _around("29.99 incl. VAT 3.00", "29.99").after == "incl. VAT"


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        ('Acme Inc., a company (the "Tenant"), pays.', "Tenant"),
        ("Between Acme Inc., the tenant, and Lee & Co.", "tenant"),
        ("Acme Inc. (hereinafter called the Tenant) pays.", "Tenant"),
        ("Zwischen Acme Inc., als Mieter, und Lee & Co.", "Mieter"),
        ("Acme Inc., the owner of the warehouse in Bristol, pays.", ""),
        ("Acme Inc. pays.", ""),
    ],
)
def test_a_definition_is_the_role_behind_a_name(text: str, definition: str) -> None:
    assert _around(text, "Acme Inc.").definition == definition


def test_a_sentence_is_where_a_value_stands() -> None:
    assert _around("It rains. Pay 5 now! Go.", "5").sentence == "Pay 5 now!"


def _around(text: str, value: str) -> Surroundings:
    passage = next(one for one in reversed(passages(text)) if value in one.text)
    start = passage.text.rindex(value)
    return Surroundings(passage, start, start + len(value))
