import time

import pytest

from extraction.built_in.extract import extract_built_in
from extraction.types import ExtractedField, FieldType, RequestedField, SourcePages, Value
from indexing.types import Page
from tests.extraction.built_in.pages import LEASE, RECEIPT, no_vectors, source

INVOICE = """QualityPrint AG
Uferweg 40
63571 Gelnhausen

Rechnungsnr.: 30064443
Rechnungsdatum: 7. Mai 2014
Zahlungsziel: 21. Mai 2014

Nettobetrag 1.000,00 EUR
MwSt. 19 % 190,00 EUR
Gesamtbetrag 1.190,00 EUR

www.qualityprint.example"""


@pytest.mark.parametrize(
    ("document", "name", "kind", "value"),
    [
        (RECEIPT, "company", FieldType.TEXT, "PAPERMILL STATIONERY SDN BHD"),
        (
            RECEIPT,
            "address",
            FieldType.TEXT,
            "12, JALAN MERDEKA 3, TAMAN SRI MUDA, 40150 SHAH ALAM",
        ),
        (RECEIPT, "date", FieldType.DATE, "2018-08-14"),
        (RECEIPT, "total", FieldType.CURRENCY, 24.5),
        (RECEIPT, "receipt number", FieldType.ID_ALPHANUMERIC, "PM-20817"),
        (RECEIPT, "change", FieldType.CURRENCY, 25.5),
        (INVOICE, "issuer", FieldType.TEXT, "QualityPrint AG"),
        (INVOICE, "invoice_number", FieldType.ID_ALPHANUMERIC, "30064443"),
        (INVOICE, "invoice_date", FieldType.DATE, "2014-05-07"),
        (INVOICE, "due_date", FieldType.DATE, "2014-05-21"),
        (INVOICE, "net_amount", FieldType.CURRENCY, 1000),
        (INVOICE, "tax", FieldType.CURRENCY, 190),
        (INVOICE, "tax rate", FieldType.PERCENTAGE, 19),
        (INVOICE, "total", FieldType.NUMBER, 1190),
        (INVOICE, "currency", FieldType.CURRENCY_SYMBOL, "EUR"),
        (INVOICE, "website", FieldType.URL, "www.qualityprint.example"),
        (LEASE, "parties", FieldType.TEXT, "Northgate Storage GmbH; Harbour Lamps Ltd"),
        (LEASE, "tenant", FieldType.TEXT, "Harbour Lamps Ltd"),
        (LEASE, "governing_law", FieldType.TEXT, "Ohio"),
        (LEASE, "end date", FieldType.DATE, "2029-03-31"),
        (
            LEASE,
            "clause on the governing laws",
            FieldType.VERBATIM,
            "This Lease is governed by the laws of the State of Ohio.",
        ),
    ],
)
def test_a_field_gets_the_value_of_the_document(
    document: str, name: str, kind: FieldType, value: Value
) -> None:
    found = _extract(RequestedField(name, "", kind), source(document))

    assert found.value == value
    assert found.confidence > 0.3
    assert found.evidence[0].page_number == 1


@pytest.mark.parametrize(
    ("document", "name", "kind"),
    [
        (RECEIPT, "due date", FieldType.DATE),
        (RECEIPT, "iban", FieldType.ID_ALPHANUMERIC),
        (RECEIPT, "governing law", FieldType.TEXT),
        (RECEIPT, "interest rate", FieldType.PERCENTAGE),
        (LEASE, "date of birth", FieldType.DATE),
        (LEASE, "total", FieldType.CURRENCY),
        (LEASE, "website", FieldType.URL),
        (LEASE, "__class__", FieldType.TEXT),
        (LEASE, "🚀", FieldType.DATE),
        (LEASE, "", FieldType.VERBATIM),
    ],
)
def test_what_the_document_does_not_hold_is_null(document: str, name: str, kind: FieldType) -> None:
    found = _extract(RequestedField(name, "", kind), source(document))

    assert (found.value, found.confidence, found.evidence) == (None, 0.0, ())
    assert found.reason


def test_options_are_chosen_among_those_of_the_field() -> None:
    field = RequestedField(
        "document_type", "Lease or sale", FieldType.SINGLE_SELECT, ("Lease", "Sale")
    )

    assert _extract(field, source(LEASE)).value == "Lease"


def test_the_likeliest_value_of_all_sources_is_taken() -> None:
    vague = source("It came to 31.00 EUR.", data_source_id="ds_vague")
    clear = source("Total: 24.50 EUR", data_source_id="ds_clear")

    found = _extract(RequestedField("total", "", FieldType.CURRENCY), vague, clear)

    assert found.value == 24.5
    assert found.evidence[0].data_source_id == "ds_clear"


def test_many_fields_come_in_their_order() -> None:
    fields = [RequestedField(f"date {number}", "", FieldType.DATE) for number in range(40)]

    found = [
        one for some in extract_built_in(fields, [source(RECEIPT)], no_vectors) for one in some
    ]

    assert [one.field for one in found] == fields


@pytest.mark.parametrize("kind", FieldType)
@pytest.mark.parametrize(
    "sources",
    [
        pytest.param([], id="no source"),
        pytest.param([SourcePages("ds_1", "a.pdf", [Page(1, ())])], id="empty page"),
        pytest.param([source("\n\n")], id="blank lines"),
        pytest.param([source(" | \n | ")], id="empty cells"),
    ],
)
def test_nothing_is_found_in_nothing(kind: FieldType, sources: list[SourcePages]) -> None:
    field = RequestedField("total", "The total", kind, ("a", 1))

    ((found,),) = extract_built_in([field], sources, no_vectors)

    assert found.value is None


def test_a_line_of_endless_amounts_takes_no_endless_time() -> None:
    began = time.process_time()

    found = _extract(
        RequestedField("total", "", FieldType.CURRENCY),
        source("Total 24.50 EUR " + "EUR 1 000 " * 4_000),
    )

    assert found.value is not None
    # With all of the line looked at for each of them, it would take half a minute.
    assert time.process_time() - began < 15


def _extract(field: RequestedField, *sources: SourcePages) -> ExtractedField:
    ((found,),) = extract_built_in([field], sources, no_vectors)
    return found
