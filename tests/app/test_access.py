from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from quart import Quart, g

from app.access import (
    account_id,
    engine_to_list,
    find_data_source,
    find_knowledge_engine,
    find_workflow,
    is_open,
)
from app.models.account import Account
from app.models.api_key import ApiKey
from app.services import Services
from config.errors import InvalidId, NotFound, ReferenceNotFound, ServiceError
from tests.client import Client

Find = Callable[..., Awaitable[Any]]


async def test_caller_is_the_account_of_the_request(onlooker: Client) -> None:
    async with onlooker.app.test_request_context("/"):
        g.account = Account(id=7, name="first")

        assert account_id() == 7


@pytest.mark.parametrize(
    ("key_is_for", "asked_for", "listed"),
    [
        pytest.param(None, None, None, id="all"),
        pytest.param(None, "kng_1", "kng_1", id="one asked for"),
        pytest.param("kng_1", None, "kng_1", id="the key's own"),
        pytest.param("kng_1", "kng_1", "kng_1", id="both the same"),
        pytest.param("kng_1", "kng_2", "", id="another than the key's"),
    ],
)
async def test_list_is_of_what_is_asked_for_and_open(
    onlooker: Client, key_is_for: str | None, asked_for: str | None, listed: str | None
) -> None:
    async with onlooker.app.test_request_context("/"):
        g.api_key = ApiKey(account_id=1, name="n", knowledge_engine_id=key_is_for)

        assert engine_to_list(asked_for) == listed


async def test_console_is_open_to_every_engine(onlooker: Client) -> None:
    async with onlooker.app.test_request_context("/"):
        assert is_open("kng_1")
        assert engine_to_list() is None


async def test_own_engine_is_found(app: Quart, client: Client, services: Services) -> None:
    engine_id = await client.create_engine("Leases")

    async with app.test_request_context("/"), services.database.transaction() as session:
        g.account = Account(id=1, name="first")
        found = await find_knowledge_engine(session, engine_id)

    assert (found.id, found.name) == (engine_id, "Leases")


@pytest.mark.parametrize(
    ("find", "given_id", "error"),
    [
        pytest.param(
            find_knowledge_engine, "kng_0123456789", NotFound("knowledge engine"), id="engine"
        ),
        pytest.param(find_data_source, "ds_0123456789", NotFound("data source"), id="data source"),
        pytest.param(find_workflow, "wfl_0123456789", NotFound("workflow"), id="workflow"),
        pytest.param(find_knowledge_engine, "1", InvalidId("knowledge engine"), id="bad engine"),
        pytest.param(find_data_source, "1", InvalidId("data source"), id="bad data source"),
        pytest.param(find_workflow, "1", InvalidId("workflow"), id="bad workflow"),
    ],
)
async def test_what_is_not_there_is_told(
    onlooker: Client, find: Find, given_id: str, error: ServiceError
) -> None:
    services = onlooker.services
    async with onlooker.app.test_request_context("/"), services.database.transaction() as session:
        g.account = Account(id=1, name="first")
        with pytest.raises(type(error)) as raised:
            await find(session, given_id)

    assert raised.value.message == error.message


@pytest.mark.parametrize(
    ("find", "given_id"),
    [
        pytest.param(find_knowledge_engine, "ke_0123456789", id="engine"),
        pytest.param(find_data_source, "dsc_0123456789", id="data source"),
    ],
)
async def test_missing_id_in_a_body_is_a_fault_of_the_request(
    onlooker: Client, find: Find, given_id: str
) -> None:
    services = onlooker.services
    async with onlooker.app.test_request_context("/"), services.database.transaction() as session:
        g.account = Account(id=1, name="first")
        with pytest.raises(ReferenceNotFound) as raised:
            await find(session, given_id, in_body=True)

    assert raised.value.status_code == 400
