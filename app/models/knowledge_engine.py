"""Knowledge engines: named collections of data sources."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    Select,
    String,
    any_,
    bindparam,
    delete,
    func,
    literal,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from app.models.columns import created_at_field
from app.models.data_source import DataSource, DataSourceStatus
from app.models.page_of_rows import PageRequest, one_page
from config.errors import ReferenceNotFound
from config.settings import EngineReadyWhen, VectorStoreName


class EngineStatus(StrEnum):
    PROCESSING = "processing"
    READY = "ready"


class KnowledgeEngine(SQLModel, table=True):
    """A collection that can be asked."""

    __tablename__ = "knowledge_engine"

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    name: str
    description: str = ""
    notes: dict[str, Any] = Field(
        default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}")
    )
    created_at: datetime = created_at_field()
    # Where its vectors live; indexing/placement.py reads and writes the three.
    vector_store: str = Field(
        default=VectorStoreName.POSTGRES, sa_column_kwargs={"server_default": "postgres"}
    )
    moving_to: str | None = None
    # The chunks that a move to Milvus has copied: those up to this number.
    moved_up_to: int = Field(
        default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"}
    )


@dataclass(frozen=True, slots=True)
class EngineCounts:
    """How many data sources an engine has, and how far they are."""

    total: int = 0
    processing: int = 0
    active: int = 0  # processed, with at least one chunk

    def status(self, ready_when: EngineReadyWhen) -> EngineStatus:
        """Tell whether the engine can be asked."""
        is_waiting = self.processing > 0
        if ready_when is EngineReadyWhen.ANY_PROCESSED:
            is_waiting = is_waiting and self.processing == self.total
        return EngineStatus.PROCESSING if is_waiting else EngineStatus.READY


async def select_knowledge_engine(
    session: AsyncSession, account_id: int, engine_id: str, *, for_update: bool = False
) -> KnowledgeEngine | None:
    """Return the engine of this account, or None; `for_update` keeps others from it."""
    statement = _of_account(account_id).where(KnowledgeEngine.id == engine_id)
    if for_update:
        statement = statement.with_for_update(key_share=True)
    return (await session.exec(statement)).first()


async def select_knowledge_engines(
    session: AsyncSession, account_id: int, page: PageRequest, *, engine_id: str | None = None
) -> list[KnowledgeEngine]:
    """Return the engines of this account, oldest first, or only that of this id."""
    statement = _of_account(account_id)
    if engine_id is not None:
        statement = statement.where(KnowledgeEngine.id == engine_id)
    return list((await session.exec(one_page(statement, KnowledgeEngine, page))).all())


async def select_engine_ids(session: AsyncSession) -> list[str]:
    """Return the engines of all accounts, oldest first."""
    statement = select(KnowledgeEngine.id).order_by(
        col(KnowledgeEngine.created_at), col(KnowledgeEngine.id)
    )
    return list((await session.exec(statement)).all())


async def select_engine_counts(
    session: AsyncSession, engine_ids: list[str]
) -> dict[str, EngineCounts]:
    """Return the counts of each engine; one without data sources is left out."""
    is_processing = col(DataSource.status) == DataSourceStatus.PROCESSING
    statement = (
        select(
            DataSource.knowledge_engine_id,
            func.count(),
            func.count().filter(is_processing),
            func.count().filter(~is_processing, col(DataSource.chunk_count) > 0),
        )
        # As one value: a statement takes only so many.
        .where(col(DataSource.knowledge_engine_id) == any_(literal(engine_ids, ARRAY(String))))
        .group_by(col(DataSource.knowledge_engine_id))
    )
    return {
        engine_id: EngineCounts(total, processing, active)
        for engine_id, total, processing, active in (await session.exec(statement)).all()
    }


async def select_least_counts(session: AsyncSession, engine_id: str) -> EngineCounts:
    """Return counts with the status of the real ones, of an engine with any number of data sources.

    What there is of a kind is counted as one.
    """
    connection = await session.connection()
    found = (await connection.execute(_LEAST_COUNTS, {"engine_id": engine_id})).one()
    has_waiting, has_done, has_active = found
    return EngineCounts(has_waiting + has_done, int(has_waiting), int(has_active))


async def select_engines_in_milvus(session: AsyncSession) -> list[str]:
    """Return the engines of all accounts whose vectors live in Milvus."""
    statement = select(KnowledgeEngine.id).where(
        KnowledgeEngine.vector_store == VectorStoreName.MILVUS
    )
    return list((await session.exec(statement)).all())


async def update_all_to_postgres(session: AsyncSession) -> None:
    """Let the vectors of all engines live in PostgreSQL, and end all moves."""
    values = {"vector_store": VectorStoreName.POSTGRES, "moving_to": None, "moved_up_to": 0}
    await session.exec(update(KnowledgeEngine).values(values))


async def hold_engine(session: AsyncSession, engine_id: str) -> None:
    """Keep an engine from being deleted until the transaction ends.

    It comes before a lock on anything the engine holds: a deletion takes the engine first and then
    all that belongs to it, and so the other order could wait in a circle.

    Raises:
        ReferenceNotFound: it was deleted a moment ago.
    """
    statement = select(KnowledgeEngine.id).where(KnowledgeEngine.id == engine_id)
    held = await session.exec(statement.with_for_update(read=True, key_share=True))
    if held.first() is None:
        raise ReferenceNotFound("knowledge engine")


async def insert_knowledge_engine(session: AsyncSession, engine: KnowledgeEngine) -> None:
    """Store a new engine."""
    session.add(engine)
    await session.flush()


async def delete_knowledge_engine(session: AsyncSession, engine: KnowledgeEngine) -> None:
    """Delete the engine's row, and with it (by foreign keys) all rows that belong to it."""
    await session.exec(delete(KnowledgeEngine).where(col(KnowledgeEngine.id) == engine.id))


def _of_account(account_id: int) -> SelectOfScalar[KnowledgeEngine]:
    return select(KnowledgeEngine).where(KnowledgeEngine.account_id == account_id)


def _select_least_counts() -> Select[tuple[bool, bool, bool]]:
    of_engine = select(literal(1)).where(DataSource.knowledge_engine_id == bindparam("engine_id"))
    # Written out, or PostgreSQL cannot tell that the index of those that are processed will do.
    processing = literal(DataSourceStatus.PROCESSING.value, literal_execute=True)
    is_processing = col(DataSource.status) == processing
    is_active = ~is_processing & (col(DataSource.chunk_count) > 0)
    return select(
        of_engine.where(is_processing).exists(),
        of_engine.where(~is_processing).exists(),
        of_engine.where(is_active).exists(),
    )


# The first word of every answer waits for it, and to put it together takes longer than its answer.
_LEAST_COUNTS = _select_least_counts()
