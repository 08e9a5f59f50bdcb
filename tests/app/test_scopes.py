"""What each key may do, over every route that the application has."""

from collections.abc import Iterator

import pytest
from quart import Quart

from app.auth import OPEN_ENDPOINTS
from app.scopes import NEEDED_SCOPES, OF_ENGINES, Scope, check_scope
from app.services import Services
from config.errors import KeyOfNarrowScope, KeyOfOneEngine
from tests.client import Client
from tests.conftest import new_key

NARROW = "this key has the scope "
OF_ONE = "this key is for one knowledge engine, this takes one for all"


async def test_every_route_says_what_it_asks_for(app: Quart) -> None:
    endpoints = {endpoint for endpoint, _, _ in routes(app)}

    assert endpoints == set(NEEDED_SCOPES)


async def test_routes_that_only_look_are_for_every_key_but_those_of_the_account(app: Quart) -> None:
    kept = {
        endpoint
        for endpoint, method, _ in routes(app)
        if method == "GET" and NEEDED_SCOPES[endpoint] is not Scope.READ
    }

    assert {endpoint.partition(".")[0] for endpoint in kept} == {"audit_log", "webhooks"}


async def test_routes_that_delete_are_not_for_keys_that_read(app: Quart) -> None:
    scopes = {NEEDED_SCOPES[endpoint] for endpoint, method, _ in routes(app) if method == "DELETE"}

    assert scopes == {Scope.WRITE, Scope.ADMIN}


@pytest.mark.parametrize("scope", Scope)
async def test_key_may_do_what_its_scope_covers_and_nothing_else(
    client: Client, services: Services, scope: Scope
) -> None:
    client.key = await new_key(services, scope=scope)
    every = list(routes(client.app))

    refused = {
        endpoint
        for endpoint, method, path in every
        if NARROW in await message(client, method, path)
    }

    assert refused == {
        endpoint for endpoint, needed in NEEDED_SCOPES.items() if not scope.covers(needed)
    }


async def test_key_of_one_engine_may_not_touch_what_is_of_the_account(
    client: Client, services: Services
) -> None:
    client.key = await new_key(services, engine_id=await client.create_engine())
    every = list(routes(client.app))

    refused = {
        endpoint
        for endpoint, method, path in every
        if await message(client, method, path) == OF_ONE
    }

    assert refused == NEEDED_SCOPES.keys() - OF_ENGINES
    assert "knowledge_engines.create_knowledge_engine" in refused


async def test_refusal_says_which_scope_is_needed(client: Client, services: Services) -> None:
    client.key = await new_key(services, scope=Scope.READ)

    refused = await client.error("POST", "/knowledge-engines", json={"name": "Leases"})

    assert refused == (400, "this key has the scope read, this takes one with admin")


async def test_refusal_comes_before_the_request_is_looked_at(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    client.key = await new_key(services, scope=Scope.WRITE)

    for given_id in (engine_id, "kng_0123456789", "nonsense"):
        refused = await client.error("DELETE", f"/knowledge-engines/{given_id}")
        assert refused == (400, "this key has the scope write, this takes one with admin")


@pytest.mark.parametrize(
    ("scope", "needed", "covers"),
    [
        (Scope.READ, Scope.READ, True),
        (Scope.READ, Scope.WRITE, False),
        (Scope.READ, Scope.ADMIN, False),
        (Scope.WRITE, Scope.READ, True),
        (Scope.WRITE, Scope.WRITE, True),
        (Scope.WRITE, Scope.ADMIN, False),
        (Scope.ADMIN, Scope.READ, True),
        (Scope.ADMIN, Scope.WRITE, True),
        (Scope.ADMIN, Scope.ADMIN, True),
    ],
)
def test_each_scope_has_what_those_before_it_have(
    scope: Scope, needed: Scope, covers: bool
) -> None:
    assert scope.covers(needed) is covers


def test_endpoint_that_nobody_has_listed_is_for_keys_that_may_do_all() -> None:
    check_scope("new.endpoint", Scope.ADMIN, is_of_one_engine=False)

    with pytest.raises(KeyOfNarrowScope):
        check_scope("new.endpoint", Scope.WRITE, is_of_one_engine=False)
    with pytest.raises(KeyOfOneEngine):
        check_scope("new.endpoint", Scope.ADMIN, is_of_one_engine=True)


def routes(app: Quart) -> Iterator[tuple[str, str, str]]:
    """Yield endpoint, method and path of every route that asks for a key."""
    for rule in app.url_map.iter_rules():
        if rule.endpoint in OPEN_ENDPOINTS or rule.endpoint.startswith(("console.", "static")):
            continue
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule.endpoint, method, rule.rule.replace("<", "").replace(">", "")


async def message(client: Client, method: str, path: str) -> str:
    """Return what is wrong with a request that names nothing there is; "" if nothing is."""
    body = await (await client.call(method, path)).get_json()
    error = body.get("error", "") if isinstance(body, dict) else ""
    return str(error["message"] if isinstance(error, dict) else error)
