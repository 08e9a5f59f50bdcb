"""Fields to read values for, and what a reader finds, as tests compare it."""

from extraction.fields import FIELD_KINDS
from extraction.types import FieldType, Habit, Option, RequestedField, Value

NO_HABIT = Habit()
COMMA = Habit(decimal_comma=True)
POINT = Habit(decimal_comma=False)


def field(kind: FieldType, *options: Option) -> RequestedField:
    return RequestedField("field", "What is it?", kind, options)


def found(
    kind: FieldType, text: str, habit: Habit = NO_HABIT, options: tuple[Option, ...] = ()
) -> list[tuple[str, Option]]:
    """Return what stands in the text, each as it is written and as it is read."""
    values = FIELD_KINDS[kind].find(text, field(kind, *options), habit)
    return [(text[one.start : one.end], one.value) for one in values]


def normalised(
    kind: FieldType, raw: object, habit: Habit = NO_HABIT, options: tuple[Option, ...] = ()
) -> Value | None:
    return FIELD_KINDS[kind].normalise(raw, field(kind, *options), habit)
