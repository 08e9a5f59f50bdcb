"""What the forms of an extraction send: its fields and documents, and a value put right."""

from typing import Any

from werkzeug.datastructures import MultiDict

from app.console.forms import parse_name, storable
from app.schemas_tool_runs import NAME_LENGTH, TOOL_TYPE
from config.errors import InvalidRequest
from config.model_table import EXTRACTION_IDENTIFIERS
from extraction.fields import FIELD_KINDS
from extraction.types import SELECT_TYPES, FieldType, Habit, RequestedField, Value

NEW_FIELD: dict[str, Any] = {"field_name": "", "description": "", "type": FieldType.TEXT}

_HOW_TO_WRITE = {
    FieldType.NUMBER: "Write a number with a point before decimals, such as 1250.5.",
    FieldType.PERCENTAGE: "Write a percentage as a number: 12.5 for 12.5 %.",
    FieldType.CURRENCY: "Write the amount as a number, such as 108000.",
    FieldType.CURRENCY_SYMBOL: "Write the code of a currency, such as EUR.",
    FieldType.DATE: "Write a date as 2024-03-31, 2024-03 or 2024.",
    FieldType.SINGLE_SELECT: "Write one of the options.",
    FieldType.MULTI_SELECT: "Write one or more of the options, separated by commas.",
    FieldType.URL: "Write a web address.",
}


def parse_tool(form: MultiDict[str, str], engine_id: str) -> dict[str, Any]:
    """Read the fields and the documents, as the API's `tool`.

    Raises:
        InvalidRequest: nothing is to be found, or nowhere.
    """
    fields = [
        _field(*values)
        for values in zip(
            form.getlist("field_name"),
            form.getlist("description"),
            form.getlist("type"),
            form.getlist("options"),
            strict=False,
        )
    ]
    if not fields:
        raise InvalidRequest("Add a field.")
    chosen = form.getlist("data_source")
    if not chosen:
        raise InvalidRequest("Tick a document.")
    sources = [
        {"id": one, "page_range": form.get(f"pages-{one}", "").strip() or None} for one in chosen
    ]
    return storable(
        {
            "type": TOOL_TYPE,
            "model": EXTRACTION_IDENTIFIERS[0],
            "knowledge_engine_id": engine_id,
            "tagged_data_sources": sources,
            "fields": fields,
        }
    )


def parse_correction(typed: str, field: RequestedField) -> Value | None:
    """Read a value that a person has typed; nothing means that the documents do not hold it.

    Raises:
        InvalidRequest: it is no value of the field's type; the message says how to write one.
    """
    if not typed:
        return None
    storable({"value": typed})
    value = FIELD_KINDS[field.type].normalise(typed, field, Habit())
    if value is None:
        raise InvalidRequest(_HOW_TO_WRITE.get(field.type, "This is no value of the field's type."))
    return value


def _field(name: str, description: str, field_type: str, options: str) -> dict[str, Any]:
    name = parse_name(name, NAME_LENGTH)
    field: dict[str, Any] = {
        "field_name": name,
        "description": description.strip() or name,
        "type": field_type,
    }
    if field_type in SELECT_TYPES:
        field["options"] = [one.strip() for one in options.splitlines() if one.strip()]
        if not field["options"]:
            raise InvalidRequest(f"{name}: write the options, one on each line.")
    return field
