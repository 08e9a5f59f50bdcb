"""Tool runs: the fields that somebody wants extracted from data sources, and what was found.

A run is worked on in attempts. Whatever an attempt writes says which it is, so one that was taken
for dead and has been followed by another writes nothing more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    DateTime,
    Index,
    String,
    cast,
    column,
    delete,
    exists,
    func,
    literal,
    table,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, JSONPATH
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field
from app.models.data_source import DataSource
from app.models.page_of_rows import PageRequest, one_page
from app.models.webhook import Event, EventType
from app.models.webhook_delivery import insert_deliveries


class ToolRunStatus(StrEnum):
    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"


_UNFINISHED = (ToolRunStatus.QUEUED, ToolRunStatus.PROCESSING)


class ToolRun(SQLModel, table=True):
    """An extraction; it goes with its engine."""

    __tablename__ = "tool_run"
    __table_args__ = (
        Index("tool_run_by_account_id", "account_id", "created_at", "id"),
        Index("tool_run_by_knowledge_engine_id", "knowledge_engine_id", "created_at", "id"),
    )

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE")
    knowledge_engine_id: str = Field(foreign_key="knowledge_engine.id", ondelete="CASCADE")
    # As it was asked for: type, model, knowledge_engine_id, tagged_data_sources, fields,
    # include_confidence_scores.
    tool: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    notes: dict[str, Any] = Field(
        default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}")
    )
    stream_response: bool = False
    async_response: bool = False
    status: str = ToolRunStatus.QUEUED
    attempts: int = 0
    # As they were finished, each: field_name, value, confidence, evidence, reason.
    extracted_fields: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSONB, nullable=False, server_default="[]")
    )
    model_used: str | None = None
    # Of all attempts so far.
    usage: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    processing_time_ms: float = 0.0  # of the attempt that ended it
    error: str | None = None
    created_at: datetime = created_at_field()
    # When the process that works on it last said that it lives.
    heartbeat_at: datetime = Field(
        default_factory=lambda: datetime.now(UTC),
        sa_column=Column(DateTime(timezone=True), nullable=False, server_default=func.now()),
    )

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status not in _UNFINISHED

    def as_queued(self) -> "ToolRun":
        """Return the run as it was before anything came of it."""
        given = {"id", "account_id", "knowledge_engine_id", "tool", "notes", "created_at"}
        flags = {"stream_response", "async_response"}
        return ToolRun(**self.model_dump(include=given | flags))


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended: with an error, or with all its fields."""

    error: str | None
    processing_time_ms: float
    model_used: str | None
    usage: Mapping[str, Any]


async def select_tool_run(
    session: AsyncSession, account_id: int, run_id: str, *, for_update: bool = False
) -> ToolRun | None:
    """Return the run of this account, or None; `for_update` keeps others from it."""
    statement = select(ToolRun).where(ToolRun.id == run_id, ToolRun.account_id == account_id)
    if for_update:
        statement = statement.with_for_update(key_share=True)
    return (await session.exec(statement)).first()


async def select_tool_runs(
    session: AsyncSession, account_id: int, page: PageRequest, *, engine_id: str | None = None
) -> list[ToolRun]:
    """Return the runs of this account, in the order the page asks for."""
    statement = select(ToolRun).where(ToolRun.account_id == account_id)
    if engine_id is not None:
        statement = statement.where(ToolRun.knowledge_engine_id == engine_id)
    return list((await session.exec(one_page(statement, ToolRun, page))).all())


async def select_new_fields(
    session: AsyncSession, run_id: str, after: int
) -> tuple[str, list[dict[str, Any]]] | None:
    """Return the status of a run and the fields it has finished after so many, or None."""
    new_fields = func.jsonb_path_query_array(
        ToolRun.extracted_fields,
        cast("$[$after to last]", JSONPATH),
        literal({"after": after}, JSONB),
        type_=JSONB,
    )
    statement = select(ToolRun.status, new_fields).where(ToolRun.id == run_id)
    row = (await session.exec(statement)).first()
    return None if row is None else (row[0], row[1])


async def select_tool_run_counts(session: AsyncSession) -> dict[str, int]:
    """Return how many runs of all accounts are queued and how many in work."""
    statement = (
        select(ToolRun.status, func.count()).where(_is_unfinished()).group_by(ToolRun.status)
    )
    return dict((await session.exec(statement)).all())


async def select_lost_tool_runs(session: AsyncSession) -> list[tuple[str, str]]:
    """Return the unfinished runs nobody waits for which no job will do, and their engines."""
    jobs = table("procrastinate_jobs", column("status"), column("args", JSONB))
    job_of_it = exists().where(
        cast(jobs.c.status, String).in_(["todo", "doing"]),
        jobs.c.args["tool_run_id"].astext == ToolRun.id,
    )
    statement = select(ToolRun.id, ToolRun.knowledge_engine_id).where(
        _is_unfinished(), col(ToolRun.async_response), ~job_of_it
    )
    return list((await session.exec(statement)).all())


async def hold_data_sources(
    session: AsyncSession, account_id: int, data_source_ids: Sequence[str]
) -> dict[str, DataSource]:
    """Keep data sources from being deleted until the transaction ends, and return them by id.

    So a deletion finds every run that is to be failed with it. Those of other accounts are left
    out.
    """
    statement = (
        select(DataSource)
        .where(col(DataSource.id).in_(data_source_ids), DataSource.account_id == account_id)
        .with_for_update(read=True, key_share=True)
    )
    return {one.id: one for one in (await session.exec(statement)).all()}


async def insert_tool_run(session: AsyncSession, run: ToolRun) -> None:
    """Store a new run."""
    session.add(run)
    await session.flush()


