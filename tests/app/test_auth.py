import base64
from collections.abc import Iterator
from typing import Any

import pytest
from quart import Quart

from app.auth import OPEN_ENDPOINTS, REALM, issue_api_key, new_api_key
from app.models.account import select_first_account
from app.models.api_key import select_api_keys, update_revoked
from app.services import Services
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

    assert {path for path in open_paths if path.startswith("/api/")} == set()
    assert {"/healthz", "/readyz", "/openapi.json", "/docs"} <= open_paths


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


async def test_revoked_key_opens_nothing_from_that_moment(
    client: Client, services: Services
) -> None:
    assert (await client.call("GET", ENGINES)).status_code == 200
    async with services.database.transaction() as session:
        (row,) = await select_api_keys(session)
        assert row.id is not None
        assert await update_revoked(session, row.id)

    assert await client.error("GET", "/knowledge-engines") == (401, "Unauthorized")


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


def guarded_endpoints(app: Quart) -> Iterator[tuple[str, str]]:
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if rule.endpoint not in OPEN_ENDPOINTS:
                yield method, rule.rule.replace("<", "").replace(">", "")


def basic(credentials: str) -> str:
    return base64.b64encode(credentials.encode()).decode()
