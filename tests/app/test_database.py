import asyncio
import contextlib
import tempfile
from pathlib import Path

import psycopg
import pytest
import sqlalchemy

from app.database import Database, libpq_url, lock_first_account, migrate, sqlalchemy_url
from app.embedded_postgres import DATABASE, EmbeddedPostgres
from app.models.account import insert_account, select_first_account
from app.services import Services
from config.errors import ServingFailed
from config.keepalives import KEEPALIVES
from config.settings import InvalidSettings
from tests.conftest import copy_database
from tests.postgres_over_tcp import postgres_over_tcp

NEWEST = "0014"  # revision of the tables
NOWHERE = "postgresql+psycopg://127.0.0.1:1/nowhere"


async def test_transaction_is_committed_at_its_end(services: Services) -> None:
    async with services.database.transaction() as session:
        await insert_account(session, "first")

    async with services.database.transaction() as session:
        account = await select_first_account(session)
    assert account is not None
    assert account.name == "first"


async def test_transaction_that_fails_leaves_nothing(services: Services) -> None:
    async def fail() -> None:
        async with services.database.transaction() as session:
            await insert_account(session, "first")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    async with services.database.transaction() as session:
        assert await select_first_account(session) is None


async def test_connection_that_died_is_replaced(services: Services) -> None:
    assert await services.database.is_reachable()
    kill = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND datname = current_database()"
    )
    engine = sqlalchemy.create_engine(services.database.url, poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text(kill))

    assert await services.database.is_reachable()


async def test_locks_of_a_process_whose_host_was_cut_off_are_given_up_within_seconds() -> None:
    asked = "SELECT setting::int FROM pg_settings WHERE name = :name"
    names = {name: name.replace("keepalives", "tcp_keepalives") for name in KEEPALIVES}
    with (
        tempfile.TemporaryDirectory(prefix="ke-test-", dir="/tmp") as folder,
        postgres_over_tcp(Path(folder)) as url,
    ):
        database = Database(sqlalchemy_url(url), pool_size=1)
        with contextlib.suppress(ZeroDivisionError):  # It outlives a transaction that fails.
            async with database.transaction() as session:
                await session.connection()
                raise ZeroDivisionError
        async with database.transaction() as session:
            connection = await session.connection()
            values = {
                name: await connection.scalar(sqlalchemy.text(asked), {"name": known})
                for name, known in names.items()
            }
        await database.close()

    assert values == KEEPALIVES


async def test_connection_that_is_given_back_while_the_database_closes_is_closed(
    services: Services,
) -> None:
    database = Database(services.database.url, pool_size=2)
    is_taken = asyncio.Event()

    async def work() -> int:
        async with database.reading() as session:
            own = (await session.exec(sqlalchemy.text("SELECT pg_backend_pid()"))).scalar_one()
            is_taken.set()
            await asyncio.sleep(0.1)
        return int(own)

    working = asyncio.create_task(work())
    await is_taken.wait()
    await database.close()

    open_ones = sqlalchemy.text("SELECT count(*) FROM pg_stat_activity WHERE pid = :pid")
    async with services.database.reading() as session:
        left = await session.exec(open_ones, params={"pid": await working})
        assert left.scalar_one() == 0


async def test_database_that_is_away_is_not_reachable() -> None:
    database = Database(NOWHERE, pool_size=1)

    assert not await database.is_reachable()
    await database.close()


def test_migration_may_run_again(database_url: str) -> None:
    migrate(database_url)

    assert revision_of(database_url) == NEWEST


async def test_processes_that_migrate_at_once_wait_for_each_other(
    postgres: EmbeddedPostgres, administration: psycopg.Connection
) -> None:
    name = "migrated_at_once"
    copy_database(administration, DATABASE, name)
    url = sqlalchemy.make_url(postgres.sqlalchemy_url).set(database=name)
    address = url.render_as_string(hide_password=False)

    await asyncio.gather(*(asyncio.to_thread(migrate, address) for _ in range(3)))

    assert revision_of(address) == NEWEST


def test_database_of_a_newer_version_is_refused(database_url: str) -> None:
    engine = sqlalchemy.create_engine(database_url, poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(ServingFailed, match="The database is of a newer version than this"):
        migrate(database_url)


async def test_processes_that_start_at_once_make_one_first_account(services: Services) -> None:
    async def first_account() -> int | None:
        async with services.database.transaction() as session:
            await lock_first_account(session)
            account = await select_first_account(session) or await insert_account(session, "one")
            return account.id

    made = await asyncio.gather(*(first_account() for _ in range(4)))

    assert len(set(made)) == 1


def test_refused_address_names_its_setting() -> None:
    with pytest.raises(InvalidSettings, match="KE_DATABASE_READ_URL: only PostgreSQL"):
        sqlalchemy_url("mysql://h/d", "KE_DATABASE_READ_URL")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param("postgresql://u:p@h:1/d", "postgresql+psycopg://u:p@h:1/d", id="usual"),
        pytest.param("postgres://u@h/d", "postgresql+psycopg://u@h/d", id="short"),
        pytest.param("postgresql+psycopg://h/d", "postgresql+psycopg://h/d", id="ready"),
        pytest.param("postgresql+asyncpg://h/d", "postgresql+psycopg://h/d", id="another driver"),
        pytest.param(
            "postgresql://u:p%40ss%3Aword@h/d?sslmode=require",
            "postgresql+psycopg://u:p%40ss%3Aword@h/d?sslmode=require",
            id="escapes and options",
        ),
        pytest.param(
            "postgresql://u@/d?host=h1,h2&port=1,2&target_session_attrs=read-write",
            "postgresql+psycopg://u@/d?host=h1%2Ch2&port=1%2C2&target_session_attrs=read-write",
            id="several hosts",
        ),
    ],
)
def test_address_names_the_driver(given: str, expected: str) -> None:
    assert sqlalchemy_url(given) == expected
    assert libpq_url(expected) == expected.replace("+psycopg", "")


def revision_of(url: str) -> str:
    engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        found = connection.execute(sqlalchemy.text("SELECT version_num FROM alembic_version"))
        return str(found.scalar_one())
