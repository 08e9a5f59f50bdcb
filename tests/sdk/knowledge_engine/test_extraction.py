"""A pydantic model as the schema of an extraction, and what fills it."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import AnyUrl, BaseModel, Field, HttpUrl

from knowledge_engine import (
    Currency,
    CurrencySymbol,
    FieldType,
    IdAlphanumeric,
    Percentage,
    ResultMismatch,
    ToolRun,
    ToolRunFailed,
    Verbatim,
)
from knowledge_engine.extraction import fields_of, filled


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@pytest.mark.parametrize(
    ("annotation", "kind", "options"),
    [
        (str, "text", None),
        (int, "number", None),
        (float, "number", None),
        (Decimal, "number", None),
        (date, "date", None),
        (HttpUrl, "url", None),
        (AnyUrl, "url", None),
        (Literal["a", "b"], "single_select", ["a", "b"]),
        (Literal[1, 2], "single_select", [1, 2]),
        (Colour, "single_select", ["red", "blue"]),
        (list[Literal["a", "b"]], "multi_select", ["a", "b"]),
        (set[Colour], "multi_select", ["red", "blue"]),
        (Verbatim, "verbatim", None),
        (IdAlphanumeric, "id_alphanumeric", None),
        (Percentage, "percentage", None),
        (Currency, "currency", None),
        (CurrencySymbol, "currency_symbol", None),
        (Annotated[Decimal, FieldType.CURRENCY], "currency", None),
        (Annotated[str, FieldType.DATE], "date", None),
        (float | None, "number", None),
        (Percentage | None, "percentage", None),
        (Optional[Colour], "single_select", ["red", "blue"]),  # noqa: UP045  # People write it.
        (list[Literal["a"]] | None, "multi_select", ["a"]),
    ],
)
def test_annotation_decides_on_the_type(
    annotation: Any, kind: str, options: list[Any] | None
) -> None:
    (field,) = fields_of(model_with(annotation))

    assert (field.type, field.options) == (kind, options)


@pytest.mark.parametrize("annotation", [bool, list[str], dict[str, str], int | str, BaseModel])
def test_annotation_that_stands_for_no_type_is_named(annotation: Any) -> None:
    with pytest.raises(TypeError, match="field 'field'"):
        fields_of(model_with(annotation))


def test_description_is_that_of_the_field_or_its_name() -> None:
    class Invoice(BaseModel):
        total: float = Field(description="The amount to pay")
        invoice_number: str

    assert [(one.field_name, one.description) for one in fields_of(Invoice)] == [
        ("total", "The amount to pay"),
        ("invoice_number", "invoice number"),
    ]


class Invoice(BaseModel):
    number: str
    day: date | None
    colour: Colour | None = None
    copies: int = 1


def test_result_fills_the_model_and_says_how_sure_it_is() -> None:
    run = finished(number=("A-1", 0.9), day=("2024-03-05", 0.4), colour=("red", 0.7))

    extraction = filled(Invoice, run)

    assert extraction.value == Invoice(number="A-1", day=date(2024, 3, 5), colour=Colour.RED)
    assert extraction.confidence == {"number": 0.9, "day": 0.4, "colour": 0.7}
    assert extraction.evidence["number"][0].page_number == 2
    assert extraction.least_sure_first() == ["day", "colour", "number"]
    assert extraction.tool_run is run


def test_what_was_not_found_is_none_or_the_default_of_the_model() -> None:
    run = finished(number=("A-1", 0.9), day=(None, 0.1), colour=(None, 0.1), copies=(None, 0.1))

    assert filled(Invoice, run).value == Invoice(number="A-1", day=None, colour=None, copies=1)


@pytest.mark.parametrize(
    ("number", "day", "field"),
    [
        pytest.param(None, "2024-03-05", "number", id="not found and required"),
        pytest.param("A-1", "2024-03", "day", id="less precise than the type"),
    ],
)
def test_what_the_model_does_not_admit_is_an_error_with_the_run(
    number: Any, day: Any, field: str
) -> None:
    run = finished(number=(number, 0.5), day=(day, 0.5))

    with pytest.raises(ResultMismatch, match=f"\n{field}\n") as mismatch:
        filled(Invoice, run)

    assert mismatch.value.tool_run is run


def test_run_without_result_is_an_error() -> None:
    run = ToolRun(id="trun_a", status="failed", created_at=1, error="the model failed")

    with pytest.raises(ToolRunFailed, match="trun_a failed: the model failed"):
        filled(Invoice, run)


def model_with(annotation: Any) -> type[BaseModel]:
    return type("Model", (BaseModel,), {"__annotations__": {"field": annotation}})


def finished(**found: tuple[Any, float]) -> ToolRun:
    """Return a run that found these values with these confidences."""
    evidence = {"data_source_id": "ds_a", "file_name": "a.pdf", "page_number": 2, "text": "x"}
    fields = {
        name: {"value": value, "type": "text", "confidence": sure, "evidence": [evidence]}
        for name, (value, sure) in found.items()
    }
    result = {"extracted_fields": fields, "metadata": {}}
    run = {"id": "trun_a", "status": "completed", "created_at": 1, "result": result}
    return ToolRun.model_validate(run)
