"""What enters and leaves over HTTP: what the other `schemas_` files share, and the engines."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from app.models.deletion_receipt import DeletionReceipt
from app.models.knowledge_engine import EngineCounts, KnowledgeEngine
from config.settings import EngineReadyWhen

NAME_LENGTH = 50
"""The most characters (not bytes) that the name of an engine or a workflow may have."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH)]
Required = Annotated[str, StringConstraints(min_length=1)]


def is_none(value: Any) -> bool:
    """Tell which fields of an answer are left out where they say nothing."""
    return value is None


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


class Deleted(BaseModel):
    """The answer to a deletion."""

    id: str
    deleted: Literal[True] = True
    receipt: DeletionReceiptResponse | None = None


class ErrorResponse(BaseModel):
    """Every error that is not streamed."""

    error: str
