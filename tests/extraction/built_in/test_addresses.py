import pytest

from extraction.built_in.addresses import addresses, looks_like_address
from tests.extraction.built_in.pages import RECEIPT, passages


def test_the_lines_of_an_address_are_joined() -> None:
    (address,) = addresses(passages(RECEIPT))

    assert address.value == "12, JALAN MERDEKA 3, TAMAN SRI MUDA, 40150 SHAH ALAM"
    page = address.passage.page.text
    start, end = address.page_span
    assert page[start:end] == "12, JALAN MERDEKA 3,\nTAMAN SRI MUDA,\n40150 SHAH ALAM"


@pytest.mark.parametrize(
    ("sentence", "address"),
    [
        (
            "Acme, having an address at 6408 Parkland Drive, Suite 104, Sarasota, Florida 34243.",
            "6408 Parkland Drive, Suite 104, Sarasota, Florida 34243",
        ),
        ("They let the hall at 14 Dock Street, 20457 Hamburg.", "14 Dock Street, 20457 Hamburg"),
    ],
)
def test_running_text_has_addresses(sentence: str, address: str) -> None:
    assert address in [one.value for one in addresses(passages(sentence))]


def test_the_label_of_an_address_is_left_out() -> None:
    (address,) = addresses(passages("Address: 12 High Street, Leeds LS1 4AB"))

    assert address.value == "12 High Street, Leeds LS1 4AB"


@pytest.mark.parametrize(
    "line", ["1 10.00 10.00", "TEL: 03-5512 8876", "12:07 PM", "Invoice 12, page 3", "x" * 200, ""]
)
def test_other_lines_do_not_look_like_addresses(line: str) -> None:
    assert looks_like_address(line) == 0
