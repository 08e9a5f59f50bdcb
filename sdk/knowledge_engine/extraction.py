"""`client.extract`: a pydantic model is the schema, and what the documents hold fills it."""

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import AnyUrl, BaseModel, HttpUrl, ValidationError
from pydantic.fields import FieldInfo

from knowledge_engine.calls import Flow, step
from knowledge_engine.errors import ResultMismatch, ToolRunFailed
from knowledge_engine.field_types import FieldType
from knowledge_engine.models import Evidence, RequestedField, ToolRun
from knowledge_engine.tool_runs import RunWaitOptions, Source, create_call, wait_flow

Model = TypeVar("Model", bound=BaseModel)

_TYPES: dict[Any, FieldType] = {
    str: FieldType.TEXT,
    int: FieldType.NUMBER,
    float: FieldType.NUMBER,
    Decimal: FieldType.NUMBER,
    date: FieldType.DATE,
    AnyUrl: FieldType.URL,
    HttpUrl: FieldType.URL,
}
_SEVERAL = (list, set, frozenset, Sequence)


@dataclass(frozen=True, slots=True)
class Extraction(Generic[Model]):
    """The filled model and, by the names of its fields, how sure each value is and where it is."""

    value: Model
    confidence: Mapping[str, float]
    evidence: Mapping[str, Sequence[Evidence]]
    tool_run: ToolRun

    def least_sure_first(self) -> list[str]:
        """Return the names of the fields in the order in which to check them."""
        return sorted(self.confidence, key=lambda name: self.confidence[name])


def fields_of(model: type[BaseModel]) -> list[RequestedField]:
    """Return the fields to ask for: of each its name, description, type and options.

    Raises:
        TypeError: an annotation stands for none of the eleven types.
    """
    return [_requested(name, info) for name, info in model.model_fields.items()]


def extract_flow(
    engine_id: str, model: type[Model], sources: Sequence[Source], options: RunWaitOptions
) -> Flow[Extraction[Model]]:
    """Return the flow that runs an extraction and fills the model.

    The run is queued and looked at, so that no connection has to last as long as it takes.
    """
    call = create_call(engine_id, fields_of(model), sources, {"async_response": True})
    run = yield from step(call)
    run = yield from wait_flow(run.id, options)
    return filled(model, run)


def filled(model: type[Model], run: ToolRun) -> Extraction[Model]:
    """Fill the model with what a finished run has found.

    A field that was not found is None; where the model has a default for it, that is taken.

    Raises:
        ToolRunFailed: the run has no result.
        ResultMismatch: the model does not admit a value, or that one was not found.
    """
    if run.result is None:
        raise ToolRunFailed(run)
    found = run.result.extracted_fields
    values = {
        name: found[name].value
        for name, info in model.model_fields.items()
        if name in found and (found[name].value is not None or info.is_required())
    }
    try:
        value = model.model_validate(values, by_name=True)
    except ValidationError as error:
        raise ResultMismatch(run, str(error)) from error
    return Extraction(
        value=value,
        confidence={name: one.confidence or 0.0 for name, one in found.items()},
        evidence={name: one.evidence for name, one in found.items()},
        tool_run=run,
    )


def _requested(name: str, info: FieldInfo) -> RequestedField:
    markers = [one for one in info.metadata if isinstance(one, FieldType)]
    kind, options = _kind_of(info.annotation, markers)
    if kind is None:
        raise TypeError(f"field {name!r}: {info.annotation} stands for no type of field")
    description = info.description or info.title or name.replace("_", " ")
    return RequestedField(field_name=name, description=description, type=kind, options=options)


def _kind_of(
    annotation: Any, markers: Sequence[FieldType] = ()
) -> tuple[FieldType | None, list[Any] | None]:
    """Return the type of field that an annotation stands for, and its options."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner = [one for one in arguments[1:] if isinstance(one, FieldType)]
        return _kind_of(arguments[0], [*inner, *markers])
    if origin in (Union, types.UnionType):
        present = [one for one in arguments if one is not types.NoneType]
        return _kind_of(present[0], markers) if len(present) == 1 else (None, None)
    if markers:
        return markers[0], None
    if origin in _SEVERAL:
        options = _options(arguments[0])
        return (FieldType.MULTI_SELECT, options) if options else (None, None)
    if options := _options(annotation):
        return FieldType.SINGLE_SELECT, options
    return _TYPES.get(annotation), None


def _options(annotation: Any) -> list[Any] | None:
    """Return what a Literal or an Enum admits."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [member.value for member in annotation]
    return None
