import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import pytest
from openai.types.chat import ChatCompletion
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from quart import Quart

from agents.usage import Purpose, Usage
from app.extracting import LEFT, MAX_ATTEMPTS, work_on
from app.jobs import EXTRACT
from app.models.account import select_first_account
from app.models.tool_run import append_fields, begin_attempt, touch_attempt
from app.services import Services
from config.errors import ExtractionFailed
from config.model_table import BUILT_IN, OutputMode
from tests.app.live_streams import execute
from tests.app.test_jobs import DIE_IN_THE_MIDST_OF_IT
from tests.client import Client
from tests.extraction.provider import says
from tests.fakes import ScriptedLLM
from tests.loopback import served
from tests.span_exporter import parent_of

TENANT = {"field_name": "Tenant", "description": "name of the tenant", "type": "text"}
TERM = {"field_name": "End", "description": "day on which the lease ends", "type": "date"}
WORKED_OUT = {"field_0": {"value": "Harbour Light Ltd", "quote": "Harbour Light Ltd, the tenant"}}


@dataclass
class ExtractingLLM(ScriptedLLM):
    """Fills in forms as its script says, after the given failures."""

    form: Mapping[str, object] = field(default_factory=lambda: WORKED_OUT)
    faults: list[Exception] = field(default_factory=list)

    def acompletion(self, model: str, usage: Usage) -> Callable[..., Awaitable[Any]]:
        return partial(self._fill_in, model, usage)

    async def output_modes(self, model: str) -> tuple[OutputMode, ...]:
        return (OutputMode.JSON_SCHEMA,)

    async def _fill_in(self, model: str, usage: Usage, **_: Any) -> ChatCompletion:
        with usage.step(Purpose.EXTRACT, model) as step:
            if self.faults:
                raise self.faults.pop(0)
            step.prompt_tokens = 300
            return ChatCompletion.model_validate(says(self.form).json())


@dataclass
class SilentLLM(ExtractingLLM):
    """Is asked, and never answers."""

    was_asked: asyncio.Event = field(default_factory=asyncio.Event)
    was_stopped: asyncio.Event = field(default_factory=asyncio.Event)

    async def _fill_in(self, model: str, usage: Usage, **_: Any) -> ChatCompletion:
        self.was_asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.was_stopped.set()
        raise AssertionError


@pytest.fixture
def llm() -> ScriptedLLM:
    return ExtractingLLM()


@pytest.fixture
async def queued(client: Client, engine: str) -> str:
    """The id of a run nobody waits for, over the warehouse lease."""
    return await queue(client, engine, TENANT)


async def test_values_of_the_model_are_stored_with_their_evidence_and_cost(
    client: Client, services: Services, queued: str
) -> None:
    await work_on(services, queued)

    run = await read(client, queued)
    field = run["result"]["extracted_fields"]["Tenant"]
    assert (run["status"], run["error"]) == ("completed", None)
    assert field["value"] == "Harbour Light Ltd"
    assert "Harbour Light Ltd, the tenant" in field["evidence"][0]["text"]
    assert field["evidence"][0]["page_number"] == 1
    assert run["result"]["metadata"]["model_used"] == "gamma-1.5-pro"
    assert run["usage"]["prompt_tokens"] == 300


async def test_model_that_is_switched_off_leaves_the_run_to_the_built_in_extractor(
    client: Client, services: Services, queued: str
) -> None:
    async with services.database.transaction() as session:
        account = await select_first_account(session)
        assert account is not None
        account.disabled_models = ["gamma-1.5-pro"]

    await work_on(services, queued)

    run = await read(client, queued)
    assert run["status"] == "completed"
    assert run["result"]["metadata"]["model_used"] == BUILT_IN


async def test_run_that_has_ended_is_left_alone(
    client: Client, services: Services, queued: str
) -> None:
    await work_on(services, queued)
    before = await read(client, queued)

    await work_on(services, queued)
    await work_on(services, "trun_0123456789abcd")

    assert await read(client, queued) == before


async def test_field_that_is_stored_is_not_extracted_again(
    client: Client, services: Services, engine: str
) -> None:
    run_id = await queue(client, engine, TERM, TENANT)
    stored = {
        "field_name": "End",
        "value": "2024-03-31",
        "confidence": 0.9,
        "evidence": [],
        "reason": "of the attempt before",
    }
    async with services.database.transaction() as session:
        attempt = await begin_attempt(session, run_id)
        assert attempt is not None
        await append_fields(session, attempt, [stored])

    await work_on(services, run_id)

    fields = (await read(client, run_id))["result"]["extracted_fields"]
    assert fields["End"]["reason"] == "of the attempt before"
    assert fields["Tenant"]["value"] == "Harbour Light Ltd"


