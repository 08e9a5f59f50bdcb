"""What enters and leaves over HTTP about questions and their answers."""

from typing import Any, Literal

from pydantic import BaseModel

from app.models.workflow import Workflow
from app.schemas import Name, RequestBody, Required


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
