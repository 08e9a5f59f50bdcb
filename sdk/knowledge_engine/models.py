"""What the service answers, as typed objects; fields that are newer than these are kept as well.

Fields that the specification of the service leaves out have a default.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

Value = str | int | float | bool | list[str | int | float | bool] | None
"""A value of an extracted field: a list for `multi_select`, None where the documents hold none."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of the page as it is displayed."""


class Answered(BaseModel):
    """Base of all objects of the service."""

    model_config = ConfigDict(extra="allow")


class KnowledgeEngine(Answered):
    """A named collection of documents."""

    id: str
    name: str
    description: str = ""
    notes: dict[str, Any] = {}
    status: str
    created_at: int
    data_source_count: int = 0

    @property
    def is_ready(self) -> bool:
        """Whether it can be asked."""
        return self.status == "ready"


class DataSource(Answered):
    """A document of an engine, and how far its reading is."""

    id: str
    name: str
    type: str = "file"
    status: str
    notes: dict[str, Any] = {}
    knowledge_engine_id: str
    created_at: int
    outcome: str | None = None  # "ok", "partial" or "failed", once processed
    error: str | None = None
    stage: str = ""
    progress: float = 0.0  # 0 to 1
    file_name: str = ""
    size_bytes: int = 0
    page_count: int = 0
    chunk_count: int = 0

    @property
    def is_processed(self) -> bool:
        """Whether its reading has ended, well or not."""
        return self.status == "processed"


class Page(Answered):
    """How a page of a data source was read."""

    page_number: int
    label: str = ""
    read_by: str
    words: int = 0
    tables: int = 0
    pictures: int = 0
    seconds: float = 0.0
    warning: str | None = None


class BatchItem(Answered):
    """What became of one entry of a batch of uploads."""

    name: str
    success: bool
    error: str | None = None
    data_source: DataSource | None = None


class DeletionReceipt(Answered):
    """What a deletion has erased, and what was found of it afterwards; signed when that is nothing.

    `content` is as the service has signed it: with another field the signature would not hold.
    """

    id: str
    status: str  # "pending", then "signed"
    content: dict[str, Any]
    signature: str  # in base64, "" while it is pending
    created_at: int


class PublicKey(Answered):
    """The key by which receipts can be verified."""

    algorithm: str
    public_key: str  # as PEM


class BatchDeleteItem(Answered):
    """What became of one id of a batch of deletions; the receipt where one was asked for."""

    id: str
    success: bool
    error: str | None = None
    receipt: DeletionReceipt | None = None


class PresignedUrl(Answered):
    """A link to an original file that works without a key."""

    presigned_url: str


class Deleted(Answered):
    """The answer to a deletion; the receipt where one was asked for."""

    id: str
    deleted: bool
    receipt: DeletionReceipt | None = None


class Chunk(Answered):
    """A retrieved passage; `page_number` is -1 where it does not stand on a page."""

    content: str
    filename: str = ""
    chunk_id: str
    data_source_id: str
    page_number: int
    section: str = ""
    score: float = 0.0
    bbox: Box | None = None


class Retrieval(Answered):
    """The passages that fit a query best, best first."""

    query: str
    knowledge_engine_id: str
    data_source_id: str | None = None
    chunks: list[Chunk]
    total_chunks: int


class Citation(Answered):
    """Where a statement of a workflow's response comes from."""

    citation_key: str  # as in the response: <source_id=1>
    data_source_id: str
    file_name: str
    page_number: int


class Workflow(Answered):
    """A question with its answer."""

    id: str
    name: str
    description: str = ""
    query: str
    response: str
    context_id: str
    knowledge_engine_id: str = ""
    advanced_reasoning: bool = False
    model: str
    resolved_model: str = ""
    routing_reason: str = ""
    citations: list[Citation] | None = None
    status: str
    error: str | None = None
    created_at: int


class StreamCitation(Answered):
    """A citation as the end of a stream writes it; the first is that of `<source_id=1>`."""

    text: str
    source: str
    page: int


class Message(BaseModel):
    """The next words of a streamed answer."""

    text: str


class Done(Answered):
    """The end of a streamed answer: the whole response and its citations."""

    id: str
    name: str
    query: str
    knowledge_engine_id: str
    status: str
    response: str
    citations: list[StreamCitation] = []
    created_at: int


class Evidence(Answered):
    """Where an extracted value stands."""

    data_source_id: str
    file_name: str
    page_number: int
    text: str
    bbox: Box | None = None


class ExtractedField(Answered):
    """What was found for a field; `confidence` is None where it was not asked for."""

    value: Value = None
    type: str
    confidence: float | None = None
    options: list[Any] | None = None
    evidence: list[Evidence] = []
    reason: str = ""


class FoundField(ExtractedField):
    """A field that a streamed tool run has finished."""

    field_name: str


class RunMetadata(Answered):
    """What a tool run took."""

    processing_time: float = 0.0  # milliseconds
    sources_analyzed: int = 0
    fields_extracted: int = 0
    average_confidence: float | None = None
    review_order: list[str] = []  # the names of the fields, the least sure first
    model_used: str | None = None


class RunResult(Answered):
    """What a tool run found, by the name of the field."""

    extracted_fields: dict[str, ExtractedField] = {}
    metadata: RunMetadata = RunMetadata()


class ToolRun(Answered):
    """An extraction of fields from data sources."""

    id: str
    status: str  # "queued", "processing", "completed" or "failed"
    created_at: int
    tool: dict[str, Any] = {}
    result: RunResult | None = None
    error: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has ended, well or not."""
        return self.status in ("completed", "failed")


class Webhook(Answered):
    """An address that is told when something has finished."""

    id: str
    url: str
    events: list[str]  # "data_source.finished", "tool_run.finished"
    knowledge_engine_id: str | None = None  # None: of all engines
    description: str = ""
    disabled: bool = False
    created_at: int


class CreatedWebhook(Webhook):
    """A new webhook, with the secret of its signatures, which is not shown again."""

    secret: str


class WebhookDelivery(Answered):
    """An event that a webhook is told of, and how far that is; its id is the `webhook-id`."""

    id: str
    event: str
    status: str  # "pending", "delivered" or "failed"
    attempts: int
    last_status_code: int | None = None
    last_error: str | None = None
    last_attempt_at: int | None = None
    next_attempt_at: int | None = None
    created_at: int


class AuditEntry(Answered):
    """Something that somebody did."""

    id: str
    created_at: int
    actor: str  # "key", "console" or "command line"
    key_id: int | None = None
    key_name: str | None = None
    key_hint: str | None = None
    action: str
    resource_id: str | None = None
    request_id: str | None = None
    outcome: str  # "done" or "refused"


class RequestedField(BaseModel):
    """A field that a tool run is to find."""

    field_name: str
    description: str
    type: str = "text"
    options: list[Any] | None = None


class TaggedDataSource(BaseModel):
    """A data source that a tool run looks at, or some of its pages (`"3"`, `"3-7"`)."""

    id: str
    page_range: str | None = None
