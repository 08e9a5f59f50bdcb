"""Streamed chat completions, as OpenAI's own package reads them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI
from quart import Quart
from sqlmodel import select

from agents.prompts import Message
from agents.usage import Purpose, Usage
from app.file_store import FileStore
from app.models.workflow import Workflow
from app.services import Services
from config.errors import AnswerFailed, FileStoreAway
from tests.app.live_streams import DeletingLLM, PromptedLLM, all_done, execute
from tests.app.openai_clients import openai_client
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import ScriptedLLM

QUESTION: Any = {"role": "user", "content": "When does the lease end?"}


@pytest.fixture
async def api(app: Quart, client: Client) -> AsyncIterator[AsyncOpenAI]:
    async with openai_client(app, client) as api:
        yield api


class CountingLLM(ScriptedLLM):
    """Says how many tokens its one word took."""

    async def stream(
        self,
        model: str,
        messages: Sequence[Message],
        usage: Usage | None = None,
        *,
        alternatives: Sequence[str] = (),
    ) -> AsyncIterator[str]:
        with (usage or Usage()).step(Purpose.ANSWER, model) as step:
            step.prompt_tokens, step.completion_tokens = 900, 7
            yield "March."


class BrokenLLM(ScriptedLLM):
    """Fails in a way that nobody has thought of."""

    async def stream(self, *_: object, **__: object) -> AsyncIterator[str]:
        yield "The lease "
        raise ZeroDivisionError("postgresql://user:secret@host")


async def test_words_come_as_chunks_and_the_sources_with_the_last(
    api: AsyncOpenAI, client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["The lease ends ", "in March <sour", "ce_id=1>."]]

    stream = await api.chat.completions.create(model=engine, messages=[QUESTION], stream=True)
    chunks = [chunk async for chunk in stream]

    deltas = [chunk.choices[0].delta for chunk in chunks]
    assert deltas[0].role == "assistant"
    said = "".join(delta.content or "" for delta in deltas)
    assert said == "The lease ends in March [1]."
    (annotation,) = deltas[-1].to_dict()["annotations"]  # type: ignore[misc]
    cited = annotation["url_citation"]
    assert said[cited["start_index"] : cited["end_index"]] == "[1]"
    assert [chunk.choices[0].finish_reason for chunk in chunks] == [None] * (len(chunks) - 1) + [
        "stop"
    ]
    (workflow,) = await client.get(f"/workflows?context_id={chunks[0].id}")
    assert workflow["response"] == "The lease ends in March <source_id=1>."


async def test_accumulated_stream_is_the_whole_message(
    api: AsyncOpenAI, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>", ", yes, in March <source_id=1>."]]

    async with api.chat.completions.stream(model=engine, messages=[QUESTION]) as stream:
        completion = await stream.get_final_completion()

    message = completion.choices[0].message
    assert message.content == "In March [1], yes, in March [1]."
    assert [one.url_citation.start_index for one in message.annotations or ()] == [9, 28]


async def test_tokens_are_told_when_they_are_asked_for(
    api: AsyncOpenAI, services: Services, engine: str
) -> None:
    services.gateway = CountingLLM()

    stream = await api.chat.completions.create(
        model=engine,
        messages=[QUESTION],
        stream=True,
        stream_options={"include_usage": True},
    )
    *others, last = [chunk async for chunk in stream]

    assert (last.choices, [one.usage for one in others]) == ([], [None] * len(others))
    assert last.usage is not None
    assert last.usage.to_dict() == {
        "prompt_tokens": 900,
        "completion_tokens": 7,
        "total_tokens": 907,
    }


@pytest.mark.parametrize(
    ("gateway", "message"),
    [
        pytest.param(
            ScriptedLLM([["The lease ", AnswerFailed("the provider is gone")]]),
            "Failed to process query: the provider is gone",
            id="known",
        ),
        pytest.param(BrokenLLM(), "Internal Server Error", id="unknown"),
    ],
)
async def test_failure_ends_the_stream_and_what_was_said_is_kept(
    api: AsyncOpenAI,
    client: Client,
    engine: str,
    gateway: ScriptedLLM,
    message: str,
) -> None:
    client.services.gateway = gateway

    stream = await api.chat.completions.create(model=engine, messages=[QUESTION], stream=True)
    with pytest.raises(openai.APIError) as raised:
        [chunk async for chunk in stream]

    await all_done(client.services)
    assert raised.value.message == message
    (workflow,) = await client.get("/workflows")
    assert (workflow["response"], workflow["error"]) == ("The lease ", message)


class AwayStore(FileStore):
    """Signs no link."""

    async def presign(self, key: str, seconds: int) -> str | None:
        raise FileStoreAway


async def test_engine_deleted_while_it_answers_is_told_and_nothing_is_kept(
    api: AsyncOpenAI, client: Client, engine: str, caplog: pytest.LogCaptureFixture
) -> None:
    client.services.gateway = DeletingLLM(client=client, engine_id=engine)

    stream = await api.chat.completions.create(model=engine, messages=[QUESTION], stream=True)
    with pytest.raises(openai.APIError, match="knowledge engine not found"):
        _ = [chunk async for chunk in stream]

    await all_done(client.services)
    assert await client.get("/workflows") == []
    assert [one.message for one in caplog.records if one.levelname == "ERROR"] == []


async def test_answer_whose_sources_have_no_address_is_stored_once(
    api: AsyncOpenAI, client: Client, services: Services, llm: ScriptedLLM, tmp_path: Path
) -> None:
    engine = await client.create_engine()
    await client.add(engine, FILES / "lamp-oil.txt")
    llm.answers = [["Lamp oil <source_id=1>."]]
    services.files = AwayStore(tmp_path.as_uri())

    stream = await api.chat.completions.create(model=engine, messages=[QUESTION], stream=True)
    with pytest.raises(openai.APIError, match="the file store does not answer"):
        [chunk async for chunk in stream]

    await all_done(services)
    (workflow,) = await client.get("/workflows")
    assert workflow["response"] == "Lamp oil <source_id=1>."


async def test_client_that_leaves_stops_the_model_and_what_was_said_is_kept(
    api: AsyncOpenAI, client: Client, services: Services, engine: str
) -> None:
    services.gateway = llm = PromptedLLM()
    llm.say("The lease ")

    stream = await api.chat.completions.create(model=engine, messages=[QUESTION], stream=True)
    async for chunk in stream:
        if chunk.choices[0].delta.content:
            break
    await stream.close()
    async with asyncio.timeout(30):
        await llm.was_stopped.wait()

    await all_done(services)
    (workflow,) = await client.get("/workflows")
    assert workflow["response"] == "The lease "
    assert workflow["error"] == "the client closed the stream"


async def test_revoked_key_ends_the_stream_with_an_error(
    api: AsyncOpenAI, client: Client, services: Services, engine: str
) -> None:
    services.gateway = llm = PromptedLLM()
    llm.say("The lease ")

    stream = await api.chat.completions.create(model=engine, messages=[QUESTION], stream=True)
    with pytest.raises(openai.APIError, match="Unauthorized"):
        await _revoke_within(stream, services)

    await asyncio.wait_for(llm.was_stopped.wait(), 30)
    await all_done(services)
    async with services.database.reading() as session:
        (workflow,) = (await session.exec(select(Workflow))).all()
    assert (workflow.response, workflow.error) == ("The lease ", "Unauthorized")


async def _revoke_within(stream: AsyncIterator[Any], services: Services) -> None:
    """Read a stream to its end; the key is revoked at the first word."""
    async for chunk in stream:
        if chunk.choices[0].delta.content:
            await execute(services, "UPDATE api_key SET revoked_at = now()")