async def begin_attempt(session: AsyncSession, run_id: str) -> ToolRun | None:
    """Begin one more attempt at a run and return it; None where it is gone or over."""
    statement = (
        update(ToolRun)
        .where(col(ToolRun.id) == run_id, _is_unfinished())
        .values(
            status=ToolRunStatus.PROCESSING,
            attempts=ToolRun.attempts + 1,
            heartbeat_at=func.now(),
        )
        .returning(ToolRun)
    )
    return (await session.exec(statement)).scalars().first()


async def touch_attempt(session: AsyncSession, run: ToolRun, usage: Mapping[str, Any]) -> bool:
    """Note that an attempt lives, and what the run has cost so far.

    Returns:
        False where the run is gone, over or taken up anew; then nothing is written.
    """
    return await _update_attempt(session, run, heartbeat_at=func.now(), usage=dict(usage))


async def append_fields(
    session: AsyncSession, run: ToolRun, extracted: Sequence[Mapping[str, Any]]
) -> bool:
    """Store fields that an attempt has finished; returns as `touch_attempt` does."""
    longer = col(ToolRun.extracted_fields).concat(literal([dict(one) for one in extracted], JSONB))
    return await _update_attempt(session, run, extracted_fields=longer)


async def end_attempt(session: AsyncSession, run: ToolRun, ending: Ending) -> bool:
    """End a run with what an attempt at it came to; returns as `touch_attempt` does."""
    status = ToolRunStatus.COMPLETED if ending.error is None else ToolRunStatus.FAILED
    has_ended = await _update_attempt(
        session,
        run,
        status=status,
        error=ending.error,
        processing_time_ms=ending.processing_time_ms,
        model_used=ending.model_used,
        usage=dict(ending.usage),
    )
    if has_ended:
        await insert_deliveries(session, _finished(run, status, ending.error))
    return has_ended


async def update_value(session: AsyncSession, run: ToolRun, field_name: str, value: Any) -> None:
    """Put a person's value in place of what was found for a field; where it stands stays.

    The run must be locked: the values of its other fields are written anew.
    """
    corrected = {"value": value, "confidence": 1.0, "reason": "corrected by a person"}
    run.extracted_fields = [
        one | corrected if one["field_name"] == field_name else one for one in run.extracted_fields
    ]
    await session.flush()


async def put_back(
    session: AsyncSession, run: ToolRun, usage: Mapping[str, Any], *, counts: bool
) -> None:
    """Queue a run again whose attempt came to nothing; `counts` says whether it was one."""
    attempts = run.attempts if counts else run.attempts - 1
    await _update_attempt(
        session, run, status=ToolRunStatus.QUEUED, attempts=attempts, usage=dict(usage)
    )


async def fail_silent_runs(session: AsyncSession, silence: timedelta, error: str) -> list[str]:
    """Fail the runs somebody waited for whose process has said nothing for this long."""
    statement = (
        update(ToolRun)
        .where(
            _is_unfinished(),
            ~col(ToolRun.async_response),
            col(ToolRun.heartbeat_at) < func.now() - silence,
        )
        .values(status=ToolRunStatus.FAILED, error=error)
        .returning(ToolRun)
    )
    failed = (await session.exec(statement)).scalars().all()
    for run in failed:
        await insert_deliveries(session, _finished(run, ToolRunStatus.FAILED, error))
    return [run.id for run in failed]


async def forget_data_source(
    session: AsyncSession, engine_id: str, data_source_id: str, error: str
) -> None:
    """Take what runs quote of a data source that is being deleted, and fail those still at it.

    The values stay: they are what the run is kept for.
    """
    tagged = literal({"tagged_data_sources": [{"id": data_source_id}]}, JSONB)
    statement = (
        select(ToolRun)
        .where(ToolRun.knowledge_engine_id == engine_id, col(ToolRun.tool).contains(tagged))
        .order_by(ToolRun.id)  # Two deletions that meet take them in the same order.
        .with_for_update()
    )
    for run in (await session.exec(statement)).all():
        if not run.is_over:
            run.status, run.error = ToolRunStatus.FAILED, error
            await insert_deliveries(session, _finished(run, ToolRunStatus.FAILED, error))
        run.extracted_fields = [_without(data_source_id, one) for one in run.extracted_fields]


async def delete_tool_run(session: AsyncSession, run: ToolRun) -> None:
    """Delete a run; who works on it stops soon."""
    await session.exec(delete(ToolRun).where(col(ToolRun.id) == run.id))


async def _update_attempt(session: AsyncSession, run: ToolRun, **values: Any) -> bool:
    statement = (
        update(ToolRun)
        .where(
            col(ToolRun.id) == run.id,
            col(ToolRun.status) == ToolRunStatus.PROCESSING,
            col(ToolRun.attempts) == run.attempts,
        )
        .values(values)
        .returning(col(ToolRun.id))
    )
    return (await session.exec(statement)).first() is not None


def _finished(run: ToolRun, status: ToolRunStatus, error: str | None) -> Event:
    return Event(
        EventType.TOOL_RUN_FINISHED,
        run.account_id,
        run.knowledge_engine_id,
        {"id": run.id, "status": status, "error": error},
    )


def _without(data_source_id: str, extracted: Mapping[str, Any]) -> dict[str, Any]:
    kept: Sequence[Mapping[str, Any]] = [
        one for one in extracted["evidence"] if one["data_source_id"] != data_source_id
    ]
    if len(kept) == len(extracted["evidence"]):
        return dict(extracted)
    return {**extracted, "evidence": kept, "reason": "the data source it was found in was deleted"}


def _is_unfinished() -> ColumnElement[bool]:
    return col(ToolRun.status).in_(_UNFINISHED)
