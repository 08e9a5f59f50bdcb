"""However a data source or a tool run ends, webhooks are told: once, in the same transaction."""

import json
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.data_source import Outcome, finish, insert_data_source, select_data_source_to_read
from app.models.page_of_rows import PageRequest
from app.models.tool_run import (
    Ending,
    ToolRun,
    begin_attempt,
    end_attempt,
    fail_silent_runs,
    forget_data_source,
    insert_tool_run,
    put_back,
)
from app.models.webhook import EventType
from app.models.webhook_delivery import select_deliveries
from app.reading import MAX_ATTEMPTS, read_data_source
from app.services import Services
from tests.app.live_streams import execute
from tests.app.models.rows import data_source, new_engine
from tests.app.models.test_webhook import new_webhook
from tests.client import Client
from tests.conftest import FILES


@pytest.fixture
async def account_id(services: Services) -> int:
    """An account with an engine, a data source of it, and a webhook for everything."""
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await new_webhook(session, account_id, 1, events=list(EventType))
        await insert_data_source(session, data_source(account_id, "kng_1", 1))
    return account_id


async def told(services: Services, webhook_id: str = "whk_1") -> list[dict[str, Any]]:
    """Return what the webhook is to be told, each event as a receiver sees it."""
    async with services.database.transaction() as session:
        deliveries = await select_deliveries(session, webhook_id, PageRequest())
    payloads = [json.loads(one.payload) for one in deliveries]
    return [{"type": one["type"], **one["data"]} for one in payloads]


def a_run_event(status: str, error: str | None) -> dict[str, Any]:
    return {
        "type": "tool_run.finished",
        "knowledge_engine_id": "kng_1",
        "id": "trun_1",
        "status": status,
        "error": error,
    }


async def begun_run(session: AsyncSession, account_id: int) -> ToolRun:
    tool = {"tagged_data_sources": [{"id": "ds_1"}]}
    run = ToolRun(id="trun_1", account_id=account_id, knowledge_engine_id="kng_1", tool=tool)
    await insert_tool_run(session, run)
    begun = await begin_attempt(session, run.id)
    assert begun is not None
    return begun


async def test_reading_that_ends_is_told_with_its_outcome(
    services: Services, account_id: int
) -> None:
    async with services.database.transaction() as session:
        waiting = await select_data_source_to_read(session, "ds_1")
        assert waiting is not None
        await finish(session, waiting, Outcome.PARTIAL, "page 3: no text")

    assert await told(services) == [
        {
            "type": "data_source.finished",
            "knowledge_engine_id": "kng_1",
            "id": "ds_1",
            "status": "processed",
            "outcome": "partial",
            "error": "page 3: no text",
        }
    ]


async def test_reading_whose_process_dies_at_the_end_is_told_when_it_ends(
    services: Services, account_id: int
) -> None:
    async with services.database.transaction() as session:
        waiting = await select_data_source_to_read(session, "ds_1")
        assert waiting is not None
        await finish(session, waiting, Outcome.OK, None)
        await session.rollback()
    assert await told(services) == []

    async with services.database.transaction() as session:
        waiting = await select_data_source_to_read(session, "ds_1")
        assert waiting is not None
        await finish(session, waiting, Outcome.OK, None)

    assert [one["outcome"] for one in await told(services)] == ["ok"]


async def test_document_that_fails_is_told(client: Client, services: Services) -> None:
    webhook = await client.post(
        "/webhooks", url="https://example.com/", events=["data_source.finished"]
    )
    uploaded = await client.upload(await client.create_engine(), FILES / "warehouse-lease.pdf")
    data_source_id = (await uploaded.get_json())["id"]
    await execute(services, f"UPDATE data_source SET attempts = {MAX_ATTEMPTS}")

    for _ in range(2):
        await read_data_source(services, data_source_id)

    (event,) = await told(services, webhook["id"])
    assert (event["id"], event["outcome"]) == (data_source_id, "failed")
    assert event["error"].startswith("the reading was cut off 4 times")


@pytest.mark.parametrize(("error", "status"), [(None, "completed"), ("it failed", "failed")])
async def test_run_that_ends_is_told_once(
    services: Services, account_id: int, error: str | None, status: str
) -> None:
    async with services.database.transaction() as session:
        run = await begun_run(session, account_id)
        for _ in range(2):
            await end_attempt(session, run, Ending(error, 1.0, "built-in", {}))

    assert await told(services) == [a_run_event(status, error)]


async def test_run_that_is_put_back_is_not_told(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        await put_back(session, await begun_run(session, account_id), {}, counts=True)

    assert await told(services) == []


async def test_run_whose_process_has_died_is_told(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        await begun_run(session, account_id)
    await execute(services, "UPDATE tool_run SET heartbeat_at = now() - interval '1 minute'")

    for _ in range(2):
        async with services.database.transaction() as session:
            await fail_silent_runs(session, timedelta(seconds=15), "it died")

    assert await told(services) == [a_run_event("failed", "it died")]


async def test_run_that_lost_its_data_source_is_told(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        await begun_run(session, account_id)

    for _ in range(2):
        async with services.database.transaction() as session:
            await forget_data_source(session, "kng_1", "ds_1", "it was deleted")

    assert await told(services) == [a_run_event("failed", "it was deleted")]
