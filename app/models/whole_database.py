"""What a backup and a restore ask of the database as a whole, whatever its schema's version.

Columns are named one by one, and all of them are as old as the first migration.
"""

from typing import Any

from sqlalchemy import Select, column, func, select, table, text
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import Account
from app.models.api_key import ApiKey
from app.models.data_source import DataSource
from app.models.knowledge_engine import KnowledgeEngine
from app.models.workflow import Workflow

COUNTED = (Account, ApiKey, KnowledgeEngine, DataSource, Workflow)


async def lock_engines(session: AsyncSession) -> None:
    """Let no engine be made, changed or deleted before the transaction ends.

    It must be the first statement: a snapshot taken before the lock may know tables of engines
    that are gone when the lock is had.
    """
    await (await session.connection()).execute(text("LOCK TABLE knowledge_engine IN SHARE MODE"))


async def export_snapshot(session: AsyncSession) -> str:
    """Return the name by which others can look at what this transaction sees."""
    statement = select(func.pg_export_snapshot())
    return str((await (await session.connection()).execute(statement)).scalar_one())


async def select_revision(session: AsyncSession) -> str:
    """Return the version of the schema."""
    statement: Select[Any] = select(column("version_num")).select_from(table("alembic_version"))
    return str((await (await session.connection()).execute(statement)).scalar_one())


async def select_stored_files(session: AsyncSession) -> list[DataSource]:
    """Return the data sources, as far as their files are concerned, in the order of their keys."""
    statement = select(
        col(DataSource.id),
        col(DataSource.blob_key),
        col(DataSource.file_name),
        col(DataSource.file_format),
        col(DataSource.size_bytes),
    ).order_by(col(DataSource.blob_key))
    rows = (await (await session.connection()).execute(statement)).mappings()
    return [DataSource(**row) for row in rows]


async def count_rows(session: AsyncSession) -> dict[str, int]:
    """Return how many rows the tables have that people know by name."""
    counts = {
        str(one.__tablename__): select(func.count()).select_from(one).scalar_subquery()
        for one in COUNTED
    }
    statement: Select[Any] = select(*(count.label(name) for name, count in counts.items()))
    return dict((await (await session.connection()).execute(statement)).mappings().one())


async def has_tables(session: AsyncSession) -> bool:
    """Tell whether the database holds anything besides its extensions."""
    statement = text(
        "SELECT EXISTS (SELECT FROM pg_class"
        " JOIN pg_namespace ON pg_namespace.oid = relnamespace"
        " WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'"
        " AND NOT EXISTS (SELECT FROM pg_depend"
        " WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'))"
    )
    return bool((await (await session.connection()).execute(statement)).scalar_one())


async def update_statistics(session: AsyncSession) -> None:
    """Let the planner know the tables: it chooses badly until it does."""
    await (await session.connection()).execute(text("ANALYZE"))
