"""A key that is refused something leaves an entry, and a flood of calls leaves no more."""

from typing import Any

import pytest
from sqlalchemy import text

from app.api_keys import new_api_key
from app.models.api_key import ApiKey, select_api_keys, update_revoked
from app.models.audit_entry import Action
from app.refused_calls import NOTED_SECONDS, RefusedCalls
from app.scopes import Scope
from app.services import Services
from tests.app.live_streams import all_done
from tests.app.test_auth import Clock
from tests.client import Client
from tests.conftest import new_key

ENGINES = "/api/v1/knowledge-engines"


async def test_use_of_a_revoked_key_is_noted_with_the_key(
    client: Client, services: Services
) -> None:
    owner_key, client.key = client.key, await new_key(services)
    revoked = await revoke_newest(services)

    assert await client.error("GET", "/knowledge-engines") == (401, "Unauthorized")

    (entry,) = await refused(services)
    assert (entry["action"], entry["actor"]) == ("key.used_after_revocation", "key")
    assert (entry["key_id"], entry["key_hint"]) == (revoked.id, client.key[:9])
    assert entry["request_id"]
    client.key = owner_key
    assert (await client.get("/audit-log"))[0]["id"] == entry["id"]


@pytest.mark.parametrize("is_of_one_engine", [False, True], ids=["scope", "engine"])
async def test_call_beyond_the_scope_is_noted(
    client: Client, services: Services, *, is_of_one_engine: bool
) -> None:
    engine_id = await client.create_engine() if is_of_one_engine else None
    scope = Scope.ADMIN if is_of_one_engine else Scope.READ
    client.key = await new_key(services, scope=scope, engine_id=engine_id)

    assert (await client.error("POST", "/knowledge-engines", json={"name": "x"}))[0] == 400

    (entry,) = await refused(services)
    assert (entry["action"], entry["key_hint"]) == ("key.scope_exceeded", client.key[:9])


async def test_unknown_key_leaves_nothing(client: Client, services: Services) -> None:
    for key in (new_api_key(), "", f"{client.key[:9]}{'0' * 34}"):
        client.key = key
        assert (await client.error("GET", "/knowledge-engines"))[0] == 401

    assert await refused(services) == []


async def test_refusal_says_the_same_of_a_revoked_and_an_unknown_key(
    client: Client, services: Services
) -> None:
    await revoke_newest(services)
    revoked = await client.call("GET", ENGINES)
    client.key = new_api_key()

    unknown = await client.call("GET", ENGINES)

    assert await revoked.get_data() == await unknown.get_data()
    assert revoked.headers["WWW-Authenticate"] == unknown.headers["WWW-Authenticate"]


async def test_flood_of_calls_leaves_one_entry_an_hour_for_each_key_and_action(
    client: Client, services: Services
) -> None:
    assert client.key  # There is an account.
    clock = Clock()
    calls = RefusedCalls(services, clock)
    first, second = (ApiKey(id=n, account_id=1, name="a", hint="b", digest=b"") for n in (1, 2))

    for clock.now in (0.0, 1.0, NOTED_SECONDS - 1, NOTED_SECONDS, NOTED_SECONDS + 1):
        calls.note(first, Action.SCOPE_EXCEEDED)
    calls.note(first, Action.REVOKED_KEY_USED)
    calls.note(second, Action.SCOPE_EXCEEDED)

    noted = [(entry["key_id"], entry["action"]) for entry in await refused(services)]
    assert sorted(noted) == [
        (1, "key.scope_exceeded"),
        (1, "key.scope_exceeded"),
        (1, "key.used_after_revocation"),
        (2, "key.scope_exceeded"),
    ]


async def revoke_newest(services: Services) -> ApiKey:
    async with services.database.transaction() as session:
        *_, newest = await select_api_keys(session)
        assert newest.id is not None
        assert await update_revoked(session, newest.id)
        return newest


async def refused(services: Services) -> list[dict[str, Any]]:
    """Return what was refused, once all of it is noted."""
    await all_done(services)
    statement = text("SELECT * FROM audit_entry WHERE outcome = 'refused' ORDER BY created_at, id")
    async with services.database.engine.connect() as connection:
        return [dict(row._mapping) for row in await connection.execute(statement)]
