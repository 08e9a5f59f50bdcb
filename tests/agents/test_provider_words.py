import asyncio
from collections.abc import AsyncIterator

import pytest

from agents.gateway import LLMGateway
from agents.prompts import Message
from agents.usage import Step, Usage
from config.errors import AnswerFailed
from config.model_table import AutoRule, Deployment, Model, ModelTable
from tests.fakes import HashEmbedder
from tests.openai_server import (
    PROMPT_TOKENS,
    Die,
    Garbage,
    Hang,
    OpenAIServer,
    Stop,
    Wait,
    openai_server,
)

BEHIND_LITELLM = "hosted_vllm/m"
"""A model whose streams are read through LiteLLM."""

pytestmark = [
    pytest.mark.parametrize("model", ["openai/m", BEHIND_LITELLM]),
    pytest.mark.filterwarnings(
        # LiteLLM's import: pydantic looks at types whose fields only say that they are read-only.
        "ignore:Items? '.*' on TypedDict class:UserWarning",
        # LiteLLM looks at every attribute of the part of a stream that has the counts of tokens.
        "ignore:Accessing the 'model_(computed_)?fields' attribute:DeprecationWarning",
    ),
]

MESSAGES = [Message(role="user", content="When does the lease end?")]

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
END = 'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}'
COUNT = '"usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}'


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as server:
        yield server


async def test_words_come_with_the_tokens_that_the_provider_counts(
    server: OpenAIServer, model: str
) -> None:
    server.scripts = [["In ", "March", " 2024."]]

    words, step = await answer_of(model, server.address)

    assert words == ["In ", "March", " 2024."]
    assert (step.prompt_tokens, step.completion_tokens) == (PROMPT_TOKENS, 3)
    assert not step.is_estimated


async def test_tokens_are_estimated_where_the_provider_counts_none(
    server: OpenAIServer, model: str
) -> None:
    server.scripts, server.counts_tokens = [["In ", "March."]], False

    words, step = await answer_of(model, server.address)

    assert words == ["In ", "March."]
    assert step.is_estimated
    assert min(step.prompt_tokens, step.completion_tokens) > 0


async def test_words_come_one_by_one_and_who_leaves_stops_the_provider(
    server: OpenAIServer, model: str
) -> None:
    server.scripts = [["In ", Hang()]]
    words = gateway_to(model, server.address).stream("delta-4.1", MESSAGES)

    assert await asyncio.wait_for(anext(words), timeout=30) == "In "

    await words.aclose()
    await asyncio.wait_for(server.caller_went_away.wait(), timeout=1)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        pytest.param(Stop(), "the model provider broke the answer off", id="half a stream"),
        pytest.param(Die(), "the model provider cannot be reached", id="reset"),
        pytest.param(Hang(), "the model provider did not answer in time", id="silence"),
        pytest.param(
            Garbage('{"error": {"message": "x"}}'), "the model provider failed", id="error"
        ),
    ],
)
async def test_answer_that_breaks_off_fails_behind_its_words(
    server: OpenAIServer, model: str, fault: Stop | Die | Hang | Garbage, words: str
) -> None:
    server.scripts = [["In ", "March ", Wait(0.05), fault]]
    said: list[str] = []

    with pytest.raises(AnswerFailed) as failure:
        await listen(gateway_to(model, server.address), said)

    assert "".join(said).split() == ["In", "March"]
    assert str(failure.value) == f"Failed to process query: {words}"


async def test_model_that_says_the_same_for_ever_is_given_up(
    server: OpenAIServer, model: str
) -> None:
    server.scripts = [["no "] * 200]
    said: list[str] = []

    with pytest.raises(AnswerFailed, match="the model provider failed"):
        await listen(gateway_to(model, server.address), said)

    assert said == ["no "] * 100


async def test_stream_reads_the_same_however_it_is_cut_and_written(model: str) -> None:
    lines = [
        ": a comment",
        'data: {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}',
        'data:{"choices": [{"index": 0, "delta": {"content": "März "}}]}',
        'data: {"choices": [{"index": 0, "delta": {"content": null}}]}',
        'data: {"choices": [{"index": 0, "delta": {"content": "2024."}}]}',
        END,
        f'data: {{"choices": [], {COUNT}}}',
        "data: [DONE]",
    ]

    words, step = await answer_to("".join(f"{line}\r\n\r\n" for line in lines), model)

    assert words == ["März ", "2024."]
    assert (step.prompt_tokens, step.completion_tokens, step.is_estimated) == (7, 3, False)


async def test_whole_answer_needs_no_goodbye(model: str) -> None:
    said = 'data: {"choices": [{"index": 0, "delta": {"content": "In March."}}]}'

    words, step = await answer_to(f"{said}\n\n{END[:-1]}, {COUNT}}}\n\n", model)

    assert (words, step.error) == (["In March."], None)


async def listen(gateway: LLMGateway, said: list[str]) -> None:
    """Put down the words of an answer, also where it breaks off."""
    async for word in gateway.stream("delta-4.1", MESSAGES):
        said.append(word)


async def answer_to(stream: str, model: str) -> tuple[list[str], Step]:
    """Return what is read of an answer that comes a few bytes at a time."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD)
        content = stream.encode()
        for at in range(0, len(content), 11):
            writer.write(content[at : at + 11])
            await asyncio.sleep(0.001)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        host, port = listening.sockets[0].getsockname()
        return await answer_of(model, f"http://{host}:{port}/v1")


async def answer_of(model: str, address: str) -> tuple[list[str], Step]:
    usage = Usage()
    gateway = gateway_to(model, address)
    words = [word async for word in gateway.stream("delta-4.1", MESSAGES, usage)]
    (step,) = usage.steps
    return words, step


def gateway_to(model: str, address: str) -> LLMGateway:
    deployment = Deployment(model, "sk-of-the-test", address, 1.0)
    models = {"delta-4.1": Model("delta-4.1", "Delta 4.1", (deployment,))}
    table = ModelTable(models, {AutoRule.STANDARD: ("delta-4.1",)})
    return LLMGateway(table, HashEmbedder().embed)
