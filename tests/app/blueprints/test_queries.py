import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from quart import Quart

from app.ids import CONTEXT, new_id
from app.services import Services
from app.sse import COMMENT
from config.errors import AnswerFailed
from tests.app.live_streams import DeletingLLM, all_done
from tests.app.test_deleting import while_deleted
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import ScriptedLLM
from tests.loopback import served


@dataclass
class SilentLLM(ScriptedLLM):
    """Says its words, and then nothing more until it is cancelled."""

    words: Sequence[str] = ()
    was_cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    async def stream(self, *_: object, **__: object) -> AsyncIterator[str]:
        for word in self.words:
            yield word
        try:
            await asyncio.Event().wait()
        finally:
            self.was_cancelled.set()


class BrokenLLM(SilentLLM):
    """Fails in a way that nobody has thought of."""

    async def stream(self, *_: object, **__: object) -> AsyncIterator[str]:
        yield "The lease "
        raise ZeroDivisionError("postgresql://user:secret@host")


async def test_context_of_another_engine_is_refused_before_the_stream(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]
    context_id = (await client.ask(engine, "When?"))["context_id"]
    other = await client.create_engine()
    await client.add(other, FILES / "supplier-handbook.docx")
    body = {"name": "n", "query": "When?", "context_id": context_id}

    failure = await client.error("POST", f"/knowledge-engines/{other}/query", json=body)

    assert failure == (400, "context not found")


async def test_engine_that_was_asked_and_deleted_since_is_not_found(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]
    await client.query(engine, "When?")
    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")
    body = {"name": "n", "query": "When?"}

    failure = await client.error("POST", f"/knowledge-engines/{engine}/query", json=body)

    assert failure == (404, "knowledge engine not found")


@pytest.mark.parametrize("context_id", [None, new_id(CONTEXT)], ids=["alone", "conversation"])
async def test_engine_that_is_just_being_deleted_is_not_found(
    client: Client, engine: str, services: Services, context_id: str | None
) -> None:
    path = f"/api/v1/knowledge-engines/{engine}/query"
    body = {"name": "n", "query": "When?", "context_id": context_id}

    asked = await while_deleted(services, "knowledge_engine", client.call("POST", path, json=body))

    assert asked.result().status_code == 404


