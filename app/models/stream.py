"""Streams as they were sent, so that any API process can go on with one whose connection broke.

All times are the database's, for the clocks of processes may differ.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate

from sqlalchemy import (
    ARRAY,
    Column,
    DateTime,
    Interval,
    String,
    any_,
    delete,
    false,
    func,
    literal,
    text,
    type_coerce,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.references import missing_engine_told

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
    wanted_for: timedelta  # from now on; negative if nobody has resumed it, or they have left


@dataclass(frozen=True, slots=True)
class SentEvents:
    """What was sent of a stream since it was recorded last."""

    stream_id: str
    last_event: int  # the number of the last event sent
    events: bytes  # those since then; b"" if there are none
    is_over: bool


async def insert_stream(
    session: AsyncSession, stream_id: str, account_id: int, engine_id: str
) -> None:
    """Store a stream that begins now.

    Raises:
        ReferenceNotFound: the engine was deleted a moment ago.
    """
    values = {"id": stream_id, "account_id": account_id, "knowledge_engine_id": engine_id}
    with missing_engine_told():
        await (await session.connection()).execute(_INSERT, values)


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


# In SQL, for it runs some times a second on the loop that sends the words: as statements of
# SQLAlchemy's it took three times as long. Who deletes an engine holds many streams at once, and
# waiting for it could be a deadlock: what is held is passed over, and comes the next time. The
# events of all come as one value: in an array each byte of them would be written in hexadecimal.
_RECORD = text("""
    WITH sent AS (
        SELECT * FROM unnest(
            CAST(:stream_ids AS varchar[]), CAST(:last_events AS integer[]),
            CAST(:starts AS integer[]), CAST(:sizes AS integer[]), CAST(:overs AS boolean[])
        ) AS sent (stream_id, last_event, start, size, is_over)
    ), free AS (
        SELECT id FROM stream WHERE id = ANY (CAST(:stream_ids AS varchar[])) AND NOT is_over
        FOR NO KEY UPDATE SKIP LOCKED
    ), held AS (
        UPDATE stream SET recorded_at = now(), is_over = sent.is_over
        FROM sent JOIN free ON free.id = sent.stream_id
        WHERE stream.id = free.id
        RETURNING stream.id, stream.wanted_until > now() AS is_wanted
    ), stored AS (
        INSERT INTO stream_part (stream_id, last_event, events)
        SELECT stream_id, last_event, substr(CAST(:events AS bytea), start, size)
        FROM sent JOIN held ON held.id = sent.stream_id
        WHERE size > 0
        ON CONFLICT DO NOTHING
    )
    SELECT id, is_wanted FROM held
""")


async def record_streams(session: AsyncSession, streams: Sequence[SentEvents]) -> dict[str, bool]:
    """Store what was sent, which streams are over, and that the process of all of them lives.

    What is stored already stays as it is.

    Returns:
        Whether a client has resumed it, for each that was not over and that nobody else holds; of
        the others nothing is stored.
    """
    sizes = [len(one.events) for one in streams]
    values = {
        "stream_ids": [one.stream_id for one in streams],
        "last_events": [one.last_event for one in streams],
        "starts": list(accumulate(sizes, initial=1))[:-1],
        "sizes": sizes,
        "overs": [one.is_over for one in streams],
        "events": b"".join(one.events for one in streams),
    }
    rows = await (await session.connection()).execute(_RECORD, values)
    return {row.id: row.is_wanted for row in rows}


async def select_live_streams(session: AsyncSession, stream_ids: Collection[str]) -> set[str]:
    """Return those of these streams that are there and not over."""
    # One array is much less work than a parameter for each of hundreds of streams.
    given = any_(literal(list(stream_ids), ARRAY(String)))
    statement = select(Stream.id).where(col(Stream.id) == given, ~col(Stream.is_over))
    return set((await session.exec(statement)).all())


async def insert_part(
    session: AsyncSession, stream_id: str, last_event: int, events: bytes
) -> None:
    """Store what was sent, unless it is there already."""
    values = {"stream_id": stream_id, "last_event": last_event, "events": events}
    await session.exec(insert(StreamPart).values(values).on_conflict_do_nothing())


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


async def select_state(session: AsyncSession, stream_id: str) -> StreamState | None:
    """Return how far a stream is, if it is there."""
    statement = select(
        Stream.is_over,
        type_coerce(func.now() - col(Stream.recorded_at), Interval),
        type_coerce(col(Stream.wanted_until) - func.now(), Interval),
    ).where(Stream.id == stream_id)
    row = (await session.exec(statement)).first()
    return StreamState(*row) if row else None


async def want_stream(session: AsyncSession, stream_id: str, time: timedelta) -> None:
    """Say that somebody wants a stream for this long from now."""
    statement = (
        update(Stream).where(col(Stream.id) == stream_id).values(wanted_until=func.now() + time)
    )
    await session.exec(statement)


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


# Of the table: one of the class is put together anew each time, which takes longer than to run it.
_INSERT = insert(SQLModel.metadata.tables[Stream.__tablename__])
