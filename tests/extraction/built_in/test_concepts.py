import pytest

from extraction.built_in.concepts import Concept, concepts, read


@pytest.mark.parametrize("label", ["Invoice No.", "Rechnungsnr.", "facture n°", "Factuurnummer:"])
def test_the_number_of_an_invoice_is_one_in_all_languages(label: str) -> None:
    assert concepts(label) == {Concept.INVOICE, Concept.NUMBER}


@pytest.mark.parametrize(
    ("label", "meaning"),
    [
        ("Total (Excluding GST):", {Concept.TOTAL, Concept.NET}),
        ("Total amount due including tax", {Concept.TOTAL, Concept.GROSS}),
        ("amount_untaxed", {Concept.NET}),
        ("NET TOTAL", {Concept.TOTAL}),
        ("dueDate", {Concept.DUE}),
        ("Zahlungsziel", {Concept.DUE}),
        ("Payment terms", set()),
        ("🚀", set()),
    ],
)
def test_the_longest_phrase_says_what_is_meant(label: str, meaning: set[Concept]) -> None:
    assert concepts(label) == meaning


def test_a_name_is_read_word_by_word() -> None:
    assert read("invoiceNumber_2 (Straße)") == "invoice number 2 strasse"
