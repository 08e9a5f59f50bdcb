"""What enters and leaves over HTTP: the requests, and the specification's objects."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from app.models.audit_entry import Action, AuditEntry
from app.models.data_source import (
    DataSource,
    DataSourceStatus,
    DataSourceType,
    JsonScalar,
    Stage,
)
from app.models.data_source_page import DataSourcePage
from app.models.deletion_receipt import DeletionReceipt
from app.models.knowledge_engine import EngineCounts, KnowledgeEngine
from app.models.workflow import Workflow
from config.settings import EngineReadyWhen
from indexing.types import Chunk, PageBox

NAME_LENGTH = 50
"""The most characters (not bytes) that the name of an engine or a workflow may have."""

MAX_FILTER_KEYS = 20
"""The most keys that a filter may name."""

MAX_FILTER_VALUES = 100
"""The most values that a filter may give for one key."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH)]
Required = Annotated[str, StringConstraints(min_length=1)]


def is_none(value: Any) -> bool:
    """Tell which fields of an answer are left out where they say nothing."""
    return value is None


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


class RequestBody(BaseModel):
    """Base of the requests: unknown fields are let through, types are not guessed."""

    model_config = ConfigDict(strict=True, extra="ignore")


class KnowledgeEngineRequest(RequestBody):
    """A new knowledge engine."""

    name: Name
    description: str = ""
    notes: dict[str, Any] = Field(default_factory=dict)


class KnowledgeEngineUpdate(RequestBody):
    """Changes to a knowledge engine; what is left out stays as it is."""

    name: Name | None = None
    description: str | None = None
    notes: dict[str, Any] | None = None


class DataSourceRequest(RequestBody):
    """The `data` part of an upload."""

    name: Required
    type: Literal["file", "ticket"]
    knowledge_engine_id: Required
    notes: dict[str, Any] = Field(default_factory=dict)
    content: str | None = None  # the text of a ticket


class UploadForm(BaseModel):
    """The multipart form of an upload: the document, and a `DataSourceRequest` as JSON text."""

    file: Annotated[str, Field(json_schema_extra={"format": "binary"})]
    data: str


class BatchForm(BaseModel):
    """The multipart form of a batch: the documents, and an array of `DataSourceRequest`s."""

    files: Annotated[
        list[str], Field(alias="files[]", json_schema_extra={"items": {"format": "binary"}})
    ]
    data: str


class RetrieveRequest(RequestBody):
    """A search for raw chunks; a `top_k` above 20 counts as 20.

    `filter` names what the `notes` of a data source must hold: under each key the value, or one of
    the values.
    """

    query: Required
    data_source_id: str | None = None
    filter: Annotated[dict[str, FilterValues], Field(max_length=MAX_FILTER_KEYS)] | None = None
    top_k: int = Field(5, ge=1)


class QueryRequest(RequestBody):
    """A question whose answer is streamed."""

    query: Required
    name: Name
    context_id: str | None = None
    advanced_reasoning: bool = False
    model: str = "auto"


class WorkflowRequest(QueryRequest):
    """A question whose answer is returned whole."""

    knowledge_engine_id: Required
    type: Literal["query"]
    description: str = ""


class KnowledgeEngineResponse(BaseModel):
    """A knowledge engine."""

    id: str
    name: str
    description: str
    notes: dict[str, Any]
    status: str
    data_source_count: int
    created_at: int

    @classmethod
    def from_engine(
        cls, engine: KnowledgeEngine, counts: EngineCounts, ready_when: EngineReadyWhen
    ) -> "KnowledgeEngineResponse":
        return cls(
            id=engine.id,
            name=engine.name,
            description=engine.description,
            notes=engine.notes,
            status=counts.status(ready_when),
            data_source_count=counts.total,
            created_at=int(engine.created_at.timestamp()),
        )


class DataSourceResponse(BaseModel):
    """A data source, and how far its reading is."""

    id: str
    name: str
    type: DataSourceType
    status: str
    notes: dict[str, Any]
    knowledge_engine_id: str
    created_at: int
    outcome: str | None
    error: str | None
    stage: str
    progress: float
    file_name: str
    size_bytes: int
    page_count: int
    chunk_count: int

    @classmethod
    def from_data_source(cls, data_source: DataSource) -> "DataSourceResponse":
        return cls(
            id=data_source.id,
            name=data_source.name,
            type=DataSourceType(data_source.type),
            status=data_source.status,
            notes=data_source.notes,
            knowledge_engine_id=data_source.knowledge_engine_id,
            created_at=int(data_source.created_at.timestamp()),
            outcome=data_source.outcome,
            error=data_source.error,
            stage=data_source.stage,
            progress=round(data_source.progress, 4),
            file_name=data_source.file_name,
            size_bytes=data_source.size_bytes,
            page_count=data_source.page_count,
            chunk_count=data_source.chunk_count,
        )

    @classmethod
    def as_uploaded(cls, data_source: DataSource) -> "DataSourceResponse":
        """Return the data source as it was before anything was done with it."""
        now = cls.from_data_source(data_source)
        unread = {"status": DataSourceStatus.PROCESSING, "stage": Stage.QUEUED, "progress": 0.0}
        return now.model_copy(
            update={**unread, "outcome": None, "error": None, "page_count": 0, "chunk_count": 0}
        )


class PageResponse(BaseModel):
    """How a page of a data source was read."""

    page_number: int
    label: str
    read_by: str
    words: int
    tables: int
    pictures: int
    seconds: float
    warning: str | None

    @classmethod
    def from_page(cls, page: DataSourcePage) -> "PageResponse":
        return cls(
            page_number=page.page_number,
            label=page.label,
            read_by=page.read_by,
            words=page.words,
            tables=page.tables,
            pictures=page.pictures,
            seconds=round(page.seconds, 4),
            warning=page.warning or None,
        )


