import base64
from collections.abc import Iterator
from typing import Any

import pytest
from quart import Quart

from app.api_keys import issue_api_key
from app.auth import OPEN_ENDPOINTS, REALM, require_key
from app.current import current_account
from app.database import Database
from app.error_handlers import register_error_handlers
from app.models.account import select_first_account
from app.models.api_key import select_api_keys, update_revoked
from app.services import Services
from tests.client import Client
from tests.clock import Clock

ENGINES = "/api/v1/knowledge-engines"
UNAUTHORIZED = (401, {"error": "Unauthorized"})


async def test_every_endpoint_asks_for_a_key(onlooker: Client) -> None:
    answers = {
        (method, path): (await nobody(onlooker).call(method, path)).status_code
        for method, path in guarded_endpoints(onlooker.app)
    }

    assert len(answers) >= 14
    assert set(answers.values()) == {401}, answers


async def test_open_endpoints_are_these_only(app: Quart) -> None:
    open_paths = {rule.rule for rule in app.url_map.iter_rules() if rule.endpoint in OPEN_ENDPOINTS}

    assert {path for path in open_paths if path.startswith(("/api/", "/v1/"))} == set()
    assert {"/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"} <= open_paths


async def test_refusal_names_the_scheme(onlooker: Client) -> None:
    response = await nobody(onlooker).call("GET", ENGINES)

    assert (response.status_code, await response.get_json()) == UNAUTHORIZED
    assert response.headers["WWW-Authenticate"] == REALM == 'Basic realm="Knowledge Engine"'


@pytest.mark.parametrize(
    "scheme", ["Basic", "basic", "BASIC", "Bearer", "bearer", "Bearer  ", " Basic"]
)
async def test_key_is_taken_in_either_scheme(onlooker: Client, scheme: str) -> None:
    key = basic(f"{onlooker.key}:") if "basic" in scheme.lower() else onlooker.key

    response = await onlooker.call("GET", ENGINES, headers={"Authorization": f"{scheme} {key}"})

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
async def test_anything_else_is_refused(onlooker: Client, write: Any) -> None:
    headers = {"Authorization": write(onlooker.key)}

    response = await nobody(onlooker).call("GET", ENGINES, headers=headers)

    assert (response.status_code, await response.get_json()) == UNAUTHORIZED


async def test_key_is_checked_before_the_request(onlooker: Client) -> None:
    for path in ("/nowhere", "/knowledge-engines/kb_1", "/workflows"):
        assert await nobody(onlooker).error("POST", path, data="{") == (401, "Unauthorized")


async def test_unknown_page_outside_the_api_needs_no_key(onlooker: Client) -> None:
    response = await nobody(onlooker).call("GET", "/favicon.ico")

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


async def test_all_keys_of_an_account_see_the_same(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    async with services.database.transaction() as session:
        account = await select_first_account(session)
        assert account is not None
        client.key = await issue_api_key(session, account, "second")

    assert [engine["id"] for engine in await client.get("/knowledge-engines")] == [engine_id]


def nobody(client: Client) -> Client:
    """Return a client of the same application that has no key."""
    return Client(client.app, client.services, key="")


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
