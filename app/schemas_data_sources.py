"""What enters and leaves over HTTP about data sources and their pages."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from app.models.data_source import (
    DataSource,
    DataSourceStatus,
    DataSourceType,
    Stage,
)
from app.models.data_source_page import DataSourcePage
from app.schemas import (
    RequestBody,
    Required,
    is_none,
)


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
