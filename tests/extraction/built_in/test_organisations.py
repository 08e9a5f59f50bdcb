import pytest

from extraction.built_in.organisations import organisations
from tests.extraction.built_in.pages import RECEIPT, passages


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("QualityPrint AG - Uferweg 40", "QualityPrint AG"),
        ("Sold By : WS Retail Services Pvt. Ltd., Mumbai", "WS Retail Services Pvt. Ltd."),
        ("between St. Denis & Company, L.L.C. and others", "St. Denis & Company, L.L.C."),
        ("Die Nordlicht Handels GmbH liefert.", "Die Nordlicht Handels GmbH"),
    ],
)
def test_a_legal_form_ends_a_name(text: str, name: str) -> None:
    assert name in [one.value for one in organisations(passages(text))]


def test_the_first_lines_may_be_names_without_a_legal_form() -> None:
    found = organisations(passages("Hotel Seeblick (104512-X)\nTel: 0123\nRECEIPT"))

    assert [(one.value, one.form) for one in found] == [("Hotel Seeblick", 0.0)]


def test_an_address_is_no_name() -> None:
    names = [one.value for one in organisations(passages(RECEIPT))]

    assert names[0] == "PAPERMILL STATIONERY SDN BHD"
    assert "TAMAN SRI MUDA" not in names
