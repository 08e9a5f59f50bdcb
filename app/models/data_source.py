"""Data sources: the documents and tickets of an engine, and how far their reading is."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    Column,
    DateTime,
    Index,
    String,
    any_,
    cast,
    column,
    delete,
    exists,
    func,
    literal,
    table,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import IntegrityError
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field
from app.models.page_of_rows import PageRequest, one_page
from app.models.references import missing_engine_told
from app.models.webhook import Event, EventType
from app.models.webhook_delivery import insert_deliveries
from config.errors import DuplicateFile

JsonScalar = str | int | float | bool | None


class DataSourceType(StrEnum):
    FILE = "file"
    TICKET = "ticket"


class DataSourceStatus(StrEnum):
    PROCESSING = "processing"
    PROCESSED = "processed"


class Outcome(StrEnum):
    """How the reading of a data source ended."""

    OK = "ok"
    PARTIAL = "partial"
    FAILED = "failed"


class Stage(StrEnum):
    """What is being done with a data source at this moment."""

    QUEUED = "queued"
    READING = "reading"
    EMBEDDING = "embedding"  # it is found by its words already
    DONE = "done"


class DataSource(SQLModel, table=True):
    """An uploaded item of a knowledge engine."""

    __tablename__ = "data_source"
    __table_args__ = (
        # Exactly one upload of the same bytes wins, even when two come at the same instant.
        Index(
            "data_source_one_of_the_same_bytes",
            "knowledge_engine_id",
            "sha256",
            unique=True,
            postgresql_where=text("outcome IS DISTINCT FROM 'failed'"),
        ),
        Index("data_source_by_knowledge_engine_id", "knowledge_engine_id", "created_at", "id"),
        Index(
            "data_source_processing",
            "knowledge_engine_id",
            postgresql_where=text("status = 'processing'"),
        ),
    )

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    knowledge_engine_id: str = Field(foreign_key="knowledge_engine.id", ondelete="CASCADE")
    name: str
    type: str = DataSourceType.FILE
    notes: dict[str, Any] = Field(
        default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}")
    )
    file_name: str
    file_format: str
    size_bytes: int = Field(sa_type=BigInteger)
    sha256: str
    blob_key: str
    status: str = DataSourceStatus.PROCESSING
    stage: str = Stage.QUEUED
    progress: float = 0.0
    attempts: int = 0  # since anything came of one
    outcome: str | None = None
    error: str | None = None
    page_count: int = 0
    chunk_count: int = 0
    created_at: datetime = created_at_field()
    processed_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))


async def select_data_source(
    session: AsyncSession, account_id: int, data_source_id: str, *, for_update: bool = False
) -> DataSource | None:
    """Return the data source of this account, or None; `for_update` keeps all others from it."""
    statement = select(DataSource).where(
        DataSource.id == data_source_id, DataSource.account_id == account_id
    )
    if for_update:
        statement = statement.with_for_update()
    return (await session.exec(statement)).first()


async def select_data_source_to_read(
    session: AsyncSession, data_source_id: str
) -> DataSource | None:
    """Return and lock a data source that still waits for its reading, or None.

    The lock makes a deletion and the end of the reading follow each other. The engine is held
    first, as by a deletion, so that the two never wait in a circle; rows are locked when they are
    joined, and so after it.
    """
    engine = table("knowledge_engine", column("id"))
    its_own = select(DataSource.knowledge_engine_id).where(DataSource.id == data_source_id)
    held = (
        select(engine.c.id)
        .where(engine.c.id == its_own.scalar_subquery())
        .with_for_update(read=True, key_share=True)
        .cte("held")
    )
    statement = (
        select(DataSource)
        .join(held, col(DataSource.knowledge_engine_id) == held.c.id)
        .where(
            DataSource.id == data_source_id,
            DataSource.status == DataSourceStatus.PROCESSING,
        )
        .with_for_update(of=DataSource)
    )
    return (await session.exec(statement)).first()


async def lock_data_source(session: AsyncSession, data_source_id: str) -> bool:
    """Tell whether a data source is there; it is not deleted before the transaction ends."""
    statement = (
        select(DataSource.id)
        .where(DataSource.id == data_source_id)
        .with_for_update(read=True, key_share=True)
    )
    return (await session.exec(statement)).first() is not None


async def select_data_sources(
    session: AsyncSession, engine_id: str, page: PageRequest
) -> list[DataSource]:
    """Return the data sources of an engine, oldest first."""
    statement = select(DataSource).where(DataSource.knowledge_engine_id == engine_id)
    return list((await session.exec(one_page(statement, DataSource, page))).all())


async def select_data_sources_of(
    session: AsyncSession, account_id: int, data_source_ids: Collection[str]
) -> dict[str, DataSource]:
    """Return those of these data sources that are there, by their ids."""
    statement = select(DataSource).where(
        DataSource.account_id == account_id, col(DataSource.id).in_(data_source_ids)
    )
    return {one.id: one for one in (await session.exec(statement)).all()}


async def select_stage_counts(session: AsyncSession) -> dict[str, int]:
    """Return how many data sources of all accounts are at which stage, of those not yet read."""
    statement = (
        select(DataSource.stage, func.count())
        .where(DataSource.status == DataSourceStatus.PROCESSING)
        .group_by(DataSource.stage)
    )
    return dict((await session.exec(statement)).all())


async def select_data_source_ids(
    session: AsyncSession,
    account_id: int,
    engine_id: str,
    notes: Mapping[str, Sequence[JsonScalar]],
    data_source_id: str | None = None,
) -> Sequence[str]:
    """Return which data sources of an engine have one of the given values under every given key.

    A key that is not there has the value null. Values are equal as JSON: 2024 and 2024.0 are,
    1, "1" and true are not. With `data_source_id`, no other is returned.
    """
    noted = col(DataSource.notes)
    # As one array: thousands of rows would take longer than finding them.
    statement = select(func.array_agg(DataSource.id)).where(
        DataSource.account_id == account_id,
        DataSource.knowledge_engine_id == engine_id,
        *(
            func.coalesce(noted[key], literal(JSON.NULL, JSONB))
            == any_(literal(values, ARRAY(JSONB)))
            for key, values in notes.items()
        ),
    )
    if data_source_id is not None:
        statement = statement.where(DataSource.id == data_source_id)
    return (await session.exec(statement)).one() or []


async def select_ids_with_chunks(session: AsyncSession, engine_id: str) -> list[str]:
    """Return the data sources of an engine that are read and have something to be searched."""
    statement = select(DataSource.id).where(
        DataSource.knowledge_engine_id == engine_id,
        DataSource.status == DataSourceStatus.PROCESSED,
        col(DataSource.chunk_count) > 0,
    )
    return list((await session.exec(statement)).all())


async def has_active_data_source(session: AsyncSession) -> bool:
    """Tell whether any engine of any account has something to be asked about."""
    statement = select(DataSource.id).where(
        DataSource.status == DataSourceStatus.PROCESSED, col(DataSource.chunk_count) > 0
    )
    return (await session.exec(statement.limit(1))).first() is not None


async def select_large_engines(session: AsyncSession, chunks: int) -> list[str]:
    """Return the engines whose processed data sources have so many chunks or more."""
    statement = (
        select(DataSource.knowledge_engine_id)
        .where(DataSource.status == DataSourceStatus.PROCESSED)
        .group_by(col(DataSource.knowledge_engine_id))
        .having(func.sum(DataSource.chunk_count) >= chunks)
    )
    return list((await session.exec(statement)).all())


async def select_lost_data_sources(session: AsyncSession) -> list[tuple[str, str]]:
    """Return the data sources that wait for a reading which no job will do, and their engines."""
    jobs = table("procrastinate_jobs", column("status"), column("args", JSONB))
    job_of_it = exists().where(
        cast(jobs.c.status, String).in_(["todo", "doing"]),
        jobs.c.args["data_source_id"].astext == DataSource.id,
    )
    statement = select(DataSource.id, DataSource.knowledge_engine_id).where(
        DataSource.status == DataSourceStatus.PROCESSING, ~job_of_it
    )
    return list((await session.exec(statement)).all())


async def select_blob_keys(session: AsyncSession, engine_id: str) -> list[str]:
    """Return where the files of an engine's data sources are stored."""
    statement = select(DataSource.blob_key).where(DataSource.knowledge_engine_id == engine_id)
    return list((await session.exec(statement)).all())


