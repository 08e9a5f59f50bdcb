import pytest

from extraction.types import FieldType
from extraction.values.identifiers import LONGEST_IDENTIFIER
from tests.extraction.values.fields import found, normalised


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("No. INV-2024-001.", ["INV-2024-001"], id="invoice"),
        pytest.param("#BLR_WFLD20151000982590", ["#BLR_WFLD20151000982590"], id="hash"),
        pytest.param("NL50 INGB 0683 2513 09", ["NL50 INGB 0683 2513 09"], id="iban"),
        pytest.param("NL50INGB0683251309", ["NL50INGB0683251309"], id="iban, joined"),
        pytest.param("VAT DE 232 446 240", ["VAT DE 232 446 240"[4:]], id="vat"),
        pytest.param("Siren 421 938 861", ["421 938 861"], id="groups"),
        pytest.param("(12/34-B)", ["12/34-B"], id="marks within"),
        pytest.param("Total 10.00 on 19/10/2018 at 20:49:59", [], id="amount, date, time"),
        pytest.param("no digits at all", [], id="words"),
    ],
)
def test_identifiers_are_found(text: str, expected: list[str]) -> None:
    assert [value for _, value in found(FieldType.ID_ALPHANUMERIC, text)] == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(" INV-001. ", "INV-001", id="trimmed"),
        pytest.param("#A-1", "#A-1", id="hash stays"),
        pytest.param(12345, "12345", id="int"),
        pytest.param(12345.0, "12345", id="whole float"),
        pytest.param("DE  232\n446", "DE 232 446", id="spaces"),
        pytest.param("007", "007", id="zeros stay"),
        pytest.param(1.5, None, id="float"),
        pytest.param("...", None, id="nothing but marks"),
        pytest.param("A\x00 1", None, id="control"),
        pytest.param("x" * (LONGEST_IDENTIFIER + 1), None, id="too long"),
        pytest.param(True, None, id="bool"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_identifier_is_normalised(raw: object, expected: str | None) -> None:
    assert normalised(FieldType.ID_ALPHANUMERIC, raw) == expected
