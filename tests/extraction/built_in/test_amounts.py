from extraction.built_in.amounts import amount_signs
from extraction.built_in.mentions import Mention
from extraction.built_in.wanted import Wanted, read_field
from extraction.types import FieldType, RequestedField
from tests.extraction.built_in.pages import passages

RECEIPT = {"Net": 100.0, "VAT": 19.0, "Sum": 119.0, "Cash": 150.0, "Change": 31.0}


def test_a_total_is_what_net_and_tax_add_up_to() -> None:
    assert _with("total", "adds_up") == {"Sum"}
    assert _with("net_amount", "adds_up") == {"Net"}
    assert _with("vat", "adds_up") == {"VAT"}


def test_the_largest_amount_that_is_owed_was_not_handed_over() -> None:
    assert _with("total", "largest") == {"Sum"}


def test_a_total_is_cash_less_change() -> None:
    assert _with("total", "settled") == {"Sum"}


def test_only_a_total_is_the_largest() -> None:
    assert _with("net_amount", "largest") == set()


def test_no_amounts_have_no_signs() -> None:
    assert amount_signs(_wanted("total"), []) == []


def _with(name: str, sign: str) -> set[str]:
    """Return the labels of the amounts that have a sign, for a field of this name."""
    lines = passages("\n".join(f"{label} {value:.2f}" for label, value in RECEIPT.items()))
    mentions = [
        Mention(line, len(label) + 1, len(line.text), value)
        for line, (label, value) in zip(lines, RECEIPT.items(), strict=True)
    ]
    signs = amount_signs(_wanted(name), mentions)
    return {label for label, one in zip(RECEIPT, signs, strict=True) if one[sign]}


def _wanted(name: str) -> Wanted:
    return read_field(RequestedField(name, "", FieldType.CURRENCY))