async def insert_data_source(session: AsyncSession, data_source: DataSource) -> None:
    """Store a new data source.

    Raises:
        DuplicateFile: the engine already holds these bytes.
        ReferenceNotFound: the engine was deleted a moment ago.
    """
    session.add(data_source)
    try:
        with missing_engine_told():
            await session.flush()
    except IntegrityError as error:
        if "data_source_one_of_the_same_bytes" in str(error.orig):
            raise DuplicateFile from error
        raise


async def update_attempt(session: AsyncSession, data_source_id: str) -> DataSource | None:
    """Count one more attempt at a data source that waits for its reading, and return it."""
    data_source = await select_data_source_to_read(session, data_source_id)
    if data_source is not None:
        data_source.attempts += 1
        data_source.stage = Stage.EMBEDDING if data_source.chunk_count else Stage.READING
        await session.flush()
    return data_source


async def update_interrupted(session: AsyncSession, data_source_id: str) -> None:
    """Take back an attempt that was ended from outside, and put the data source in the queue."""
    data_source = await select_data_source_to_read(session, data_source_id)
    if data_source is not None:
        data_source.attempts -= 1
        data_source.stage = Stage.QUEUED
        await session.flush()


async def update_progress(
    session: AsyncSession, data_source_id: str, progress: float, *, is_new: bool
) -> bool:
    """Tell how far the reading is, 0 to 1; return False where the data source is gone.

    What is new shows that the attempts are not in vain, so they are counted anew.
    """
    changed = {"progress": progress} | ({"attempts": 1} if is_new else {})
    statement = (
        update(DataSource)
        .where(
            col(DataSource.id) == data_source_id,
            col(DataSource.status) == DataSourceStatus.PROCESSING,
        )
        .values(changed)
        .returning(col(DataSource.id))
    )
    return (await session.exec(statement)).first() is not None


