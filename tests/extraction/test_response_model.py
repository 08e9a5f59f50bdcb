"""The form a model fills in: what it asks for, and what it takes."""

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from extraction.response_model import Finding, attribute_of, response_model, source_position
from extraction.types import FieldType, Habit, RequestedField
from tests.extraction.documents import wanted

ODD_NAMES = ["net total", "a.b", "🙂", "__class__", "model_config", "field_1", "", '"}', "größe\n"]


def test_names_of_fields_are_titles_and_never_attributes() -> None:
    fields = [wanted(name, FieldType.TEXT, about=f"about {name}") for name in ODD_NAMES]

    properties = schema(*fields)["properties"]

    assert list(properties) == [attribute_of(number) for number in range(len(ODD_NAMES))]
    assert [one["title"] for one in properties.values()] == ODD_NAMES
    assert properties["field_3"]["description"] == "about __class__"


def test_two_hundred_fields_make_one_form() -> None:
    fields = [wanted(f"amount {number}") for number in range(200)]

    properties = schema(*fields)["properties"]

    assert properties["field_199"]["title"] == "amount 199"


@pytest.mark.parametrize("type_", FieldType)
def test_every_field_may_be_null_or_left_out(type_: FieldType) -> None:
    form = form_for(wanted("f", type_, "a", "b"))

    assert filled_in(form, {"field_0": None}) == filled_in(form, {}) == [None]


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        pytest.param(FieldType.NUMBER, 12.5, id="number"),
        pytest.param(FieldType.NUMBER, "1,250 pieces", id="number in words of the text"),
        pytest.param(FieldType.CURRENCY, "US$ 2.5 million", id="money"),
        pytest.param(FieldType.PERCENTAGE, "12.5 %", id="percentage"),
        pytest.param(FieldType.DATE, "5 March 2024", id="date"),
        pytest.param(FieldType.TEXT, 1234, id="number as a text"),
    ],
)
def test_value_is_taken_in_any_form_it_can_be_read_in(type_: FieldType, value: object) -> None:
    (finding,) = filled_in(form_for(wanted("f", type_)), {"field_0": {"value": value}})

    assert finding is not None
    assert finding.value == value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param(wanted("f", FieldType.NUMBER), "many", id="number"),
        pytest.param(wanted("f", FieldType.DATE), "soon", id="date"),
        pytest.param(wanted("f", FieldType.SINGLE_SELECT, "a", "b"), "z", id="option"),
        pytest.param(wanted("f", FieldType.URL), {"no": "text"}, id="object"),
    ],
)
def test_value_of_another_type_is_refused_with_what_is_wanted(
    field: RequestedField, value: object
) -> None:
    with pytest.raises(ValidationError, match="say null if the documents do not have it") as error:
        filled_in(form_for(field), {"field_0": {"value": value}})

    assert [problem["loc"] for problem in error.value.errors()] == [("field_0",)]


def test_bare_value_is_a_finding_without_a_place() -> None:
    (finding,) = filled_in(form_for(wanted()), {"field_0": 12})

    assert finding is not None
    assert finding.model_dump() == {"value": 12, "quote": None, "page": None, "source": None}


@pytest.mark.parametrize("nothing", ["", [], None])
def test_empty_value_is_none(nothing: object) -> None:
    assert filled_in(form_for(wanted()), {"field_0": {"value": nothing}}) == [None]


def test_place_of_any_form_is_no_fault() -> None:
    said = {"value": 12, "quote": ["x"], "page": "three", "source": None, "more": 1}

    (finding,) = filled_in(form_for(wanted()), {"field_0": said})

    assert finding is not None
    assert finding.value == 12


def test_options_are_enumerated_once_each_and_as_texts() -> None:
    field = wanted("f", FieldType.SINGLE_SELECT, "paid", 3, "paid", 1.5, True)

    choice = schema(field)["$defs"]["Choice0"]["properties"]["value"]["anyOf"][0]

    assert choice == {"type": "string", "enum": ["paid", "3", "1.5", "true"]}


def test_several_options_are_a_list() -> None:
    field = wanted("f", FieldType.MULTI_SELECT, "a", "b")

    choice = schema(field)["$defs"]["Choice0"]["properties"]["value"]["anyOf"][0]

    assert choice == {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}


@pytest.mark.parametrize(
    ("number", "position"),
    [(1, 0), (2, 1), (0, None), (3, None), (-1, None), ("1", None), (True, None), (None, None)],
)
def test_source_that_is_named_is_one_of_those_there_are(
    number: object, position: int | None
) -> None:
    finding = Finding.model_construct(source=number)

    assert source_position(finding, count=2) == position
    assert source_position(finding, count=1) == 0


def form_for(*fields: RequestedField) -> type[BaseModel]:
    return response_model(fields, [Habit()])


def schema(*fields: RequestedField) -> dict[str, Any]:
    return form_for(*fields).model_json_schema()


def filled_in(form: type[BaseModel], said: dict[str, object]) -> list[Finding | None]:
    answer = form.model_validate_json(json.dumps(said))
    return [getattr(answer, name) for name in form.model_fields]
