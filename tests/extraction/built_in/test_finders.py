import pytest

from extraction.built_in.finders import Finders
from extraction.built_in.wanted import read_field
from extraction.types import FieldType, Habit, RequestedField
from tests.extraction.built_in.pages import passages

PAGE = """Contact: Ann Lee, ann@lamps.example, +49 40 123 4567

Governing law: Germany

Invoice No: PM-20817 of 1 March 2024, EUR 24.50 at 19 % VAT, see www.lamps.example"""


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("email", FieldType.TEXT, "ann@lamps.example"),
        ("telephone", FieldType.TEXT, "+49 40 123 4567"),
        ("governing_law", FieldType.TEXT, "Germany"),
        ("invoice number", FieldType.TEXT, "PM-20817"),
        ("invoice date", FieldType.TEXT, "1 March 2024"),
        ("currency", FieldType.TEXT, "EUR"),
        ("invoice number", FieldType.ID_ALPHANUMERIC, "PM-20817"),
        ("date", FieldType.DATE, "2024-03-01"),
        ("total", FieldType.CURRENCY, 24.5),
        ("vat", FieldType.PERCENTAGE, 19.0),
        ("currency", FieldType.CURRENCY_SYMBOL, "EUR"),
        ("site", FieldType.URL, "www.lamps.example"),
        ("anything", FieldType.TEXT, "Germany"),
    ],
)
def test_a_field_finds_what_it_may_be(name: str, kind: FieldType, value: object) -> None:
    assert value in _values(RequestedField(name, "", kind))


def test_options_are_found_where_they_are_named() -> None:
    field = RequestedField("law", "", FieldType.SINGLE_SELECT, ("France", "Germany"))

    assert _values(field) == ["Germany"]


def test_a_value_behind_a_label_of_something_else_is_not_taken() -> None:
    assert "Germany" not in _values(RequestedField("supplier", "", FieldType.TEXT))


def _values(field: RequestedField) -> list[object]:
    _, mentions = Finders(passages(PAGE), Habit()).find(read_field(field))
    return [mention.value for mention in mentions]
