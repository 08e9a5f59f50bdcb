"""Whatever a model provider does, a client gets an answer or is told what is wrong."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest

from agents.gateway import LLMGateway
from app.services import Services
from config.model_table import AutoRule, Deployment, Model, ModelTable
from tests.app.live_streams import all_done
from tests.client import Client
from tests.fakes import HashEmbedder
from tests.loopback import served
from tests.openai_server import (
    Die,
    Fail,
    Garbage,
    Hang,
    OpenAIServer,
    Page,
    Step,
    Stop,
    Wait,
    openai_server,
)

KEY = "sk-secret-of-the-test"
QUESTION = "When does the lease end?"
TIMEOUT_SECONDS = 1.0
"""Of a provider that is silent: what it says before must come through on a busy machine, too."""

AMPLE_SECONDS = 60.0

pytestmark = pytest.mark.filterwarnings(
    # LiteLLM's import: pydantic looks at types whose fields only say that they are read-only.
    "ignore:Items? '.*' on TypedDict class:UserWarning",
    # LiteLLM looks at every attribute of the part of a stream that has the counts of tokens.
    "ignore:Accessing the 'model_(computed_)?fields' attribute:DeprecationWarning",
)


@dataclass(frozen=True)
class Fault:
    """What a provider does, time and again, and what a client is told of it."""

    script: list[Step]
    detail: str
    said: str = ""  # the words that went out before

    @property
    def message(self) -> str:
        return f"Failed to process query: {self.detail}"


TOO_LONG = "This model's maximum context length is 8192 tokens."

FAULTS = {
    "key refused": Fault([Fail(401)], "the model provider refused the service's credentials"),
    "access refused": Fault([Fail(403)], "the model provider refused access to the model"),
    "model unknown": Fault([Fail(404)], "the model provider does not know the model"),
    "bad request": Fault([Fail(400)], "the model provider rejected the request"),
    "context too long": Fault(
        [Fail(400, message=TOO_LONG)], "the question and its passages are too long for the model"
    ),
    "unprocessable": Fault([Fail(422)], "the model provider failed"),
    "rate limit": Fault([Fail(429)], "the model provider is limiting the rate of requests"),
    "rate limit for a minute": Fault(
        [Fail(429, retry_after="60")], "the model provider is limiting the rate of requests"
    ),
    "server error": Fault([Fail(500)], "the model provider failed"),
    "overloaded": Fault([Fail(503)], "the model provider failed"),
    "error as a web page": Fault([Page(502)], "the model provider failed"),
    "web page": Fault([Page(200)], "the model gave an empty answer"),
    "silence": Fault([Hang()], "the model provider did not answer in time"),
    "reset": Fault([Die()], "the model provider cannot be reached"),
    "garbage": Fault([Garbage()], "the model provider sent what cannot be read"),
    "another object": Fault([Garbage('{"a": 1}')], "the model gave an empty answer"),
    "a list": Fault([Garbage("[1, 2]")], "the model provider failed"),
    "nothing": Fault([], "the model gave an empty answer"),
    "end before the first word": Fault([Stop()], "the model gave an empty answer"),
    "half a stream": Fault(
        ["In ", "March ", Stop()], "the model provider broke the answer off", "In March"
    ),
    "reset in mid-sentence": Fault(
        ["In ", "March ", Wait(0.05), Die()], "the model provider cannot be reached", "In March"
    ),
    "silence in mid-sentence": Fault(
        ["In ", "March ", Hang()], "the model provider did not answer in time", "In March"
    ),
    "garbage in mid-sentence": Fault(
        ["In ", "March ", Garbage(), "2024."],
        "the model provider sent what cannot be read",
        "In March",
    ),
    "error in mid-sentence": Fault(
        ["In ", "March ", Garbage(json.dumps({"error": {"message": f"overloaded: {KEY}"}}))],
        "the model provider failed",
        "In March",
    ),
    "the same word for ever": Fault(
        ["no "] * 200, "the model provider failed", " ".join(["no"] * 100)
    ),
}


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as server:
        yield server


# One test for all faults of an endpoint: the engine takes longer to make than they all take.


async def test_workflow_fails_with_the_reason(
    client: Client, engine: str, server: OpenAIServer, caplog: pytest.LogCaptureFixture
) -> None:
    failures = {}
    for name, fault in FAULTS.items():
        let_fail(client.services, server, fault)
        failures[name] = await client.error("POST", "/workflows", json=question_to(engine))

    assert failures == {name: (500, fault.message) for name, fault in FAULTS.items()}
    assert await client.get("/workflows") == []
    assert KEY not in caplog.text


async def test_stream_ends_with_one_error_and_what_was_said_is_kept(
    client: Client, engine: str, server: OpenAIServer, caplog: pytest.LogCaptureFixture
) -> None:
    sent = {}
    for name, fault in FAULTS.items():
        let_fail(client.services, server, fault)
        *words, last = await client.query(engine, QUESTION, name=name, model="delta-4.1")
        assert {event.event for event in words} <= {"message"}
        assert last.event == "error"
        sent[name] = ("".join(event.data for event in words), last.data["error"])

    told = {name: (said.rstrip(), message) for name, (said, message) in sent.items()}
    assert told == {name: (fault.said, fault.message) for name, fault in FAULTS.items()}
    await all_done(client.services)  # What was said is stored behind the event.
    workflows = await client.get("/workflows?limit=100")
    assert {one["name"]: (one["response"], one["error"]) for one in workflows} == sent
    assert KEY not in caplog.text


async def test_stream_and_record_are_the_same_text_without_what_is_no_character(
    client: Client, engine: str, server: OpenAIServer
) -> None:
    use(client.services, server)
    server.scripts = [["A\0 smile \ud83d", "\ude00 and \ud800", " a \udc00half"]]

    *words, last = await client.query(engine, QUESTION, model="delta-4.1")

    said = "".join(event.data for event in words)
    assert said == "A smile \U0001f600 and  a half"
    (workflow,) = await client.get("/workflows")
    assert said == last.data["response"] == workflow["response"]


async def test_client_that_leaves_stops_the_model_within_a_second(
    client: Client, engine: str, server: OpenAIServer
) -> None:
    use(client.services, server)
    server.scripts = [["In ", Hang()]]
    async with served(client.app) as address, httpx.AsyncClient(base_url=address) as web:
        asked = web.stream(
            "POST",
            f"/api/v1/knowledge-engines/{engine}/query",
            json={"query": QUESTION, "name": "test", "model": "delta-4.1"},
            headers={"Authorization": f"Bearer {client.key}"},
        )
        async with asked as response:
            async for line in response.aiter_lines():
                if line.startswith("data:"):
                    break

        await asyncio.wait_for(server.caller_went_away.wait(), timeout=1)


def use(services: Services, server: OpenAIServer, timeout_seconds: float = AMPLE_SECONDS) -> None:
    """Let every question go to this server."""
    deployment = Deployment("openai/m", KEY, server.address, timeout_seconds)
    model = Model("delta-4.1", "Delta 4.1", (deployment,))
    table = ModelTable({"delta-4.1": model}, {AutoRule.STANDARD: ("delta-4.1",)})
    services.gateway = LLMGateway(table, HashEmbedder().embed)


def let_fail(services: Services, server: OpenAIServer, fault: Fault) -> None:
    """Make a gateway that knows of no failure yet, and the server fail."""
    is_silent = any(isinstance(step, Hang) for step in fault.script)
    use(services, server, TIMEOUT_SECONDS if is_silent else AMPLE_SECONDS)
    server.scripts = [fault.script]


def question_to(engine: str) -> dict[str, str]:
    return {
        "name": "test",
        "type": "query",
        "query": QUESTION,
        "knowledge_engine_id": engine,
        "model": "delta-4.1",
    }