class PresignedUrl(BaseModel):
    """A link that works without a key."""

    presigned_url: str


class BatchItem(BaseModel):
    """What became of one entry of a batch."""

    name: str
    success: bool
    error: str | None = Field(None, exclude_if=is_none)
    data_source: DataSourceResponse | None = Field(None, exclude_if=is_none)


class DeletionReceiptResponse(BaseModel):
    """What was erased, looked for afterwards, and signed as soon as nothing of it was found."""

    id: str
    status: Literal["pending", "signed"]
    content: dict[str, Any]
    signature: str
    created_at: int

    @classmethod
    def from_receipt(cls, receipt: DeletionReceipt) -> "DeletionReceiptResponse":
        return cls(
            id=receipt.id,
            status="signed" if receipt.signature else "pending",
            content=receipt.content,
            signature=receipt.signature,
            created_at=int(receipt.created_at.timestamp()),
        )


class PublicKeyResponse(BaseModel):
    """The key by which receipts can be verified."""

    algorithm: Literal["Ed25519"] = "Ed25519"
    public_key: str


class BatchDeleteItem(BaseModel):
    """What became of one id of a batch."""

    id: str
    success: bool
    error: str | None = None
    receipt: DeletionReceiptResponse | None = None


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


class CitationResponse(BaseModel):
    """Where a statement of a workflow's response comes from."""

    citation_key: str
    data_source_id: str
    file_name: str
    page_number: int


class SentenceResponse(BaseModel):
    """A sentence of the answer, and what the passages say of it."""

    sentence: str
    verdict: str
    reason: str
    citation_keys: list[str]


class WorkflowResponse(BaseModel):
    """A question with its answer."""

    id: str
    name: str
    description: str
    query: str
    response: str
    context_id: str
    knowledge_engine_id: str
    advanced_reasoning: bool
    model: str
    resolved_model: str
    routing_reason: str
    citations: list[CitationResponse] | None
    verification: list[SentenceResponse]
    usage: dict[str, Any] | None
    status: str
    error: str | None
    created_at: int

    @classmethod
    def from_workflow(cls, workflow: Workflow) -> "WorkflowResponse":
        return cls(
            id=workflow.id,
            name=workflow.name,
            description=workflow.description,
            query=workflow.query,
            response=workflow.response,
            context_id=workflow.context_id,
            knowledge_engine_id=workflow.knowledge_engine_id,
            advanced_reasoning=workflow.advanced_reasoning,
            model=workflow.model,
            resolved_model=workflow.resolved_model,
            routing_reason=workflow.routing_reason,
            citations=[CitationResponse.model_validate(citation) for citation in workflow.citations]
            or None,
            verification=[SentenceResponse.model_validate(one) for one in workflow.verification],
            usage=workflow.usage,
            status=workflow.status,
            error=workflow.error,
            created_at=int(workflow.created_at.timestamp()),
        )


class StreamCitation(BaseModel):
    """A citation as the `done` event writes it."""

    text: str
    source: str
    page: int


class DoneEvent(BaseModel):
    """The data of the event that ends a successful stream."""

    id: str
    name: str
    query: str
    type: Literal["query"] = "query"
    knowledge_engine_id: str
    status: str
    response: str
    citations: list[StreamCitation]
    created_at: int

    @classmethod
    def from_workflow(cls, workflow: Workflow) -> "DoneEvent":
        return cls(
            id=workflow.id,
            name=workflow.name,
            query=workflow.query,
            knowledge_engine_id=workflow.knowledge_engine_id,
            status=workflow.status.lower(),
            response=workflow.response,
            citations=[
                StreamCitation(
                    text=citation["text"],
                    source=citation["file_name"],
                    page=citation["page_number"],
                )
                for citation in workflow.citations
            ],
            created_at=int(workflow.created_at.timestamp()),
        )


class ListParameters(BaseModel):
    """Which part of a list is wanted; `app/request_body.py` reads it."""

    limit: Annotated[int, Field(ge=1, le=999_999)] | None = None
    after: Annotated[str, Field(pattern="^[A-Za-z0-9_]*$")] | None = None


class ToolRunListParameters(ListParameters):
    """Which tool runs are wanted."""

    knowledge_engine_id: str | None = None


class WorkflowListParameters(ToolRunListParameters):
    """Which workflows are wanted."""

    context_id: str | None = None


class DeletionParameters(BaseModel):
    """Whether a deletion is to have a receipt."""

    receipt: bool | None = None


class BatchDeletionParameters(DeletionParameters):
    """Which data sources are to be deleted, with commas between their ids."""

    ids: str | None = None


class AuditLogRequest(RequestBody):
    """Which entries of the audit log are wanted."""

    # What stands in an address is a text, whatever it means.
    model_config = ConfigDict(strict=False)

    action: Action | None = None


class AuditLogParameters(AuditLogRequest, ListParameters):
    """Which entries of the audit log are wanted, and which part of them."""


class AuditEntryResponse(BaseModel):
    """Something that somebody did."""

    id: str
    created_at: int
    actor: str
    key_id: int | None
    key_name: str | None
    key_hint: str | None
    action: str
    resource_id: str | None
    request_id: str | None
    outcome: str

    @classmethod
    def from_entry(cls, entry: AuditEntry) -> "AuditEntryResponse":
        """Return the entry as clients see it."""
        values = entry.model_dump(exclude={"account_id", "created_at"})
        return cls(created_at=int(entry.created_at.timestamp()), **values)


class Deleted(BaseModel):
    """The answer to a deletion."""

    id: str
    deleted: Literal[True] = True
    receipt: DeletionReceiptResponse | None = None


class ErrorResponse(BaseModel):
    """Every error that is not streamed."""

    error: str