async def test_stream_ends_with_done(client: Client, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [["The lease ends ", "in March <source_id=1>."]]

    events = await client.query(engine, "When does the lease end?")

    assert [event.event for event in events] == ["message", "message", "done"]
    assert events[-1].data["response"] == "The lease ends in March <source_id=1>."


async def test_done_carries_the_documented_fields(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]

    done = (await client.query(engine, "When does the lease end?", name="Lease")).pop().data

    workflow = await client.get(f"/workflows/{done['id']}")
    (citation,) = done.pop("citations")
    assert citation.pop("text") in await all_text(client, engine)
    assert citation == {"source": "warehouse-lease.pdf", "page": 1}
    assert done == {
        "id": workflow["id"],
        "name": "Lease",
        "query": "When does the lease end?",
        "type": "query",
        "knowledge_engine_id": engine,
        "status": "processed",
        "response": "In March <source_id=1>.",
        "created_at": workflow["created_at"],
    }


@pytest.mark.parametrize(
    ("deltas", "response"),
    [
        pytest.param(["March <sour", "ce_i", "d=1", ">."], "March <source_id=1>.", id="split"),
        pytest.param(["March <source_id=99>."], "March .", id="invented"),
        pytest.param(
            ["A <source_id=3>, B <source_id=1>, A <source_id=3>."],
            "A <source_id=1>, B <source_id=2>, A <source_id=1>.",
            id="renumbered",
        ),
        pytest.param(["1 < 2 and <sou", "th"], "1 < 2 and <south", id="no key"),
        pytest.param(["It ends <source"], "It ends <source", id="unfinished"),
        pytest.param(["Öde 🏠\n", "\r\n\u2028x"], "Öde 🏠\n\r\n\u2028x", id="line ends"),
    ],
)
async def test_messages_put_together_are_the_response(
    client: Client, engine: str, llm: ScriptedLLM, deltas: list[str], response: str
) -> None:
    llm.answers = [list(deltas)]

    *messages, done = await client.query(engine, "When?")

    assert "".join(message.data for message in messages) == done.data["response"] == response
    assert not any(message.data.endswith("<source") for message in messages[:-1])
    assert len(done.data["citations"]) == len(set(re.findall(r"<source_id=\d+>", response)))


async def test_streamed_answer_is_stored_as_a_workflow(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["Nothing says so."]]

    done = (await client.query(engine, "When?", model="gamma-2.5")).pop().data

    workflow = await client.get(f"/workflows/{done['id']}")
    assert workflow["response"] == "Nothing says so."
    assert (workflow["model"], workflow["resolved_model"]) == ("gamma-2.5", "gamma-2.5")
    assert (done["citations"], workflow["citations"]) == ([], None)
    assert (workflow["status"], workflow["error"]) == ("PROCESSED", None)


async def test_failure_ends_the_stream_and_what_was_said_is_kept(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["The lease ", AnswerFailed("the model provider failed")]]

    events = await client.query(engine, "When?")

    message = "Failed to process query: the model provider failed"
    assert [(event.event, event.data) for event in events] == [
        ("message", "The lease "),
        ("error", {"error": message}),
    ]
    await all_done(services)
    (workflow,) = await client.get("/workflows")
    assert (workflow["response"], workflow["error"]) == ("The lease ", message)


async def test_unforeseen_failure_tells_nothing_of_the_inside(
    client: Client, services: Services, engine: str
) -> None:
    services.gateway = BrokenLLM()

    events = await client.query(engine, "When?")

    assert [event.event for event in events] == ["message", "error"]
    assert events[-1].data == {"error": "Internal Server Error"}
    await all_done(services)
    (workflow,) = await client.get("/workflows")
    assert (workflow["response"], workflow["error"]) == ("The lease ", "Internal Server Error")


async def test_engine_deleted_while_it_answers_is_told_and_nothing_is_kept(
    client: Client, engine: str, caplog: pytest.LogCaptureFixture
) -> None:
    client.services.gateway = DeletingLLM(client=client, engine_id=engine)

    events = await client.query(engine, "When?")

    await all_done(client.services)
    assert (events[-1].event, events[-1].data) == ("error", {"error": "knowledge engine not found"})
    assert await client.get("/workflows") == []
    assert [one.message for one in caplog.records if one.levelname == "ERROR"] == []


async def test_empty_answer_is_a_failure(client: Client, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [[" ", "\n"]]

    events = await client.query(engine, "When?")

    assert events[-1].data == {"error": "Failed to process query: the model gave an empty answer"}


async def test_history_reaches_the_prompt(client: Client, engine: str, llm: ScriptedLLM) -> None:
    context_id = new_id(CONTEXT)
    llm.answers = [["In March <source_id=1>."], ["48,000 pounds."]]
    await client.query(engine, "When does the lease end?", context_id=context_id)

    await client.query(engine, "What is the yearly rent?", context_id=context_id)

    _, *history, asked = llm.prompts[1]
    assert [(one["role"], one["content"]) for one in history] == [
        ("user", "When does the lease end?"),
        ("assistant", "In March ‹source_id=1>."),
    ]
    assert "<question>\nWhat is the yearly rent?\n</question>" in asked["content"]


@pytest.mark.parametrize(
    ("content", "changes", "message"),
    [
        pytest.param("empty", {}, "knowledge engine has no active data sources", id="empty"),
        pytest.param(
            "waiting", {}, "knowledge engine is not ready, current status: processing", id="waiting"
        ),
        pytest.param(
            "waiting", {"model": "gpt-9"}, "Model gpt-9 not supported", id="model comes first"
        ),
    ],
)
async def test_what_can_fail_before_the_stream_is_plain_json(
    onlooker: Client, content: str, changes: dict[str, Any], message: str
) -> None:
    engine_id = await onlooker.create_engine()
    if content == "waiting":
        await onlooker.upload(engine_id, FILES / "supplier-handbook.docx")

    body = {"name": "n", "query": "q"} | changes
    failure = await onlooker.error("POST", f"/knowledge-engines/{engine_id}/query", json=body)

    assert failure == (400, message)


async def test_stream_begins_before_the_model_has_spoken(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    services.gateway = SilentLLM()

    async with served(app) as address, streamed(client, address, engine) as response:
        begin = await anext(response.aiter_raw())

    assert begin == COMMENT
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"


async def test_client_that_goes_away_stops_the_model(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    services.gateway = llm = SilentLLM(words=["The lease "])

    async with served(app) as address:
        async with streamed(client, address, engine) as response:
            async for line in response.aiter_lines():
                if line == f"data: {json.dumps('The lease ')}":
                    break
        await asyncio.wait_for(llm.was_cancelled.wait(), timeout=10)

    await all_done(services)
    (workflow,) = await client.get("/workflows")
    assert workflow["response"] == "The lease "
    assert workflow["error"] == "the client closed the stream"


async def test_connection_ends_with_the_stream(
    app: Quart, client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [[AnswerFailed("the model provider failed")]]

    async with served(app) as address, streamed(client, address, engine) as response:
        text = await asyncio.wait_for(response.aread(), timeout=5)

    assert text.decode().endswith('provider failed"}\n\n')


@asynccontextmanager
async def streamed(client: Client, address: str, engine_id: str) -> AsyncIterator[httpx.Response]:
    url = f"{address}/api/v1/knowledge-engines/{engine_id}/query"
    body = {"name": "test", "query": "When does the lease end?"}
    async with (
        httpx.AsyncClient(auth=(client.key, "")) as http,
        http.stream("POST", url, json=body) as response,
    ):
        yield response


async def all_text(client: Client, engine_id: str) -> list[str]:
    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="lease", top_k=20)
    return [chunk["content"] for chunk in found["chunks"]]
