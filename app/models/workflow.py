"""Workflows: questions with their answers and citations, and the conversations they belong to."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, Index, delete, func
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by, insert
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field
from app.models.page_of_rows import PageRequest, one_page
from app.models.references import missing_engine_told
from config.errors import ReferenceNotFound


class WorkflowStatus(StrEnum):
    PROCESSING = "PROCESSING"
    PROCESSED = "PROCESSED"


class Context(SQLModel, table=True):
    """A conversation; its id is the client's, so it is one only within its account."""

    __tablename__ = "context"

    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", primary_key=True)
    id: str = Field(primary_key=True)
    knowledge_engine_id: str = Field(
        foreign_key="knowledge_engine.id", ondelete="CASCADE", index=True
    )
    created_at: datetime = created_at_field()


class Workflow(SQLModel, table=True):
    """One question to a knowledge engine, with its answer."""

    __tablename__ = "workflow"
    __table_args__ = (
        Index("workflow_by_account_id", "account_id", "created_at", "id"),
        Index("workflow_by_knowledge_engine_id", "knowledge_engine_id", "created_at", "id"),
    )

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE")
    knowledge_engine_id: str = Field(foreign_key="knowledge_engine.id", ondelete="CASCADE")
    context_id: str = Field(index=True)
    name: str
    description: str = ""
    query: str
    response: str
    advanced_reasoning: bool = False
    model: str
    resolved_model: str
    routing_reason: str
    # Each: citation_key, data_source_id, file_name, page_number, text (the cited passage).
    citations: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSONB, nullable=False, server_default="[]")
    )
    # Each: sentence, verdict, reason, citation_keys.
    verification: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSONB, nullable=False, server_default="[]")
    )
    # The steps of answering with what they cost; None for answers of before it was counted.
    usage: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    status: str = WorkflowStatus.PROCESSED
    error: str | None = None
    created_at: datetime = created_at_field()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as a list shows it."""

    context_id: str
    first_query: str
    began_at: datetime
    turns: int


async def claim_context(
    session: AsyncSession, account_id: int, context_id: str, engine_id: str
) -> Context:
    """Return the conversation of this account; one that is not there begins now, in this engine.

    Raises:
        ReferenceNotFound: the engine, or that of the conversation, was deleted a moment ago.
    """
    statement = (
        insert(Context)
        .values(
            account_id=account_id,
            id=context_id,
            knowledge_engine_id=engine_id,
            created_at=datetime.now(UTC),
        )
        .on_conflict_do_nothing()
    )
    with missing_engine_told():
        await session.exec(statement)
    # Of two that begin it at once one waits above for the other to commit, so it is there now.
    context = await session.get(Context, (account_id, context_id))
    if context is None:
        raise ReferenceNotFound("context")
    return context


async def select_turns(
    session: AsyncSession, account_id: int, context_id: str, limit: int
) -> list[Workflow]:
    """Return the latest workflows of a conversation in which something was said, newest first."""
    statement = (
        select(Workflow)
        .where(Workflow.account_id == account_id, Workflow.context_id == context_id)
        .where(Workflow.response != "")
        .order_by(col(Workflow.created_at).desc(), col(Workflow.id).desc())
        .limit(limit)
    )
    return list((await session.exec(statement)).all())


async def select_workflow(
    session: AsyncSession, account_id: int, workflow_id: str, *, for_update: bool = False
) -> Workflow | None:
    """Return the workflow of this account, or None; `for_update` keeps others from it."""
    statement = select(Workflow).where(
        Workflow.id == workflow_id, Workflow.account_id == account_id
    )
    if for_update:
        statement = statement.with_for_update(key_share=True)
    return (await session.exec(statement)).first()


async def select_workflows(
    session: AsyncSession,
    account_id: int,
    page: PageRequest,
    *,
    engine_id: str | None = None,
    context_id: str | None = None,
) -> list[Workflow]:
    """Return the workflows of this account, in the order the page asks for."""
    statement = select(Workflow).where(Workflow.account_id == account_id)
    if engine_id is not None:
        statement = statement.where(Workflow.knowledge_engine_id == engine_id)
    if context_id is not None:
        statement = statement.where(Workflow.context_id == context_id)
    return list((await session.exec(one_page(statement, Workflow, page))).all())


async def select_workflow_count(session: AsyncSession, engine_id: str) -> int:
    """Return how many questions were asked of an engine."""
    statement = select(func.count()).where(Workflow.knowledge_engine_id == engine_id)
    return (await session.exec(statement)).one()


async def select_conversations(
    session: AsyncSession, account_id: int, engine_id: str, limit: int
) -> list[Conversation]:
    """Return the latest conversations with an engine, by when they began, newest first."""
    began_at = func.min(col(Workflow.created_at))
    first_query = func.array_agg(aggregate_order_by(col(Workflow.query), col(Workflow.created_at)))
    statement = (
        select(Workflow.context_id, first_query[1], began_at, func.count())
        .where(Workflow.account_id == account_id, Workflow.knowledge_engine_id == engine_id)
        .group_by(col(Workflow.context_id))
        .order_by(began_at.desc())
        .limit(limit)
    )
    return [Conversation(*row) for row in await session.exec(statement)]


async def insert_workflow(session: AsyncSession, workflow: Workflow) -> None:
    """Store a workflow, and its conversation where this is the first turn of it."""
    await claim_context(
        session, workflow.account_id, workflow.context_id, workflow.knowledge_engine_id
    )
    session.add(workflow)
    await session.flush()


async def delete_workflow(session: AsyncSession, workflow: Workflow) -> None:
    """Delete a workflow."""
    await session.exec(delete(Workflow).where(col(Workflow.id) == workflow.id))
