"""Tool runs as they enter and leave over HTTP."""

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from app.models.tool_run import ToolRun, ToolRunStatus
from app.schemas import RequestBody, Required, is_none
from extraction.types import SELECT_TYPES, FieldType, Option, RequestedField
from indexing.types import PageBox

TOOL_TYPE = "extract_fields_from_data_sources"

MAX_FIELDS = 500
"""The most fields that one run may ask for."""

MAX_SOURCES = 100
"""The most data sources that one run may look at."""

MAX_OPTIONS = 1000
"""The most options that one field may have."""

NAME_LENGTH = 500
"""The most characters that the name of a field, or an option, may have."""

DESCRIPTION_LENGTH = 5000
"""The most characters that the description of a field may have."""

PAGE_RANGE_LENGTH = 50
"""More characters than any range of pages needs."""


def _option(value: Any) -> Any:
    # A union of the four types would complain once for each of them.
    if value is None or value == "":
        raise PydanticCustomError("missing", "an option is empty")
    if not isinstance(value, str | int | float | bool):
        raise PydanticCustomError("option_type", "expected a text, a number, true or false")
    if isinstance(value, str) and len(value) > NAME_LENGTH:
        raise PydanticCustomError("too_long", "an option is too long")
    return value


OptionValue = Annotated[Any, BeforeValidator(_option, json_schema_input_type=Option)]


class _Part(RequestBody):
    """A part of a request; in it, too, a field that is null counts as left out."""

    @model_validator(mode="before")
    @classmethod
    def _leave_out_null(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: field for name, field in value.items() if field is not None}
        return value


Part = TypeVar("Part", bound=_Part)


class FieldRequest(_Part):
    """A field to extract; `options` are for the two select types, which must have them."""

    field_name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH)]
    description: Annotated[str, StringConstraints(min_length=1, max_length=DESCRIPTION_LENGTH)]
    type: Annotated[FieldType, Field(strict=False)]
    options: Annotated[list[OptionValue], Field(max_length=MAX_OPTIONS)] = Field(
        default_factory=list, validate_default=True
    )

    @field_validator("options")
    @classmethod
    def _fit_the_type(cls, options: list[Option], info: ValidationInfo) -> list[Option]:
        if "type" in info.data:
            is_select = info.data["type"] in SELECT_TYPES
            if is_select and not options:
                raise PydanticCustomError("missing", "a select has options")
            if options and not is_select:
                raise PydanticCustomError("excluded_unless", "only a select has options")
        return options


class TaggedDataSource(_Part):
    """A data source to look at, or some of its pages: `"3"` or `"3-7"`."""

    id: Required
    page_range: Annotated[str, StringConstraints(max_length=PAGE_RANGE_LENGTH)] | None = None


def _named_differently(fields: list[FieldRequest]) -> list[FieldRequest]:
    return _all_different(fields, [field.field_name for field in fields])


def _tagged_once(sources: list[TaggedDataSource]) -> list[TaggedDataSource]:
    # Without the prefix, which has a synonym.
    return _all_different(sources, [source.id.rpartition("_")[2] for source in sources])


def _all_different(items: list[Part], names: list[str]) -> list[Part]:
    if len(set(names)) < len(names):
        raise PydanticCustomError("unique", "two items have the same name")
    return items


class ToolRequest(_Part):
    """What is to be extracted from what."""

    type: Literal["extract_fields_from_data_sources"]
    model: Required
    knowledge_engine_id: Required
    tagged_data_sources: Annotated[
        list[TaggedDataSource],
        Field(min_length=1, max_length=MAX_SOURCES),
        AfterValidator(_tagged_once),
    ]
    fields: Annotated[
        list[FieldRequest],
        Field(min_length=1, max_length=MAX_FIELDS),
        AfterValidator(_named_differently),
    ]
    include_confidence_scores: bool = True


class ToolRunRequest(RequestBody):
    """A new tool run."""

    tool: ToolRequest
    stream_response: bool = False
    async_response: bool = False
    notes: dict[str, Any] = Field(default_factory=dict)


