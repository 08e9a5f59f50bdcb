import asyncio
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy

from app.api_keys import KeyLookups, new_api_key
from app.database import Database
from app.models.account import insert_account
from app.models.api_key import ApiKey, insert_api_key, select_api_keys
from app.services import Services
from config.errors import Unauthorized
from tests.client import Client
from tests.clock import Clock


async def test_only_the_hash_of_a_key_is_stored(client: Client, services: Services) -> None:
    async with services.database.transaction() as session:
        (row,) = await select_api_keys(session)

    assert len(row.digest) == 32
    assert client.key not in repr(row)
    assert row.hint == client.key[:9]


def test_key_has_the_documented_form() -> None:
    keys = {new_api_key() for _ in range(100)}

    assert len(keys) == 100
    assert all(key.startswith("ke-") and key[3:].isalnum() and len(key) == 43 for key in keys)


async def test_burst_of_requests_costs_one_lookup(client: Client, services: Services) -> None:
    lookups = KeyLookups(Clock())

    with counted_lookups(services.database) as counted:
        finds = [lookups.find(services, client.key) for _ in range(32)]
        names = {account.name for _, account in await asyncio.gather(*finds)}
        await lookups.find(services, client.key)

    assert names == {"first"}
    assert len(counted) == 1


async def test_key_is_looked_up_again_after_a_second(client: Client, services: Services) -> None:
    clock = Clock()
    lookups = KeyLookups(clock)

    with counted_lookups(services.database) as counted:
        for clock.now in (0.0, 0.99, 1.0, 1.99, 2.5):
            await lookups.find(services, client.key)

    assert len(counted) == 3


async def test_key_that_opens_nothing_is_not_remembered(services: Services) -> None:
    lookups, key = KeyLookups(Clock()), new_api_key()
    with pytest.raises(Unauthorized):
        await lookups.find(services, key)
    async with services.database.transaction() as session:
        account = await insert_account(session, "first")
        assert account.id is not None
        digest = hashlib.sha256(key.encode()).digest()
        row = ApiKey(account_id=account.id, name="late", hint=key[:9], digest=digest)
        await insert_api_key(session, row)

    _, account = await lookups.find(services, key)
    assert account.name == "first"


async def test_only_the_latest_keys_are_remembered(
    client: Client, stranger: Client, services: Services
) -> None:
    lookups = KeyLookups(Clock(), most=1)

    with counted_lookups(services.database) as counted:
        for key in (client.key, stranger.key, stranger.key, client.key):
            await lookups.find(services, key)

    assert len(counted) == 3


async def test_request_that_goes_away_takes_no_lookup_with_it(
    client: Client, services: Services
) -> None:
    lookups = KeyLookups(Clock())
    gone, stays = (asyncio.create_task(lookups.find(services, client.key)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()

    _, account = await stays
    assert account.name == "first"
    assert gone.cancelled()


@contextmanager
def counted_lookups(database: Database) -> Iterator[list[str]]:
    """Yield the statements that look for a key, as they come."""
    counted: list[str] = []

    def count(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "FROM api_key" in statement:
            counted.append(statement)

    sqlalchemy.event.listen(database.engine.sync_engine, "before_cursor_execute", count)
    yield counted
    sqlalchemy.event.remove(database.engine.sync_engine, "before_cursor_execute", count)
