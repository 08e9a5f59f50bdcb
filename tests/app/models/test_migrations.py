from typing import Any

import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel

from app import models
from app.database import Database


async def test_migrated_database_is_what_the_tables_say(database_url: str) -> None:
    differences = await run(database_url, compare)

    assert models.__all__
    assert differences == []


def test_migrations_follow_one_after_the_other() -> None:
    scripts = ScriptDirectory("app/models/migrations")

    assert len(scripts.get_heads()) == 1


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


async def run(url: str, work: Any) -> Any:
    database = Database(url, pool_size=1)
    async with database.engine.connect() as connection:
        result = await connection.run_sync(work)
    await database.close()
    return result
