"""A database of every earlier version is brought to today's: no row is lost, and it is served."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy
from alembic import command
from alembic.config import Config
from sqlalchemy import Column, Connection, MetaData, Table, select
from sqlalchemy.engine import Engine

from app.database import migrate
from app.embedded_postgres import EmbeddedPostgres
from app.schema_revisions import schema_revisions
from config.settings import Settings
from tests.app.test_restoring import serving
from tests.client import Client
from tests.conftest import FILES, new_empty_database

KEY = f"ke-{'k' * 40}"
ENGINE, DATA_SOURCE, WORKFLOW = "kng_aaaaaaaaaaaaaa", "ds_aaaaaaaaaaaaaa", "wfl_aaaaaaaaaaaaaa"

VALUES: dict[str, Any] = {
    "api_key.digest": hashlib.sha256(KEY.encode()).digest(),
    "api_key.hint": KEY[:9],
    "api_key.revoked_at": None,
    "api_key.knowledge_engine_id": None,
    "knowledge_engine.id": ENGINE,
    "data_source.id": DATA_SOURCE,
    "data_source.type": "file",
    "data_source.status": "processed",
    "data_source.stage": "done",
    "data_source.outcome": "ok",
    "workflow.id": WORKFLOW,
    "workflow.status": "PROCESSED",
}
"""What must be of a certain form to be served; all other columns are filled by their types."""

OF_TYPE: dict[type, Any] = {
    bool: False,
    int: 1,
    float: 0.5,
    str: "text",
    bytes: b"bytes",
    datetime: datetime(2026, 1, 2, tzinfo=UTC),
    dict: {"a": 1},
    list: [],
}

Rows = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Upgraded:
    """A database of an earlier version with a row in each table, brought to today's."""

    url: str
    before: Rows
    after: Rows


@pytest.fixture(scope="module", params=schema_revisions())
def upgraded(
    request: pytest.FixtureRequest, postgres: EmbeddedPostgres, administration: psycopg.Connection
) -> Iterator[Upgraded]:
    """Upgraded once for all that is asked of it."""
    with new_empty_database(postgres, administration) as url:
        engine = sqlalchemy.create_engine(url)
        with engine.begin() as connection:
            upgrade(connection, request.param)
            before = fill(connection)
        migrate(url)
        after = rows_of(engine)
        engine.dispose()
        yield Upgraded(url, before, after)


def test_rows_are_kept(upgraded: Upgraded) -> None:
    before, after = upgraded.before, upgraded.after

    assert before.keys() >= {"account", "api_key", "knowledge_engine", "data_source", "workflow"}
    for table, row in before.items():
        kept = row.keys() & after[table].keys()
        assert kept
        assert {name: after[table][name] for name in kept} == {name: row[name] for name in kept}


async def test_upgraded_database_is_served(
    client: Client, upgraded: Upgraded, tmp_path: Path
) -> None:
    target = Settings(data_dir=tmp_path / "upgraded", database_url=upgraded.url)
    target.work_dir.mkdir(parents=True)

    async with serving(client, target) as service:
        service.key = KEY
        (old,) = await service.get("/knowledge-engines")
        (data_source,) = await service.get(f"/knowledge-engines/{ENGINE}/data-sources")
        workflow = await service.get(f"/workflows/{WORKFLOW}")
        engine = await service.create_engine()
        added = await service.add(engine, FILES / "delivery.eml")

    assert (old["id"], data_source["id"], workflow["id"]) == (ENGINE, DATA_SOURCE, WORKFLOW)
    assert added["outcome"] == "ok"


def upgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", "app/models/migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def fill(connection: Connection) -> Rows:
    """Put a row into every table, after those that it refers to; return the rows."""
    rows: Rows = {}
    for table in tables(connection):
        values = {
            column.name: value_of(column, rows)
            for column in table.columns
            if is_to_be_given(column)
        }
        inserted = connection.execute(table.insert().values(values).returning(*table.columns))
        rows[table.name] = dict(inserted.mappings().one())
    return rows


def rows_of(engine: Engine) -> Rows:
    """Return the one row of each table that has one."""
    with engine.connect() as connection:
        found = {
            table.name: connection.execute(select(table)).mappings().first()
            for table in tables(connection)
        }
    return {name: dict(row) for name, row in found.items() if row is not None}


def tables(connection: Connection) -> list[Table]:
    """Return our tables, those that others refer to first."""
    metadata = MetaData()
    metadata.reflect(connection)
    others = ("procrastinate_", "alembic_")
    return [one for one in metadata.sorted_tables if not one.name.startswith(others)]


def is_to_be_given(column: Column[Any]) -> bool:
    has_value = column.server_default is not None or column.identity is not None
    return not has_value or f"{column.table.name}.{column.name}" in VALUES


def value_of(column: Column[Any], rows: Rows) -> Any:
    if (name := f"{column.table.name}.{column.name}") in VALUES:
        return VALUES[name]
    for key in column.foreign_keys:
        return rows[key.column.table.name][key.column.name]
    return OF_TYPE[column.type.python_type]
