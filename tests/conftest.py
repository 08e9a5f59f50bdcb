"""What the tests share."""

import os

# Read by libraries when they are imported, so set before anything else is.
os.environ.update(
    LITELLM_LOCAL_MODEL_COST_MAP="True",
    DO_NOT_TRACK="1",
    UNSTRUCTURED_DISABLE_NOTICE="1",
    HF_HUB_OFFLINE="1",
    OMP_THREAD_LIMIT="1",
    DISABLE_AIOHTTP_TRANSPORT="True",
)

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from app.embedded_postgres import DATABASE, EmbeddedPostgres

TEMPLATE = "template_ke"


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """One server for all tests of this process, with the template of their databases."""
    data_dir = Path(tempfile.mkdtemp(prefix="ke-test-", dir="/tmp"))
    with EmbeddedPostgres.start(data_dir) as server:
        copy_database(server, DATABASE, TEMPLATE)
        yield server
    shutil.rmtree(data_dir)


@pytest.fixture
def database_url(postgres: EmbeddedPostgres) -> Iterator[str]:
    """A fresh database with the vector extension, for SQLAlchemy."""
    name = f"test_{uuid4().hex}"
    copy_database(postgres, TEMPLATE, name)
    yield make_url(postgres.sqlalchemy_url).set(database=name).render_as_string(hide_password=False)
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def copy_database(server: EmbeddedPostgres, source: str, name: str) -> None:
    statement = sql.SQL("create database {} template {}")
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(statement.format(sql.Identifier(name), sql.Identifier(source)))