async def test_failure_of_the_model_ends_a_run_a_client_waits_for(
    client: Client, engine: str, llm: ExtractingLLM
) -> None:
    llm.faults = [ExtractionFailed("the model provider failed")]

    run = await client.post("/tool-runs", tool=await a_tool(client, engine, TENANT))

    assert run["status"] == "failed"
    assert run["error"] == "Failed to extract fields: the model provider failed"
    assert run["result"]["extracted_fields"] == {}


async def test_failure_of_the_model_is_tried_again_where_nobody_waits(
    client: Client, services: Services, queued: str, llm: ExtractingLLM
) -> None:
    llm.faults = [ExtractionFailed("the model provider failed")]

    with pytest.raises(ExtractionFailed):
        await work_on(services, queued)
    between = await read(client, queued)
    await work_on(services, queued)

    assert between["status"] == "queued"
    assert (await read(client, queued))["status"] == "completed"


async def test_usage_is_that_of_all_attempts(
    client: Client, services: Services, queued: str, llm: ExtractingLLM
) -> None:
    llm.faults = [ExtractionFailed("the model provider failed")]

    with suppress(ExtractionFailed):
        await work_on(services, queued)
    await work_on(services, queued)

    usage = (await read(client, queued))["usage"]
    calls = [step for step in usage["steps"] if step["purpose"] == "extract"]
    assert [call["prompt_tokens"] for call in calls] == [0, 300]
    assert usage["prompt_tokens"] == 300


