import pytest

from extraction.types import FieldType
from tests.extraction.values.fields import found, normalised


@pytest.mark.parametrize(
    ("text", "written", "value"),
    [
        pytest.param("of 12.5 % a year", "12.5 %", 12.5, id="space"),
        pytest.param("of 12,5% a year", "12,5%", 12.5, id="comma"),
        pytest.param("12½ %", "12½ %", 12.5, id="fraction"),
        pytest.param("5 per cent", "5 per cent", 5, id="per cent"),
        pytest.param("5 Prozent", "5 Prozent", 5, id="prozent"),
        pytest.param("5 pour cent", "5 pour cent", 5, id="pour cent"),
        pytest.param("five percent", "five percent", 5, id="words"),
        pytest.param("up 25 basis points", "25 basis points", 0.25, id="basis points"),
        pytest.param("25bps", "25bps", 0.25, id="bps"),
        pytest.param("5 ‰", "5 ‰", 0.5, id="per mille"),
        pytest.param("-3%", "-3%", -3, id="minus"),
        pytest.param("change: (12.5)%", "(12.5)%", -12.5, id="accounts"),
        pytest.param("five percent (5%)", "five percent", 5, id="said again"),
    ],
)
def test_percentage_is_found(text: str, written: str, value: float) -> None:
    first, *others = found(FieldType.PERCENTAGE, text)

    assert first == (written, value)
    assert all(other == value for _, other in others)


def test_number_alone_is_no_percentage() -> None:
    assert found(FieldType.PERCENTAGE, "12.5 of 100") == []


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("12.5 %", 12.5, id="percent"),
        pytest.param("12.5", 12.5, id="bare"),
        pytest.param(12.5, 12.5, id="float"),
        pytest.param("50 bp", 0.5, id="basis points"),
        pytest.param("5% or 6%", None, id="two"),
        pytest.param("high", None, id="none"),
        pytest.param(False, None, id="bool"),
    ],
)
def test_percentage_is_normalised(raw: object, expected: float | None) -> None:
    assert normalised(FieldType.PERCENTAGE, raw) == expected
