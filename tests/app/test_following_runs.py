import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from quart import Quart

from app.extracting import LEFT, work_on
from app.models.tool_run import Ending, ToolRun, append_fields, begin_attempt, end_attempt
from app.services import Services
from app.sse import COMMENT
from tests.app.live_streams import Reader, all_done
from tests.app.test_extracting import (
    TENANT,
    ExtractingLLM,
    SilentLLM,
    a_tool,
    read,
    until_over,
)
from tests.client import Client, parse_events
from tests.loopback import served

FIELD = {
    "field_name": "Tenant",
    "value": "Ödön\u2028Ltd",
    "confidence": 0.5,
    "evidence": [],
    "reason": "",
}


async def test_client_that_leaves_ends_its_run(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    services.gateway = llm = SilentLLM()

    async with served(app) as address:
        async with streaming(client, address, engine) as reader:
            await asyncio.wait_for(llm.was_asked.wait(), timeout=60)
        await asyncio.wait_for(llm.was_stopped.wait(), timeout=60)
        await all_done(services)

    (run,) = await client.get("/tool-runs")
    assert reader.response.headers["location"] == f"/api/v1/tool-runs/{run['id']}"
    assert (run["status"], run["error"]) == ("failed", LEFT)


async def test_run_that_is_queued_as_well_survives_its_client(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    services.gateway = ExtractingLLM()

    async with served(app) as address:
        async with streaming(client, address, engine, async_response=True) as reader:
            assert await anext(reader.response.aiter_raw()) == COMMENT
        (run,) = await client.get("/tool-runs")
        await work_on(services, run["id"])
        whole = await resumed(client, f"{run['id']}-0")

    events = parse_events(whole)
    assert run["status"] == "queued"
    assert [event.event for event in events] == ["message", "done"]
    assert events[-1].data == await read(client, run["id"])


async def test_field_is_sent_as_soon_as_it_is_finished(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    async with (
        served(app) as address,
        streaming(client, address, engine, async_response=True) as reader,
    ):
        attempt = await attempt_at_the_only_run(client, services)
        async with services.database.transaction() as session:
            await append_fields(session, attempt, [FIELD])
        begin = await reader.read(events=1)
        async with services.database.transaction() as session:
            await end_attempt(session, attempt, Ending(None, 1.0, "built-in", {}))
        whole = await reader.read_all()

    (message,) = parse_events(begin.decode())
    assert json.loads(message.data)["value"] == "Ödön\u2028Ltd"
    assert b"\\u2028" in begin
    assert parse_events(whole.decode())[-1].data["status"] == "completed"


async def test_failure_ends_the_stream_with_an_error(
    client: Client, services: Services, engine: str
) -> None:
    tool = await a_tool(client, engine, TENANT)
    flags = {"stream_response": True, "async_response": True}
    task = asyncio.create_task(
        client.call("POST", "/api/v1/tool-runs", json={"tool": tool} | flags)
    )
    attempt = await attempt_at_the_only_run(client, services)
    async with services.database.transaction() as session:
        await append_fields(session, attempt, [FIELD])
        await end_attempt(session, attempt, Ending("it failed", 1.0, "built-in", {}))

    text = await (await task).get_data(as_text=True)

    events = parse_events(text)
    assert [event.event for event in events] == ["message", "error"]
    assert events[-1].data == {"error": "it failed"}
    assert f"id: {attempt.id}-2\n" in text


async def test_stream_of_a_deleted_run_ends(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    async with (
        served(app) as address,
        streaming(client, address, engine, async_response=True) as reader,
    ):
        attempt = await attempt_at_the_only_run(client, services)
        await client.call("DELETE", f"/api/v1/tool-runs/{attempt.id}")
        whole = await reader.read_all()

    (event,) = parse_events(whole.decode())
    assert (event.event, event.data) == ("error", {"error": "tool run not found"})


async def test_stream_of_a_run_that_was_cut_off_has_what_was_stored(
    client: Client, services: Services, engine: str
) -> None:
    tool = await a_tool(client, engine, TENANT)
    queued = await client.post("/tool-runs", tool=tool, async_response=True)
    attempt = await attempt_at_the_only_run(client, services)
    async with services.database.transaction() as session:
        await append_fields(session, attempt, [FIELD])
    services.gateway = ExtractingLLM()
    await work_on(services, queued["id"])

    events = parse_events(await resumed(client, f"{queued['id']}-0"))

    run = await until_over(client, queued["id"])
    assert [event.event for event in events] == ["message", "done"]
    assert json.loads(events[0].data)["value"] == FIELD["value"]
    assert events[-1].data == run


async def attempt_at_the_only_run(client: Client, services: Services) -> ToolRun:
    """Begin an attempt at the run, as a worker does, as soon as it is there."""
    async with asyncio.timeout(60):
        while True:
            if runs := await client.get("/tool-runs"):
                async with services.database.transaction() as session:
                    attempt = await begin_attempt(session, runs[0]["id"])
                assert attempt is not None
                return attempt
            await asyncio.sleep(0.02)


async def resumed(client: Client, event_id: str) -> str:
    headers = {"Last-Event-ID": event_id}
    response = await client.call("POST", "/api/v1/tool-runs", headers=headers)
    return str(await response.get_data(as_text=True))


@asynccontextmanager
async def streaming(
    client: Client, address: str, engine: str, **flags: Any
) -> AsyncIterator[Reader]:
    """Ask for a stream over a connection of its own, which is closed at the end."""
    body = {"tool": await a_tool(client, engine, TENANT), "stream_response": True} | flags
    async with (
        httpx.AsyncClient(auth=(client.key, ""), timeout=60) as http,
        http.stream("POST", f"{address}/api/v1/tool-runs", json=body) as response,
    ):
        yield Reader(response)