class EvidenceResponse(BaseModel):
    """Where a value stands; `bbox` as in a chunk."""

    data_source_id: str
    file_name: str
    page_number: int
    text: str
    bbox: PageBox | None = None


class ExtractedFieldResponse(BaseModel):
    """What was found for a field; `value` is null where the documents do not hold it."""

    value: Any
    type: str
    confidence: float | None = Field(None, exclude_if=is_none)
    options: list[Any] | None = Field(None, exclude_if=is_none)
    evidence: list[EvidenceResponse]
    reason: str

    @classmethod
    def from_stored(
        cls, stored: Mapping[str, Any], field: Mapping[str, Any], *, with_confidence: bool
    ) -> "ExtractedFieldResponse":
        return cls(
            value=stored["value"],
            type=field["type"],
            confidence=stored["confidence"] if with_confidence else None,
            options=field.get("options"),
            evidence=[EvidenceResponse.model_validate(one) for one in stored["evidence"]],
            reason=stored["reason"],
        )


class MetadataResponse(BaseModel):
    """What an extraction took, and where to look first when it is reviewed."""

    processing_time: float  # milliseconds
    sources_analyzed: int
    fields_extracted: int  # those with a value
    average_confidence: float | None = Field(None, exclude_if=is_none)
    review_order: list[str] | None = Field(None, exclude_if=is_none)
    model_used: str | None


class ResultResponse(BaseModel):
    """The fields by their names, as far as they are finished."""

    extracted_fields: dict[str, ExtractedFieldResponse]
    metadata: MetadataResponse


class ToolRunResponse(BaseModel):
    """A tool run, and what came of it so far."""

    id: str
    status: ToolRunStatus
    created_at: int
    tool: dict[str, Any]
    result: ResultResponse
    usage: dict[str, Any] | None
    error: str | None

    @classmethod
    def from_tool_run(cls, run: ToolRun) -> "ToolRunResponse":
        flags = {
            "stream_response": run.stream_response,
            "async_response": run.async_response,
            "notes": run.notes,
        }
        return cls(
            id=run.id,
            status=ToolRunStatus(run.status),
            created_at=int(run.created_at.timestamp()),
            tool=run.tool | flags,
            result=_result(run),
            usage=run.usage,
            error=run.error,
        )


def requested_fields(tool: Mapping[str, Any]) -> list[RequestedField]:
    """Return the fields that a stored tool asks for."""
    return [
        RequestedField(
            field["field_name"],
            field["description"],
            FieldType(field["type"]),
            tuple(field.get("options", ())),
        )
        for field in tool["fields"]
    ]


def extracted_fields(
    tool: Mapping[str, Any], finished: Iterable[Mapping[str, Any]]
) -> dict[str, ExtractedFieldResponse]:
    """Return finished fields as they are stored, by their names and as they leave."""
    fields = {field["field_name"]: field for field in tool["fields"]}
    return {
        one["field_name"]: ExtractedFieldResponse.from_stored(
            one, fields[one["field_name"]], with_confidence=tool["include_confidence_scores"]
        )
        for one in finished
    }


def _result(run: ToolRun) -> ResultResponse:
    found = extracted_fields(run.tool, run.extracted_fields)
    metadata = MetadataResponse(
        processing_time=round(run.processing_time_ms, 1),
        sources_analyzed=len(run.tool["tagged_data_sources"]),
        fields_extracted=sum(field.value is not None for field in found.values()),
        model_used=run.model_used,
    )
    if run.tool["include_confidence_scores"]:
        confidences = {one["field_name"]: one["confidence"] for one in run.extracted_fields}
        metadata.average_confidence = round(fmean(confidences.values() or [0.0]), 4)
        metadata.review_order = sorted(confidences, key=lambda name: confidences[name])
    in_order = [name for field in run.tool["fields"] if (name := field["field_name"]) in found]
    return ResultResponse(
        extracted_fields={name: found[name] for name in in_order}, metadata=metadata
    )
