"""The chat interface, as OpenAI's own package uses it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI
from quart import Quart

from app.services import Services
from config.errors import AnswerFailed
from tests.app.live_streams import PromptedLLM
from tests.app.openai_clients import openai_client
from tests.client import Client
from tests.conftest import ReadLease
from tests.fakes import ScriptedLLM

QUESTION: Any = {"role": "user", "content": "When does the lease end?"}


@dataclass
class AskedLLM(PromptedLLM):
    """Says nothing, and that it was asked."""

    was_asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def stream(self, *_: Any, **__: Any) -> AsyncIterator[str]:
        self.was_asked.set()
        async for word in super().stream():
            yield word


@pytest.fixture
async def api(app: Quart, client: Client) -> AsyncIterator[AsyncOpenAI]:
    async with openai_client(app, client) as api:
        yield api


async def test_engines_of_the_account_are_the_models(
    api: AsyncOpenAI, client: Client, stranger: Client
) -> None:
    engine = await client.create_engine("Leases")
    await stranger.create_engine("Secrets")

    models = (await api.models.list()).data

    assert [(one.id, one.object, one.to_dict()["name"]) for one in models] == [
        (engine, "model", "Leases")
    ]


async def test_answer_has_its_sources_as_annotations(
    api: AsyncOpenAI, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["The lease ends ", "in March <source_id=1>."]]

    completion = await api.chat.completions.create(model=engine, messages=[QUESTION])

    (choice,) = completion.choices
    assert choice.message.content == "The lease ends in March [1]."
    assert choice.finish_reason == "stop"
    (annotation,) = choice.message.annotations or ()
    cited = annotation.url_citation
    assert choice.message.content[cited.start_index : cited.end_index] == "[1]"
    assert cited.title == "warehouse-lease.pdf, page 1"


async def test_answer_is_stored_as_a_workflow_that_its_id_finds(
    api: AsyncOpenAI, client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]

    completion = await api.chat.completions.create(model=engine, messages=[QUESTION])

    (workflow,) = await client.get(f"/workflows?context_id={completion.id}")
    assert workflow["query"] == workflow["name"] == "When does the lease end?"
    assert workflow["response"] == "In March <source_id=1>."


async def test_model_may_be_named_behind_the_engine(
    api: AsyncOpenAI, client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]

    completion = await api.chat.completions.create(
        model=f"{engine}#gamma-2.5",
        messages=[QUESTION],
        temperature=0.1,
        extra_body={"advanced_reasoning": True, "unheard_of": [1]},
    )

    assert completion.model == f"{engine}#gamma-2.5"
    (workflow,) = await client.get("/workflows")
    assert (workflow["model"], workflow["advanced_reasoning"]) == ("gamma-2.5", True)


async def test_model_reads_what_was_said_before_but_no_instructions(
    api: AsyncOpenAI, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]
    before: list[Any] = [
        {"role": "system", "content": "You are a pirate."},
        {"role": "assistant", "content": "How can I help?"},
        {"role": "user", "content": [{"type": "text", "text": "How much is the deposit?"}]},
        {"role": "assistant", "content": "It is 12,000 pounds [1]."},
    ]

    await api.chat.completions.create(model=engine, messages=[*before, QUESTION])

    (prompt,) = llm.prompts
    assert [message["content"] for message in prompt[1:-1]] == [
        "How much is the deposit?",
        "It is 12,000 pounds.",
    ]
    assert "pirate" not in str(prompt)


@pytest.mark.parametrize(
    ("request_body", "error", "message"),
    [
        pytest.param({"model": "gpt-5"}, openai.BadRequestError, "engine ID", id="no id"),
        pytest.param(
            {"model": "kng_abcdefghijklmn"}, openai.NotFoundError, "engine not found", id="unknown"
        ),
        pytest.param({"n": 2}, openai.BadRequestError, "'N' failed on the 'max'", id="n"),
        pytest.param({"messages": []}, openai.BadRequestError, "Messages", id="no message"),
        pytest.param(
            {"messages": [{"role": "assistant", "content": "Hello"}]},
            openai.BadRequestError,
            "'Messages' failed on the 'required'",
            id="no question",
        ),
        pytest.param(
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]},
            openai.BadRequestError,
            "'Type' failed on the 'oneof'",
            id="picture",
        ),
    ],
)
async def test_wrong_request_is_refused_in_the_form_of_openai(
    onlooker: Client,
    read_lease: ReadLease,
    request_body: dict[str, Any],
    error: type[openai.APIStatusError],
    message: str,
) -> None:
    body: dict[str, Any] = {"model": read_lease.engine_id, "messages": [QUESTION]} | request_body

    async with openai_client(onlooker.app, onlooker) as api:
        with pytest.raises(error, match=message) as raised:
            await api.chat.completions.create(**body)

    assert raised.value.type == "invalid_request_error"
    assert raised.value.code == ("model_not_found" if error is openai.NotFoundError else None)


async def test_wrong_key_is_refused_in_the_form_of_openai(app: Quart, client: Client) -> None:
    async with openai_client(app, client, key="ke-" + "0" * 40) as api:
        with pytest.raises(openai.AuthenticationError) as raised:
            await api.models.list()

    assert (raised.value.code, raised.value.body) == (
        "invalid_api_key",
        {
            "message": "Unauthorized",
            "type": "invalid_request_error",
            "param": None,
            "code": "invalid_api_key",
        },
    )


async def test_failure_of_the_model_is_a_server_error(
    api: AsyncOpenAI, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [[AnswerFailed("the model provider failed")]]

    with pytest.raises(openai.InternalServerError, match="provider failed") as raised:
        await api.chat.completions.create(model=engine, messages=[QUESTION])

    assert raised.value.type == "server_error"


async def test_client_that_leaves_stops_the_model(
    api: AsyncOpenAI, client: Client, services: Services, engine: str
) -> None:
    services.gateway = llm = AskedLLM()

    waiting = asyncio.create_task(api.chat.completions.create(model=engine, messages=[QUESTION]))
    async with asyncio.timeout(30):
        await llm.was_asked.wait()
        waiting.cancel()
        await llm.was_stopped.wait()

    assert await client.get("/workflows") == []
