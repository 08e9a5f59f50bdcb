import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import sqlalchemy
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from app import models
from app.database import Database, migrate
from indexing.lexical import create_tables, delete_segment
from indexing.lexical_merge import merge_segments
from tests.indexing.brute_force import found_by
from tests.indexing.keyword_index import insert_texts


async def test_migrated_database_is_what_the_tables_say(database_url: str) -> None:
    differences = await run(database_url, compare)

    assert models.__all__
    assert differences == []


def test_migrations_follow_one_after_the_other() -> None:
    scripts = ScriptDirectory("app/models/migrations")

    assert len(scripts.get_heads()) == 1


@pytest.mark.parametrize("leaves_table", [False, True], ids=["without pages", "with pages"])
async def test_database_of_the_first_version_becomes_one_of_today(
    database_url: str, leaves_table: bool
) -> None:
    async with run_in(database_url) as connection:
        await connection.run_sync(downgrade, "0002" if leaves_table else "0001")
        await connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))

    await asyncio.to_thread(migrate, database_url)

    assert await run(database_url, compare) == []


async def test_segments_of_the_version_before_are_counted(database_url: str) -> None:
    counts = text(
        "SELECT segment_id, language, span_count, chunk_count, token_count"
        " FROM lexical_counts_e1 ORDER BY 1"
    )
    async with run_in(database_url) as connection:
        await create_tables(connection, "e1")
        for number in range(9):
            await insert_texts(connection, "e1", f"ds{number}", ["The rent is due.", "No pets."])
        await merge_segments(connection, "e1")
        await delete_segment(connection, "e1", "ds3")
        await insert_texts(connection, "e1", "guide", ["Water the plants."])
        before = (await connection.execute(counts)).all()
        await connection.run_sync(downgrade, "0012")

    await asyncio.to_thread(migrate, database_url)

    async with run_in(database_url) as connection:
        assert (await connection.execute(counts)).all() == before
        found = await found_by(connection.engine, "e1", "rent plants", 20)
    assert len(before) == 2
    assert len(found) == 9


async def test_queue_has_its_tables(database_url: str) -> None:
    def tables(connection: sqlalchemy.Connection) -> set[str]:
        return set(sqlalchemy.inspect(connection).get_table_names())

    assert {"procrastinate_jobs", "procrastinate_workers"} <= await run(database_url, tables)


def compare(connection: sqlalchemy.Connection) -> Any:
    def is_ours(name: str | None, kind: str, parents: object) -> bool:
        return kind != "table" or not str(name).startswith("procrastinate_")

    options = {"include_name": is_ours, "compare_type": True, "compare_server_default": True}
    context = MigrationContext.configure(connection, opts=options)
    return compare_metadata(context, SQLModel.metadata)


def downgrade(connection: sqlalchemy.Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", "app/models/migrations")
    config.attributes["connection"] = connection
    command.downgrade(config, revision)


async def run(url: str, work: Any) -> Any:
    async with run_in(url) as connection:
        return await connection.run_sync(work)


@asynccontextmanager
async def run_in(url: str) -> AsyncIterator[AsyncConnection]:
    """Yield a connection whose work is committed."""
    database = Database(url, pool_size=1)
    async with database.engine.begin() as connection:
        yield connection
    await database.close()
