"""What enters and leaves over HTTP when chunks are retrieved."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from app.models.data_source import JsonScalar
from app.schemas import RequestBody, Required
from indexing.types import Chunk, PageBox

MAX_FILTER_KEYS = 20
"""The most keys that a filter may name."""

MAX_FILTER_VALUES = 100
"""The most values that a filter may give for one key."""


def _scalar(value: Any) -> Any:
    # A union of the four types would complain once for each of them.
    if isinstance(value, dict | list):
        raise PydanticCustomError("scalar_type", "expected a text, a number, true, false or null")
    return value


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [_scalar(value)]


_ScalarList = Annotated[list[JsonScalar], Field(max_length=MAX_FILTER_VALUES)]

FilterValue = Annotated[JsonScalar, BeforeValidator(_scalar, json_schema_input_type=JsonScalar)]

FilterValues = Annotated[
    list[FilterValue],
    Field(max_length=MAX_FILTER_VALUES),
    BeforeValidator(_as_list, json_schema_input_type=JsonScalar | _ScalarList),
]


class RetrieveRequest(RequestBody):
    """A search for raw chunks; a `top_k` above 20 counts as 20.

    `filter` names what the `notes` of a data source must hold: under each key the value, or one of
    the values.
    """

    query: Required
    data_source_id: str | None = None
    filter: Annotated[dict[str, FilterValues], Field(max_length=MAX_FILTER_KEYS)] | None = None
    top_k: int = Field(5, ge=1)


class ChunkResponse(BaseModel):
    """A retrieved passage; `page_number` is -1 where it does not stand on a page.

    `bbox` says where on its page: left, top, right and bottom as shares of the page as displayed.
    """

    content: str
    filename: str
    chunk_id: str
    data_source_id: str
    page_number: int
    section: str
    score: float
    bbox: PageBox | None = None

    @classmethod
    def from_chunk(cls, chunk: Chunk) -> "ChunkResponse":
        return cls(
            content=chunk.content,
            filename=chunk.filename,
            chunk_id=chunk.chunk_id,
            data_source_id=chunk.data_source_id,
            page_number=chunk.page_number,
            section=chunk.section,
            score=round(chunk.score, 6),
            bbox=chunk.box,
        )


class RetrievalResponse(BaseModel):
    """The chunks that fit a query best, best first."""

    query: str
    knowledge_engine_id: str
    data_source_id: str | None = None
    chunks: list[ChunkResponse]
    total_chunks: int
