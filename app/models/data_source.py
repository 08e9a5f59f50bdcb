"""Data sources: the documents and tickets of an engine, and how far their reading is."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from psycopg.errors import ForeignKeyViolation
from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Index,
    String,
    cast,
    column,
    delete,
    exists,
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
from config.errors import DuplicateFile, ReferenceNotFound


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
    STORING = "storing"
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
    )

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    knowledge_engine_id: str = Field(
        foreign_key="knowledge_engine.id", ondelete="CASCADE", index=True
    )
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
    attempts: int = 0
    outcome: str | None = None
    error: str | None = None
    page_count: int = 0
    chunk_count: int = 0
    created_at: datetime = created_at_field()
    processed_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))


async def select_data_source(
    session: AsyncSession, account_id: int, data_source_id: str
) -> DataSource | None:
    """Return the data source of this account, or None."""
    statement = select(DataSource).where(
        DataSource.id == data_source_id, DataSource.account_id == account_id
    )
    return (await session.exec(statement)).first()


async def select_data_source_to_read(
    session: AsyncSession, data_source_id: str
) -> DataSource | None:
    """Return and lock a data source that still waits for its reading, or None.

    The lock makes a deletion and the end of the reading follow each other.
    """
    statement = (
        select(DataSource)
        .where(
            DataSource.id == data_source_id,
            DataSource.status == DataSourceStatus.PROCESSING,
        )
        .with_for_update()
    )
    return (await session.exec(statement)).first()


async def select_data_sources(
    session: AsyncSession, engine_id: str, page: PageRequest
) -> list[DataSource]:
    """Return the data sources of an engine, oldest first."""
    statement = select(DataSource).where(DataSource.knowledge_engine_id == engine_id)
    return list((await session.exec(one_page(statement, DataSource, page))).all())


async def select_lost_data_sources(session: AsyncSession) -> list[str]:
    """Return the data sources that wait for a reading which no job in the queue will do."""
    jobs = table("procrastinate_jobs", column("status"), column("args", JSONB))
    job_of_it = exists().where(
        cast(jobs.c.status, String).in_(["todo", "doing"]),
        jobs.c.args["data_source_id"].astext == DataSource.id,
    )
    statement = select(DataSource.id).where(
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
        await session.flush()
    except IntegrityError as error:
        if isinstance(error.orig, ForeignKeyViolation):
            raise ReferenceNotFound("knowledge engine") from error
        if "data_source_one_of_the_same_bytes" in str(error.orig):
            raise DuplicateFile from error
        raise


async def update_attempt(session: AsyncSession, data_source_id: str) -> DataSource | None:
    """Count one more attempt at a data source that waits for its reading, and return it."""
    data_source = await select_data_source_to_read(session, data_source_id)
    if data_source is not None:
        data_source.attempts += 1
        data_source.stage = Stage.READING
        data_source.progress = 0.0
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
    session: AsyncSession, data_source_id: str, stage: Stage, progress: float
) -> bool:
    """Tell how far the reading is; return False where the data source is gone."""
    statement = (
        update(DataSource)
        .where(
            col(DataSource.id) == data_source_id,
            col(DataSource.status) == DataSourceStatus.PROCESSING,
        )
        .values(stage=stage, progress=progress)
        .returning(col(DataSource.id))
    )
    return (await session.exec(statement)).first() is not None


def finish(
    data_source: DataSource, outcome: Outcome, error: str | None, *, pages: int, chunks: int
) -> None:
    """Give a data source its outcome; `processed` is where every reading ends."""
    data_source.status = DataSourceStatus.PROCESSED
    data_source.stage = Stage.DONE
    data_source.progress = 1.0
    data_source.outcome = outcome
    data_source.error = error
    data_source.page_count = pages
    data_source.chunk_count = chunks
    data_source.processed_at = datetime.now(UTC)


async def delete_data_source(session: AsyncSession, data_source: DataSource) -> None:
    """Delete the row of a data source."""
    await session.exec(delete(DataSource).where(col(DataSource.id) == data_source.id))
