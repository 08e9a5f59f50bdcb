import asyncio

import pytest

from app.database import Database
from app.key_watch import WATCH_SECONDS, KeyWatch
from app.models.api_key import update_revoked
from app.services import Services
from tests.app.live_streams import SECONDS, execute, key_id_of
from tests.client import Client


@pytest.fixture
def watch(services: Services) -> KeyWatch:
    return KeyWatch(services)


@pytest.mark.parametrize("how", ["UPDATE api_key SET revoked_at = now()", "DELETE FROM api_key"])
async def test_what_goes_on_with_a_key_ends_with_it(
    watch: KeyWatch, client: Client, how: str
) -> None:
    ended = asyncio.Event()

    with watch.watched(await key_id_of(client), ended.set):
        await execute(client.services, how)

        await asyncio.wait_for(ended.wait(), SECONDS)


def test_key_is_missed_within_a_second() -> None:
    assert WATCH_SECONDS < 1


async def test_what_goes_on_with_another_key_or_none_goes_on(
    watch: KeyWatch, client: Client, stranger: Client
) -> None:
    ended = [asyncio.Event() for _ in range(3)]
    revoked, other = await key_id_of(client), await key_id_of(stranger)

    with (
        watch.watched(other, ended[0].set),
        watch.watched(None, ended[1].set),
        watch.watched(revoked, ended[2].set),
    ):
        async with client.services.database.transaction() as session:
            await update_revoked(session, revoked)
        await asyncio.wait_for(ended[2].wait(), SECONDS)

    assert [one.is_set() for one in ended] == [False, False, True]


async def test_watch_outlives_a_database_that_is_away(watch: KeyWatch, client: Client) -> None:
    services, ended = client.services, asyncio.Event()
    there, away = services.database, Database("postgresql+psycopg://127.0.0.1:1/x", 1)

    with watch.watched(await key_id_of(client), ended.set):
        services.database = away
        await asyncio.sleep(2 * WATCH_SECONDS)
        services.database = there
        await execute(services, "UPDATE api_key SET revoked_at = now()")

        await asyncio.wait_for(ended.wait(), SECONDS)

    await away.close()


async def test_nothing_is_looked_up_for_what_has_ended(watch: KeyWatch, client: Client) -> None:
    with watch.watched(await key_id_of(client), lambda: None):
        watching = set(client.services.background)

    await asyncio.wait(watching, timeout=SECONDS)
    assert all(task.cancelled() for task in watching)
