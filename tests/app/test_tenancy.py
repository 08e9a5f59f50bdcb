"""The second wall holds by itself: here the first one is left out, or told the wrong account."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import sqlalchemy
from psycopg import sql
from quart import Quart, g
from sqlalchemy import Table, delete, func, insert, make_url, select, text, update
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from app import models
from app.database import Database, migrate
from app.embedded_postgres import EmbeddedPostgres
from app.models.account import Account, insert_account, select_first_account
from app.models.workflow import select_workflow
from app.services import Services
from app.tenancy import act_for, as_owner
from tests.client import Client
from tests.conftest import copy_database
from tests.test_upgrades import ENGINE, WORKFLOW, Rows, fill

ROOT = Path(__file__).parents[2]

WITHOUT_POLICY = {"service_secret", "sign_in_attempt", "unclaimed_file", "unclaimed_vectors"}
"""Tables of no account; docs/design.md says why."""

OF_ACCOUNTS = {
    name: table for name, table in SQLModel.metadata.tables.items() if name not in WITHOUT_POLICY
}

OF_ENGINES = {
    name: table
    for name, table in OF_ACCOUNTS.items()
    if any(key.target_fullname == "knowledge_engine.id" for key in table.foreign_keys)
}

OWN, STRANGER = 1, 2


@pytest.fixture
async def rows(services: Services) -> Rows:
    """A row in each table, all of the first account; a second account has nothing."""
    async with services.database.transaction() as session:
        connection = await session.connection()
        rows = await connection.run_sync(fill)
        await connection.execute(text("SELECT setval('account_id_seq', 1)"))
        await insert_account(session, "stranger")
    return rows


@contextmanager
def acting_for(account_id: int) -> Iterator[None]:
    act_for(account_id)
    try:
        yield
    finally:
        act_for(None)


async def test_every_table_is_behind_the_wall_or_named_here_and_in_the_docs(
    services: Services,
) -> None:
    statement = text(
        "SELECT relname FROM pg_policies JOIN pg_class ON relname = tablename"
        " WHERE relrowsecurity AND NOT relforcerowsecurity"
    )
    async with services.database.reading() as session:
        behind = set((await (await session.connection()).execute(statement)).scalars())

    design = (ROOT / "docs" / "design.md").read_text()
    assert models.__all__
    assert behind == OF_ACCOUNTS.keys()
    assert all(f"| `{table}` |" in design for table in WITHOUT_POLICY)


@pytest.mark.parametrize(("account_id", "seen"), [(OWN, 1), (STRANGER, 0)])
async def test_account_sees_its_own_rows_only(
    services: Services, rows: Rows, account_id: int, seen: int
) -> None:
    with acting_for(account_id):
        async with services.database.reading() as session:
            connection = await session.connection()
            counts = {
                name: await connection.scalar(
                    select(func.count()).select_from(table).where(is_of(table, rows))
                )
                for name, table in OF_ACCOUNTS.items()
            }

    assert counts == dict.fromkeys(OF_ACCOUNTS, seen)


@pytest.mark.parametrize(("account_id", "changed"), [(OWN, 1), (STRANGER, 0)])
async def test_account_changes_its_own_rows_only(
    services: Services, rows: Rows, account_id: int, changed: int
) -> None:
    def same(table: Table) -> sqlalchemy.Update:
        column = next(iter(table.primary_key))
        return update(table).where(is_of(table, rows)).values({column: column})

    with acting_for(account_id):
        async with services.database.reading() as session:
            connection = await session.connection()
            counts = {
                name: (await connection.execute(same(table))).rowcount
                for name, table in OF_ACCOUNTS.items()
            }

    assert counts == dict.fromkeys(OF_ACCOUNTS, changed)


async def test_stranger_deletes_nothing(services: Services, rows: Rows) -> None:
    with acting_for(STRANGER):
        async with services.database.transaction() as session:
            connection = await session.connection()
            counts = {
                name: (await connection.execute(delete(table).where(is_of(table, rows)))).rowcount
                for name, table in OF_ACCOUNTS.items()
            }

    assert counts == dict.fromkeys(OF_ACCOUNTS, 0)


async def test_stranger_stores_nothing_for_another_account(services: Services, rows: Rows) -> None:
    with acting_for(STRANGER):
        async with services.database.reading() as session:
            connection = await session.connection()
            refused = {
                name
                for name, table in OF_ACCOUNTS.items()
                if await is_refused(connection, insert(table).values(rows[name]))
            }

    assert refused == OF_ACCOUNTS.keys()


async def test_stranger_stores_nothing_of_its_own_in_a_foreign_engine(
    services: Services, rows: Rows
) -> None:
    hung_up = {"account_id": STRANGER, "knowledge_engine_id": ENGINE}
    with acting_for(STRANGER):
        async with services.database.reading() as session:
            connection = await session.connection()
            refused = {
                name
                for name, table in OF_ENGINES.items()
                if await is_refused(connection, insert(table).values(rows[name] | hung_up))
            }

    assert refused == OF_ENGINES.keys()
    assert "data_source" in refused


async def test_statement_with_the_wrong_account_finds_nothing(
    services: Services, rows: Rows
) -> None:
    async def find() -> object:
        async with services.database.transaction() as session:
            return await select_workflow(session, OWN, WORKFLOW)

    with acting_for(STRANGER):
        assert await find() is None
    with acting_for(OWN):
        assert await find() is not None


async def test_endpoints_that_take_one_account_for_another_show_and_delete_nothing(
    app: Quart, client: Client, stranger: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    async with services.database.transaction() as session:
        owner = await select_first_account(session)

    def take_for_another() -> None:
        g.account = owner

    app.before_request(take_for_another)
    for method in ("GET", "DELETE"):
        answer = await stranger.error(method, f"/knowledge-engines/{engine_id}")
        assert answer == (404, "knowledge engine not found")
    assert await stranger.get("/knowledge-engines") == []
    assert [one["id"] for one in await client.get("/knowledge-engines")] == [engine_id]


async def test_what_is_of_no_account_sees_all(services: Services, rows: Rows) -> None:
    with acting_for(STRANGER):
        await role(services.database)
        act_for(None)
        async with services.database.reading() as session:
            assert await select_workflow(session, OWN, WORKFLOW) is not None


async def test_connection_acts_for_each_in_turn(database_url: str) -> None:
    database = Database(database_url, pool_size=1)
    roles = []
    for account_id in (OWN, STRANGER, None, OWN):
        act_for(account_id)
        roles.append(await role(database))
    act_for(None)
    await database.close()

    assert [is_tenant for is_tenant, _ in roles] == [True, True, False, True]
    assert [account_id for _, account_id in roles] == ["1", "2", "", "1"]


async def test_transaction_that_fails_leaves_the_connection_as_it_was(database_url: str) -> None:
    database = Database(database_url, pool_size=1)
    with acting_for(STRANGER):
        with suppress(ZeroDivisionError):
            async with database.transaction() as session:
                await as_owner(session)
                raise ZeroDivisionError
        assert await role(database) == (True, "2")
    await database.close()


async def test_nothing_is_sent_while_a_connection_serves_one_account(database_url: str) -> None:
    database = Database(database_url, pool_size=1)
    with acting_for(STRANGER):
        async with database.reading() as session:
            mark = select(func.set_config("ke.account_id", "77", False))
            await (await session.connection()).execute(mark)

        # It would be 2 again.
        assert await role(database) == (True, "77")
    await database.close()


async def test_connection_in_place_of_one_that_died_acts_for_the_account(
    database_url: str, postgres: EmbeddedPostgres
) -> None:
    database = Database(database_url, pool_size=1)
    with acting_for(STRANGER):
        await role(database)
        with psycopg.connect(postgres.dsn, autocommit=True) as connection:
            kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
            connection.execute(kill, [make_url(database_url).database])

        assert await role(database) == (True, "2")
    await database.close()


async def test_owner_may_make_tables_and_a_request_may_not(services: Services) -> None:
    table = text("CREATE TABLE anything ()")
    with acting_for(STRANGER):
        async with services.database.transaction() as session:
            await (await as_owner(session)).execute(table)
        async with services.database.reading() as session:
            assert await is_refused(await session.connection(), table)


async def test_database_that_does_not_let_us_make_the_role_is_used_without_it(
    postgres: EmbeddedPostgres, caplog: pytest.LogCaptureFixture
) -> None:
    url = poor_database(postgres)

    with caplog.at_level(logging.WARNING):
        migrate(url)

    database = Database(url, pool_size=1)
    async with database.transaction() as session:
        await insert_account(session, "first")
    with acting_for(STRANGER):
        assert (await role(database))[0] is False
    await database.close()
    assert "CREATE ROLE ke_tenant NOLOGIN; GRANT ke_tenant TO poor_" in caplog.text


async def test_role_that_an_administrator_has_granted_is_used_from_the_next_start(
    postgres: EmbeddedPostgres, caplog: pytest.LogCaptureFixture
) -> None:
    url = poor_database(postgres)
    migrate(url)
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        user = sql.Identifier(make_url(url).username or "")
        connection.execute(sql.SQL("GRANT ke_tenant TO {}").format(user))
    caplog.clear()

    migrate(url)

    database = Database(url, pool_size=1)
    async with database.transaction() as session:
        await insert_account(session, "first")
    with acting_for(STRANGER):
        assert await role(database) == (True, "2")
        async with database.reading() as session:
            accounts = await (await session.connection()).execute(select(Account))
            assert accounts.all() == []
    await database.close()
    assert caplog.text == ""


def poor_database(server: EmbeddedPostgres) -> str:
    """Make an empty database of a user who may not make roles, and return its address."""
    name = f"poor_{uuid4().hex[:8]}"
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
        copy_database(connection, "template0", name)
    with psycopg.connect(server.dsn, autocommit=True, dbname=name) as connection:
        own = sql.SQL("ALTER DATABASE {0} OWNER TO {0}").format(sql.Identifier(name))
        connection.execute(own)
        connection.execute("CREATE EXTENSION vector")
    url = make_url(server.sqlalchemy_url).set(database=name, username=name)
    return url.render_as_string(hide_password=False)


def is_of(table: Table, rows: Rows) -> sqlalchemy.ColumnElement[bool]:
    """Return the condition that names the row of the first account."""
    return sqlalchemy.and_(*(key == rows[table.name][key.name] for key in table.primary_key))


async def is_refused(connection: AsyncConnection, statement: sqlalchemy.Executable) -> bool:
    try:
        await connection.execute(statement)
    except ProgrammingError as error:
        return isinstance(error.orig, psycopg.errors.InsufficientPrivilege)
    return False


async def role(database: Database) -> tuple[bool, str]:
    """Return whether a connection acts as the role of requests, and for which account."""
    statement = text("SELECT current_user = 'ke_tenant', current_setting('ke.account_id', true)")
    async with database.reading() as session:
        row = (await (await session.connection()).execute(statement)).one()
    return row[0], row[1]
