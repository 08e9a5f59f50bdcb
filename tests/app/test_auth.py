import asyncio
import base64
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy
from quart import Quart

from app.auth import (
    OPEN_ENDPOINTS,
    REALM,
    KeyLookups,
    current_account,
    issue_api_key,
    new_api_key,
    require_key,
)
from app.database import Database
from app.error_handlers import register_error_handlers
from app.models.account import insert_account, select_first_account
from app.models.api_key import ApiKey, insert_api_key, select_api_keys, update_revoked
from app.services import Services
from config.errors import Unauthorized
from tests.client import Client

ENGINES = "/api/v1/knowledge-engines"
UNAUTHORIZED = (401, {"error": "Unauthorized"})


async def test_every_endpoint_asks_for_a_key(app: Quart, services: Services) -> None:
    nobody = Client(app, services, key="")

    answers = {
        (method, path): (await nobody.call(method, path)).status_code
        for method, path in guarded_endpoints(app)
    }

    assert len(answers) >= 14
    assert set(answers.values()) == {401}, answers


async def test_open_endpoints_are_these_only(app: Quart) -> None:
    open_paths = {rule.rule for rule in app.url_map.iter_rules() if rule.endpoint in OPEN_ENDPOINTS}

    assert {path for path in open_paths if path.startswith(("/api/", "/v1/"))} == set()
    assert {"/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"} <= open_paths


async def test_refusal_names_the_scheme(app: Quart, services: Services) -> None:
    response = await Client(app, services, key="").call("GET", ENGINES)

    assert (response.status_code, await response.get_json()) == UNAUTHORIZED
    assert response.headers["WWW-Authenticate"] == REALM == 'Basic realm="Knowledge Engine"'


@pytest.mark.parametrize(
    "scheme", ["Basic", "basic", "BASIC", "Bearer", "bearer", "Bearer  ", " Basic"]
)
async def test_key_is_taken_in_either_scheme(client: Client, scheme: str) -> None:
    key = basic(f"{client.key}:") if "basic" in scheme.lower() else client.key

    response = await client.call("GET", ENGINES, headers={"Authorization": f"{scheme} {key}"})

    assert response.status_code == 200


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda key: "", id="empty"),
        pytest.param(lambda key: "Basic", id="no value"),
        pytest.param(lambda key: key, id="no scheme"),
        pytest.param(lambda key: f"Digest {key}", id="another scheme"),
        pytest.param(lambda key: f"Basic {basic(f'{key}:secret')}", id="a password"),
        pytest.param(lambda key: f"Basic {basic(f'{key}: ')}", id="a blank password"),
        pytest.param(lambda key: f"Basic {basic(key)}", id="no colon"),
        pytest.param(lambda key: f"Basic {basic(f':{key}')}", id="key as password"),
        pytest.param(lambda key: f"Basic {basic(f'{key}:')[:-3]}", id="cut base64"),
        pytest.param(lambda key: f"Basic !{basic(f'{key}:')}", id="not base64"),
        pytest.param(lambda key: f"Basic {basic('ké:')}", id="not ASCII"),
        pytest.param(lambda key: f"Bearer {key[:-1]}", id="a character short"),
        pytest.param(lambda key: f"Bearer {key}x", id="a character long"),
        pytest.param(lambda key: f"Bearer {key[:9]}{'0' * 34}", id="same hint"),
        pytest.param(lambda key: f"Bearer {key.swapcase()}", id="other case"),
        pytest.param(lambda key: f"Bearer {key} {key}", id="twice"),
        pytest.param(lambda key: "Bearer ke-" + "a" * 100_000, id="huge"),
    ],
)
async def test_anything_else_is_refused(client: Client, write: Any) -> None:
    header, client.key = write(client.key), ""

    response = await client.call("GET", ENGINES, headers={"Authorization": header})

    assert (response.status_code, await response.get_json()) == UNAUTHORIZED


async def test_key_is_checked_before_the_request(client: Client) -> None:
    client.key = ""

    for path in ("/nowhere", "/knowledge-engines/kb_1", "/workflows"):
        assert await client.error("POST", path, data="{") == (401, "Unauthorized")


async def test_unknown_page_outside_the_api_needs_no_key(client: Client) -> None:
    client.key = ""

    response = await client.call("GET", "/favicon.ico")

    assert (response.status_code, await response.get_json()) == (404, {"error": "Not Found"})


async def test_revoked_key_opens_nothing_after_a_second(client: Client, services: Services) -> None:
    clock = Clock()
    client.app = app_with_clock(services, clock)
    assert (await client.call("GET", "/")).status_code == 200
    await revoke_all(services.database)

    clock.now = 1.0

    response = await client.call("GET", "/")
    assert (response.status_code, await response.get_json()) == UNAUTHORIZED


async def test_key_that_was_not_used_is_revoked_at_once(client: Client, services: Services) -> None:
    await revoke_all(services.database)

    assert await client.error("GET", "/knowledge-engines") == (401, "Unauthorized")


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


async def test_all_keys_of_an_account_see_the_same(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    async with services.database.transaction() as session:
        account = await select_first_account(session)
        assert account is not None
        client.key = await issue_api_key(session, account, "second")

    assert [engine["id"] for engine in await client.get("/knowledge-engines")] == [engine_id]


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


@dataclass
class Clock:
    """Shows the time it is set to."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def app_with_clock(services: Services, clock: Clock) -> Quart:
    """Return an application of one page, where keys are remembered by this clock."""
    app = Quart(__name__)
    app.extensions["services"] = services
    register_error_handlers(app)
    require_key(app, lambda *_: None, clock)

    @app.get("/")
    async def name() -> str:
        return current_account().name

    return app


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


async def revoke_all(database: Database) -> None:
    async with database.transaction() as session:
        for row in await select_api_keys(session):
            assert row.id is not None
            assert await update_revoked(session, row.id)


def guarded_endpoints(app: Quart) -> Iterator[tuple[str, str]]:
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if rule.endpoint not in OPEN_ENDPOINTS and not rule.endpoint.startswith("console."):
                yield method, rule.rule.replace("<", "").replace(">", "")


def basic(credentials: str) -> str:
    return base64.b64encode(credentials.encode()).decode()
