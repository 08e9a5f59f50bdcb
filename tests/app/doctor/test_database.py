from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy

from app.doctor.database import check_database
from app.doctor.findings import Finding, Level
from config.settings import Settings
from tests.client import Client
from tests.conftest import FILES


def test_database_that_is_well_is_well(database_url: str, tmp_path: Path) -> None:
    found = examined(database_url, tmp_path)

    healthy = ("database", "pgvector", "tables", "connections", "clock", "documents")
    assert {one: found[one].level for one in healthy} == dict.fromkeys(healthy, Level.OK)
    assert found["database"].text.startswith("PostgreSQL 1")


def test_missing_worker_is_a_warning(database_url: str, tmp_path: Path) -> None:
    assert examined(database_url, tmp_path)["workers"].level is Level.WARNING


def test_worker_that_lives_is_heard_of(database_url: str, tmp_path: Path) -> None:
    run(database_url, "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now())")

    assert examined(database_url, tmp_path)["workers"].text.startswith("1 heard of")


@pytest.mark.parametrize(
    ("revision", "level"), [("0001", Level.WARNING), ("9999", Level.PROBLEM)], ids=["old", "new"]
)
def test_tables_of_another_version_are_told(
    database_url: str, tmp_path: Path, revision: str, level: Level
) -> None:
    run(database_url, f"UPDATE alembic_version SET version_num = '{revision}'")

    tables = examined(database_url, tmp_path)["tables"]

    assert tables.level is level
    assert tables.text.startswith(f"version {revision}")


async def test_document_that_waits_for_long_is_told(
    client: Client, database_url: str, tmp_path: Path
) -> None:
    engine = await client.create_engine()
    await client.upload(engine, FILES / "delivery.eml")
    run(database_url, "UPDATE data_source SET created_at = now() - interval '2 hours'")

    documents = examined(database_url, tmp_path)["documents"]

    assert documents.level is Level.WARNING
    assert documents.text == "1 not read yet, 1 of them for over an hour"


def test_database_without_tables_has_no_workers_to_look_for(
    empty_database: Callable[[], str], tmp_path: Path
) -> None:
    found = examined(empty_database(), tmp_path)

    assert found["tables"].text == "are not made yet"
    assert "workers" not in found


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("postgresql://ke:hidden@127.0.0.1:1/ke", id="refused"),
        pytest.param("mysql://ke:hidden@127.0.0.1/ke", id="other database"),
        pytest.param("nonsense", id="no address"),
    ],
)
def test_broken_address_is_the_one_problem(tmp_path: Path, url: str) -> None:
    (only,) = examined(url, tmp_path).values()

    assert (only.level, only.subject) == (Level.PROBLEM, "database")
    assert only.advice
    assert "hidden" not in only.text


@pytest.mark.parametrize(
    ("has_cluster", "said"), [(True, "is stopped"), (False, "there is none")], ids=["old", "new"]
)
def test_embedded_database_that_does_not_run_is_a_warning(
    tmp_path: Path, has_cluster: bool, said: str
) -> None:
    if has_cluster:
        (tmp_path / "postgres").mkdir()

    (only,) = examined("", tmp_path).values()

    assert only.level is Level.WARNING
    assert said in only.text


def examined(database_url: str, data_dir: Path) -> dict[str, Finding]:
    settings = Settings(database_url=database_url, data_dir=data_dir)
    return {finding.subject: finding for finding in check_database(settings)}


def run(database_url: str, statement: str) -> None:
    engine = sqlalchemy.create_engine(database_url)
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()
