from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from app.console.extract_form import parse_correction, parse_tool
from config.errors import InvalidRequest
from extraction.types import FieldType, RequestedField

FORM = [
    ("field_name", " Deposit "),
    ("description", ""),
    ("type", "currency"),
    ("options", "left over"),
    ("field_name", "Kind"),
    ("description", "What is let"),
    ("type", "single_select"),
    ("options", "office\n\n warehouse \n"),
    ("data_source", "ds_1"),
    ("data_source", "ds_2"),
    ("pages-ds_1", ""),
    ("pages-ds_2", " 2-3 "),
]


def test_form_becomes_the_tool_of_the_api() -> None:
    tool = parse_tool(MultiDict(FORM), "kng_1")

    assert tool["fields"] == [
        {"field_name": "Deposit", "description": "Deposit", "type": "currency"},
        {
            "field_name": "Kind",
            "description": "What is let",
            "type": "single_select",
            "options": ["office", "warehouse"],
        },
    ]
    assert tool["tagged_data_sources"] == [
        {"id": "ds_1", "page_range": None},
        {"id": "ds_2", "page_range": "2-3"},
    ]


@pytest.mark.parametrize(
    ("left_out", "message"),
    [
        ("field_name", "Add a field."),
        ("data_source", "Tick a document."),
    ],
)
def test_form_without_what_it_needs_is_refused(left_out: str, message: str) -> None:
    form = MultiDict([(name, value) for name, value in FORM if name != left_out])

    with pytest.raises(InvalidRequest, match=message):
        parse_tool(form, "kng_1")


def test_select_without_options_is_refused() -> None:
    form = MultiDict([*FORM[4:7], ("options", " \n"), *FORM[8:]])

    with pytest.raises(InvalidRequest, match="Kind: write the options"):
        parse_tool(form, "kng_1")


@pytest.mark.parametrize(
    ("field_type", "typed", "value"),
    [
        (FieldType.CURRENCY, "12000", 12000),
        (FieldType.PERCENTAGE, "12.5", 12.5),
        (FieldType.DATE, "2024-03-31", "2024-03-31"),
        (FieldType.TEXT, "Quayside Estates", "Quayside Estates"),
        (FieldType.MULTI_SELECT, "flat, office", ["office", "flat"]),
        (FieldType.DATE, "", None),
    ],
)
def test_correction_is_read_by_the_type_of_its_field(
    field_type: FieldType, typed: str, value: Any
) -> None:
    field = RequestedField("x", "x", field_type, ("office", "flat"))

    assert parse_correction(typed, field) == value


def test_correction_that_is_no_value_of_the_type_is_refused() -> None:
    field = RequestedField("End", "the end", FieldType.DATE)

    with pytest.raises(InvalidRequest, match="Write a date as 2024-03-31"):
        parse_correction("soon", field)
