from collections.abc import Awaitable, Callable, Iterable

import pytest
import sqlalchemy

from app.database import Database
from app.database_copies import dump, load_as_one, load_in_parts
from app.models.whole_database import export_snapshot, has_tables
from config.errors import BackupFailed

NewDatabase = Callable[[], str]
Load = Callable[[str, Iterable[bytes]], Awaitable[None]]


@pytest.mark.parametrize("load", [load_as_one, load_in_parts])
async def test_dump_fills_an_empty_database(
    database_url: str, empty_database: NewDatabase, load: Load
) -> None:
    url = empty_database()

    await load(url, await dumped(database_url))

    assert await is_filled(url)


async def test_dump_that_is_cut_short_leaves_the_database_empty(
    database_url: str, empty_database: NewDatabase
) -> None:
    url = empty_database()
    whole = b"".join(await dumped(database_url))

    with pytest.raises(BackupFailed, match="The database: pg_restore: error:"):
        await load_as_one(url, [whole[: len(whole) - 2000]])

    assert not await is_filled(url)


async def test_database_that_refuses_a_statement_says_which_and_stays_as_it_was(
    database_url: str, empty_database: NewDatabase
) -> None:
    url = empty_database()
    engine = sqlalchemy.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE workflow ()")

    with pytest.raises(BackupFailed, match='"workflow" already exists'):
        await load_as_one(url, await dumped(database_url))

    assert sqlalchemy.inspect(engine).get_table_names() == ["workflow"]
    engine.dispose()


async def test_database_that_is_away_is_told_without_its_password() -> None:
    pieces = dump("postgresql+psycopg://ke:hidden@127.0.0.1:1/ke", "0")

    with pytest.raises(BackupFailed, match="refused") as failed:
        await anext(pieces)

    assert "hidden" not in str(failed.value)


async def dumped(url: str) -> list[bytes]:
    database = Database(url, pool_size=1)
    async with database.transaction() as session:
        snapshot = await export_snapshot(session)
        pieces = [piece async for piece in dump(url, snapshot)]
    await database.close()
    return pieces


async def is_filled(url: str) -> bool:
    database = Database(url, pool_size=1)
    async with database.reading() as session:
        found = await has_tables(session)
    await database.close()
    return found
