"""The form in which a model answers: a pydantic model made for the fields of one call.

What users write is data. Attributes are `field_0`, `field_1` and so on; the name and description of
a field go into the title and description of its attribute, and options into an enumeration.
"""

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    WithJsonSchema,
    create_model,
)

from extraction.fields import FIELD_KINDS
from extraction.types import SELECT_TYPES, FieldType, Habit, Option, RequestedField

# Taken as they come: what is said of a value's place is only a hint, and is looked up.
_Text = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]})]
_Number = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "null"}]})]


class Finding(BaseModel):
    """What a model says of one field."""

    value: Any = None
    quote: _Text = Field(None, description="the words around the value, letter for letter")
    page: _Number = Field(None, description="the number of the page it stands on")
    source: _Number = Field(None, description="the number of the document it stands in")


class _Form(BaseModel):
    """What all forms share: the schema of one is made once, which takes a millisecond a field."""

    _schema: ClassVar[dict[str, Any] | None] = None

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the schema as pydantic makes it; it is asked for in one way only."""
        if cls._schema is None:
            cls._schema = super().model_json_schema(*args, **kwargs)
        return deepcopy(cls._schema)


def attribute_of(position: int) -> str:
    """Return the name by which the field at a position of the request goes in the answer."""
    return f"field_{position}"


def response_model(fields: Sequence[RequestedField], habits: Sequence[Habit]) -> type[BaseModel]:
    """Return the model of an answer to these fields, all of which may be null.

    A value is taken in whatever form it comes, as long as it can be made one of the field's type.

    Args:
        fields: what is asked for.
        habits: those of the sources, by which what can be read in two ways is read.
    """
    attributes: dict[str, Any] = {
        attribute_of(position): (
            Annotated[
                _finding(field, position) | None,
                BeforeValidator(_as_finding),
                AfterValidator(_check(field, habits)),
            ],
            Field(None, title=field.name, description=field.description or None),
        )
        for position, field in enumerate(fields)
    }
    return create_model("ExtractedFields", __base__=_Form, **attributes)


def source_position(finding: Finding, count: int) -> int | None:
    """Return the position of the source that a model names, None where it names none of them."""
    if count == 1:
        return 0
    number = finding.source
    return number - 1 if type(number) is int and 1 <= number <= count else None


def option_text(option: Option) -> str:
    """Return an option as a model writes it."""
    return option if isinstance(option, str) else json.dumps(option)


def _finding(field: RequestedField, position: int) -> Any:
    """Return the type of an attribute; only those of select fields are types of their own."""
    if field.type in SELECT_TYPES:
        return _finding_with(f"Choice{position}", _value_schema(field))
    return _NumberFinding if FIELD_KINDS[field.type].python_type is float else _TextFinding


def _value_schema(field: RequestedField) -> dict[str, Any]:
    # Some providers take enumerations of texts only.
    options = list(dict.fromkeys(option_text(option) for option in field.options))
    choice: dict[str, Any] = {"type": "string", "enum": options}
    if field.type is FieldType.MULTI_SELECT:
        choice = {"type": "array", "items": choice}
    return {"anyOf": [choice, {"type": "null"}]}


def _finding_with(name: str, schema: dict[str, Any]) -> type[Finding]:
    value: Any = (Annotated[Any, WithJsonSchema(schema)], None)
    return create_model(name, __base__=Finding, value=value)


_TextFinding = _finding_with("Text", {"anyOf": [{"type": "string"}, {"type": "null"}]})
_NumberFinding = _finding_with(
    "Number", {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]}
)


def _as_finding(said: Any) -> Any:
    """Take a bare value for a finding that says nothing of its place."""
    return said if said is None or isinstance(said, dict) else {"value": said}


def _check(field: RequestedField, habits: Sequence[Habit]) -> Callable[[Any], Any]:
    """Return what refuses a value that cannot be made one of the field's type."""
    kind = FIELD_KINDS[field.type]

    def check(finding: Finding | None) -> Finding | None:
        if finding is None or finding.value in (None, "", []):
            return None
        source = source_position(finding, len(habits))
        habit = Habit() if source is None else habits[source]
        if kind.normalise(finding.value, field, habit) is None:
            raise ValueError(f"not {kind.hint}; say null if the documents do not have it")
        return finding

    return check
