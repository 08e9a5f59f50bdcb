"""Streams as they were sent, so that any API process can go on with one whose connection broke.

All times are the database's, for the clocks of processes may differ.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    ARRAY,
    Column,
    ColumnElement,
    DateTime,
    Integer,
    LargeBinary,
    String,
    any_,
    delete,
    false,
    func,
    literal,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

KEPT = timedelta(minutes=10)
"""How long a stream can be resumed after it was last written to."""


def _moment_column() -> Column[datetime]:
    return Column(DateTime(timezone=True), nullable=False, server_default=func.now())


class Stream(SQLModel, table=True):
    """A streamed answer; it goes with its engine, and with the workflow that it became."""

    __tablename__ = "stream"

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE")
    knowledge_engine_id: str = Field(
        foreign_key="knowledge_engine.id", ondelete="CASCADE", index=True
    )
    workflow_id: str | None = Field(
        default=None, foreign_key="workflow.id", ondelete="CASCADE", index=True
    )
    is_over: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    # When the process that answers wrote last, be it only that it lives.
    recorded_at: datetime = Field(sa_column=_moment_column())
    # Until when a client that has resumed the stream counts as there.
    wanted_until: datetime = Field(sa_column=_moment_column())


class StreamPart(SQLModel, table=True):
    """Events that were sent one after the other; those of a stream are numbered from 1."""

    __tablename__ = "stream_part"

    stream_id: str = Field(foreign_key="stream.id", ondelete="CASCADE", primary_key=True)
    last_event: int = Field(primary_key=True)
    events: bytes


@dataclass(frozen=True, slots=True)
class StreamState:
    """How far a stream is."""

    is_over: bool
    silence: timedelta  # since its process wrote last


async def insert_stream(
    session: AsyncSession, stream_id: str, account_id: int, engine_id: str
) -> None:
    """Store a stream that begins now."""
    values = {"id": stream_id, "account_id": account_id, "knowledge_engine_id": engine_id}
    await session.exec(insert(Stream).values(values))


async def select_stream(
    session: AsyncSession, account_id: int, engine_id: str, stream_id: str
) -> Stream | None:
    """Return the stream of this account and engine if it can still be resumed, or None."""
    statement = select(Stream).where(
        Stream.id == stream_id,
        Stream.account_id == account_id,
        Stream.knowledge_engine_id == engine_id,
        col(Stream.recorded_at) > func.now() - KEPT,
    )
    return (await session.exec(statement)).first()


async def select_parts(session: AsyncSession, stream_id: str, after: int) -> list[StreamPart]:
    """Return what was sent after the event of this number, in its order.

    The first part may begin with events before it.
    """
    statement = (
        select(StreamPart)
        .where(StreamPart.stream_id == stream_id, StreamPart.last_event > after)
        .order_by(col(StreamPart.last_event))
    )
    return list((await session.exec(statement)).all())


async def select_last_event(session: AsyncSession, stream_id: str) -> int:
    """Return the number of the last event that was recorded, 0 if none was."""
    statement = select(func.max(col(StreamPart.last_event))).where(
        StreamPart.stream_id == stream_id
    )
    return (await session.exec(statement)).one() or 0


async def touch_live_streams(session: AsyncSession, stream_ids: Collection[str]) -> dict[str, bool]:
    """Note that the process of these streams lives, and keep others from ending them meanwhile.

    Returns:
        Whether a client has resumed it, for each that is not over and that nobody else holds.
    """
    # Who deletes an engine holds many of them at once: waiting for it could be a deadlock.
    free = (
        select(Stream.id)
        .where(_is_one_of(stream_ids), ~col(Stream.is_over))
        .with_for_update(key_share=True, skip_locked=True)
    )
    statement = (
        update(Stream)
        .where(col(Stream.id).in_(free))
        .values(recorded_at=func.now())
        .returning(col(Stream.id), col(Stream.wanted_until) > func.now())
    )
    return {one: bool(is_wanted) for one, is_wanted in await session.exec(statement)}


async def select_live_streams(session: AsyncSession, stream_ids: Collection[str]) -> set[str]:
    """Return those of these streams that are there and not over."""
    statement = select(Stream.id).where(_is_one_of(stream_ids), ~col(Stream.is_over))
    return set((await session.exec(statement)).all())


async def insert_parts(session: AsyncSession, parts: Sequence[tuple[str, int, bytes]]) -> None:
    """Store what was sent; each part as in `StreamPart`. What is there already stays."""
    if parts:
        stream_ids, numbers, events = map(list, zip(*parts, strict=True))
        rows = select(
            func.unnest(literal(stream_ids, ARRAY(String))),
            func.unnest(literal(numbers, ARRAY(Integer))),
            func.unnest(literal(events, ARRAY(LargeBinary))),
        )
        columns = ["stream_id", "last_event", "events"]
        await session.exec(insert(StreamPart).from_select(columns, rows).on_conflict_do_nothing())


async def end_streams(session: AsyncSession, stream_ids: Collection[str]) -> None:
    """Note that nothing follows in these streams."""
    if stream_ids:
        ended = update(Stream).where(_is_one_of(stream_ids)).values(is_over=True)
        await session.exec(ended)


async def end_silent_stream(session: AsyncSession, stream_id: str, silence: timedelta) -> bool:
    """End a stream whose process has not written for this long; tell whether it was so."""
    statement = (
        update(Stream)
        .where(
            col(Stream.id) == stream_id,
            ~col(Stream.is_over),
            col(Stream.recorded_at) < func.now() - silence,
        )
        .values(is_over=True)
        .returning(col(Stream.id))
    )
    return (await session.exec(statement)).first() is not None


async def want_stream(session: AsyncSession, stream_id: str, time: timedelta) -> StreamState | None:
    """Say that somebody wants a stream for this long from now; return its state, if it is there."""
    statement = (
        update(Stream)
        .where(col(Stream.id) == stream_id)
        .values(wanted_until=func.now() + time)
        .returning(col(Stream.is_over), func.now() - col(Stream.recorded_at))
    )
    row = (await session.exec(statement)).first()
    return StreamState(*row) if row else None


async def set_workflow(session: AsyncSession, stream_id: str, workflow_id: str) -> None:
    """Tie a stream to the workflow it became, so that both are deleted together."""
    statement = update(Stream).where(col(Stream.id) == stream_id).values(workflow_id=workflow_id)
    await session.exec(statement)


async def delete_stream(session: AsyncSession, stream_id: str) -> None:
    """Delete a stream."""
    await session.exec(delete(Stream).where(col(Stream.id) == stream_id))


async def delete_streams_of_engine(session: AsyncSession, engine_id: str) -> None:
    """Delete the streams of an engine; a client that still reads one is not disturbed."""
    await session.exec(delete(Stream).where(col(Stream.knowledge_engine_id) == engine_id))


async def delete_old_streams(session: AsyncSession) -> None:
    """Delete the streams that can no longer be resumed."""
    await session.exec(delete(Stream).where(col(Stream.recorded_at) < func.now() - KEPT))


def _is_one_of(stream_ids: Collection[str]) -> ColumnElement[bool]:
    # One array is much less work than a parameter for each of hundreds of streams.
    return col(Stream.id) == any_(literal(list(stream_ids), ARRAY(String)))