async def is_waiting(session: AsyncSession, data_source_id: str) -> bool:
    """Tell whether the data source is still there and waits for the end of its reading."""
    statement = select(DataSource.id).where(
        DataSource.id == data_source_id, DataSource.status == DataSourceStatus.PROCESSING
    )
    return (await session.exec(statement)).first() is not None


def store(data_source: DataSource, *, pages: int, chunks: int, progress: float) -> None:
    """Note that the chunks of a data source are stored; their vectors may still be missing."""
    data_source.stage = Stage.EMBEDDING
    data_source.progress = progress
    data_source.attempts = 1
    data_source.page_count = pages
    data_source.chunk_count = chunks


def note_embedded(data_source: DataSource, chunks: int, *, share: float) -> None:
    """Note that so many more chunks have their vectors; `share` is that of embedding in the work.

    What is new shows that the attempts are not in vain, so they are counted anew.
    """
    more = share * chunks / data_source.chunk_count
    data_source.progress = min(1, data_source.progress + more)
    data_source.attempts = 1


async def finish(
    session: AsyncSession, data_source: DataSource, outcome: Outcome, error: str | None
) -> None:
    """Give a data source its outcome; `processed` is where every reading ends."""
    data_source.status = DataSourceStatus.PROCESSED
    data_source.stage = Stage.DONE
    data_source.progress = 1.0
    data_source.outcome = outcome
    data_source.error = error
    if outcome is Outcome.FAILED:
        data_source.page_count = 0
        data_source.chunk_count = 0
    data_source.processed_at = datetime.now(UTC)
    finished = Event(
        EventType.DATA_SOURCE_FINISHED,
        data_source.account_id,
        data_source.knowledge_engine_id,
        {"id": data_source.id, "status": data_source.status, "outcome": outcome, "error": error},
    )
    await insert_deliveries(session, finished)


async def update_to_embed_again(session: AsyncSession, engine_ids: Collection[str]) -> None:
    """Let the data sources of engines wait for the vectors of their chunks, as when just stored."""
    again = {"outcome": None, "error": None, "processed_at": None, "attempts": 0, "progress": 0.5}
    statement = (
        update(DataSource)
        .where(col(DataSource.knowledge_engine_id).in_(engine_ids), col(DataSource.chunk_count) > 0)
        .values(status=DataSourceStatus.PROCESSING, stage=Stage.QUEUED, **again)
    )
    await session.exec(statement)


async def delete_data_source(session: AsyncSession, data_source: DataSource) -> None:
    """Delete the row of a data source."""
    await session.exec(delete(DataSource).where(col(DataSource.id) == data_source.id))