async def test_usage_of_a_worker_that_dies_is_kept(
    client: Client, services: Services, queued: str
) -> None:
    spent = {"prompt_tokens": 70, "completion_tokens": 5, "tokens_estimated": True}
    async with services.database.transaction() as session:
        attempt = await begin_attempt(session, queued)
        assert attempt is not None
        await touch_attempt(session, attempt, spent | {"price_usd": 0.25, "steps": []})

    await work_on(services, queued)

    usage = (await read(client, queued))["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (370, 5)
    assert (usage["tokens_estimated"], usage["price_usd"]) == (True, 0.25)


async def test_every_attempt_is_traced_with_its_calls_of_models(
    spans: InMemorySpanExporter, services: Services, queued: str, llm: ExtractingLLM
) -> None:
    llm.faults = [ExtractionFailed("the model provider failed")]

    for _ in range(2):
        with suppress(ExtractionFailed):
            await work_on(services, queued)

    found = spans.get_finished_spans()
    attempts = [one.context.span_id for one in found if one.name == "invoke_workflow extraction"]
    calls = [parent_of(one) for one in found if one.name.startswith("chat ")]
    assert len(attempts) == 2
    assert set(calls) == set(attempts)


async def test_run_whose_model_fails_again_and_again_has_failed(
    client: Client, services: Services, queued: str, llm: ExtractingLLM
) -> None:
    llm.faults = [ExtractionFailed("the model provider failed") for _ in range(MAX_ATTEMPTS)]

    for _ in range(MAX_ATTEMPTS):
        with suppress(ExtractionFailed):
            await work_on(services, queued)

    run = await read(client, queued)
    assert run["status"] == "failed"
    assert run["error"] == "Failed to extract fields: the model provider failed"


async def test_run_that_was_cut_off_again_and_again_has_failed(
    client: Client, services: Services, queued: str
) -> None:
    await execute(services, f"UPDATE tool_run SET attempts = {MAX_ATTEMPTS}")

    await work_on(services, queued)

    run = await read(client, queued)
    assert run["status"] == "failed"
    assert run["error"] == "Failed to extract fields: it was cut off 4 times"


async def test_failure_nobody_thought_of_is_an_end(
    client: Client, services: Services, queued: str, llm: ExtractingLLM
) -> None:
    llm.faults = [ZeroDivisionError("postgresql://user:secret@host")]
    await execute(services, f"UPDATE tool_run SET attempts = {MAX_ATTEMPTS - 1}")

    with suppress(ExtractionFailed):
        await work_on(services, queued)

    run = await read(client, queued)
    assert run["status"] == "failed"
    assert "secret" not in run["error"]


async def test_worker_that_is_stopped_gives_the_run_back(
    client: Client, services: Services, queued: str
) -> None:
    async with held(services, work_on(services, queued)) as task:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    assert (await read(client, queued))["status"] == "queued"
    async with services.database.transaction() as session:
        again = await begin_attempt(session, queued)
    assert again is not None
    assert again.attempts == 1


async def test_run_ends_with_the_wait_of_its_client(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    services.gateway = llm = SilentLLM()
    body = {"tool": await a_tool(client, engine, TENANT)}

    async with (
        served(app) as address,
        httpx.AsyncClient(auth=(client.key, ""), timeout=60) as http,
    ):
        waiting = asyncio.create_task(http.post(f"{address}/api/v1/tool-runs", json=body))
        await asyncio.wait_for(llm.was_asked.wait(), timeout=60)
        (running,) = await client.get("/tool-runs")
        waiting.cancel()
        await asyncio.wait_for(llm.was_stopped.wait(), timeout=60)
        run = await until_over(client, running["id"])

    assert running["status"] == "processing"
    assert (run["status"], run["error"]) == ("failed", LEFT)


@pytest.mark.parametrize("deleted", ["run", "engine"])
async def test_deletion_ends_the_work(
    client: Client, services: Services, engine: str, queued: str, deleted: str
) -> None:
    path = {"run": f"tool-runs/{queued}", "engine": f"knowledge-engines/{engine}"}[deleted]

    async with held(services, work_on(services, queued)) as task:
        await client.call("DELETE", f"/api/v1/{path}")
        await task

    assert await client.get("/tool-runs") == []


async def test_deletion_of_a_data_source_fails_the_run_that_is_at_it(
    client: Client, services: Services, engine: str, queued: str
) -> None:
    source = await source_of(client, engine)

    async with held(services, work_on(services, queued)) as task:
        await client.call("DELETE", f"/api/v1/data-sources/{source}")
        await task

    run = await read(client, queued)
    assert run["status"] == "failed"
    assert run["error"] == "a data source was deleted while fields were extracted from it"


async def test_run_does_not_quote_a_data_source_that_was_deleted_after_it(
    client: Client, services: Services, engine: str, queued: str
) -> None:
    await work_on(services, queued)

    await client.call("DELETE", f"/api/v1/data-sources/{await source_of(client, engine)}")

    run = await read(client, queued)
    field = run["result"]["extracted_fields"]["Tenant"]
    assert run["status"] == "completed"
    assert (field["value"], field["evidence"]) == ("Harbour Light Ltd", [])


async def test_run_of_a_dead_worker_is_taken_up_again(
    client: Client, services: Services, queued: str
) -> None:
    async with services.database.transaction() as session:
        await begin_attempt(session, queued)
    await execute(services, "DELETE FROM procrastinate_jobs WHERE task_name = 'read_data_source'")
    await execute(services, DIE_IN_THE_MIDST_OF_IT)

    async with services.queue.opened():
        count = await services.queue.take_up_stalled()
        work = partial(work_on, services)
        working = asyncio.create_task(services.queue.work(work, 1, EXTRACT))
        run = await until_over(client, queued)
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working

    assert count == 1
    assert run["status"] == "completed"


async def test_ended_runs_are_counted(services: Services, client: Client, queued: str) -> None:
    await queue(client, (await client.get("/knowledge-engines"))[0]["id"], TENANT)
    await work_on(services, queued)

    response = await client.call("GET", "/metrics")

    lines = (await response.get_data(as_text=True)).splitlines()
    counted = 'ke_extractions_total{model="gamma-1.5-pro",outcome="completed"} 1.0'
    assert counted in lines
    assert 'ke_tool_runs_unfinished{status="queued"} 1.0' in lines


async def a_tool(client: Client, engine: str, *fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "extract_fields_from_data_sources",
        "model": "gamma-1.5-pro",
        "knowledge_engine_id": engine,
        "tagged_data_sources": [{"id": await source_of(client, engine)}],
        "fields": list(fields),
    }


async def queue(client: Client, engine: str, *fields: dict[str, Any]) -> str:
    tool = await a_tool(client, engine, *fields)
    return str((await client.post("/tool-runs", tool=tool, async_response=True))["id"])


async def read(client: Client, run_id: str) -> Any:
    return await client.get(f"/tool-runs/{run_id}")


async def source_of(client: Client, engine: str) -> str:
    (source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    return str(source["id"])


async def until_over(client: Client, run_id: str) -> Any:
    async with asyncio.timeout(60):
        while True:
            run = await read(client, run_id)
            if run["status"] in ("completed", "failed"):
                return run
            await asyncio.sleep(0.05)


@asynccontextmanager
async def held(services: Services, work: Any) -> AsyncIterator["asyncio.Task[Any]"]:
    """Begin some work on a run, and hold it where it waits for the model; it must be stopped."""
    services.gateway = llm = SilentLLM()
    task = asyncio.create_task(work)
    async with asyncio.timeout(60):
        await llm.was_asked.wait()
        yield task
        await llm.was_stopped.wait()
