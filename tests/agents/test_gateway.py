import asyncio
import base64
import io
import logging
import subprocess
import sys
import time
from collections.abc import AsyncIterator

import httpx
import numpy as np
import pytest
import respx
from PIL import Image

from agents.built_in import NO_ANSWER
from agents.gateway import LLMGateway
from agents.prompts import Message, render_answer_messages
from config.errors import AnswerFailed
from config.model_table import BUILT_IN, Deployment, Model, ModelTable
from indexing.drawing import FigureMaker
from indexing.embedding import MiniLMEmbedder
from indexing.figures import DescriptionFailed, FigureDescriber
from indexing.types import Block, BlockKind, Chunk, Figure, Page
from tests.fakes import HashEmbedder
from tests.files.make_files import draw_chart
from tests.openai_server import Die, Fail, Hang, OpenAIServer, Step, openai_server, sse_lines

KEY = "sk-secret-of-the-test"
OPENAI = "https://api.openai.com/v1/chat/completions"
MESSAGES = [Message(role="user", content="When does the lease end?")]


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as server:
        yield server


async def test_words_stream_as_the_model_says_them(server: OpenAIServer) -> None:
    server.scripts = [["In ", "March", " 2024."]]

    words = await said(gateway_to(server))

    assert words == ["In ", "March", " 2024."]
    (request,) = server.requests
    assert (request["model"], request["stream"]) == ("m", True)
    assert request["messages"] == MESSAGES
    assert server.keys == [KEY]


async def test_words_come_before_the_model_has_finished(server: OpenAIServer) -> None:
    server.scripts = [["In ", Hang()]]
    words = gateway_to(server).stream("delta-4.1", MESSAGES)

    assert await asyncio.wait_for(anext(words), timeout=30) == "In "

    await words.aclose()  # type: ignore[attr-defined]  # a generator


async def test_listener_that_goes_away_stops_the_provider(server: OpenAIServer) -> None:
    server.scripts = [["In ", Hang()]]
    words = gateway_to(server).stream("delta-4.1", MESSAGES)
    await anext(words)

    await words.aclose()  # type: ignore[attr-defined]  # a generator

    await asyncio.wait_for(server.caller_went_away.wait(), timeout=1)


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        pytest.param([Fail(401)], "the model provider refused the service's credentials", id="401"),
        pytest.param([Fail(404)], "the model provider does not know the model", id="404"),
        pytest.param([Fail(400)], "the model provider rejected the request", id="400"),
        pytest.param([Fail(422)], "the model provider failed", id="422"),
        pytest.param([Fail(429)], "the model provider is limiting the rate of requests", id="429"),
        pytest.param([Fail(500)], "the model provider failed", id="500"),
        pytest.param([Hang()], "the model provider did not answer in time", id="hangs"),
        pytest.param([Die()], "the model provider cannot be reached", id="dies"),
    ],
)
async def test_failure_is_told_in_plain_words_without_the_key(
    server: OpenAIServer, script: list[Step], detail: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.scripts = [script]

    with pytest.raises(AnswerFailed) as error:
        await said(gateway_to(server))

    assert error.value.message == f"Failed to process query: {detail}"
    assert KEY not in caplog.text


async def test_provider_that_cannot_be_reached_is_told() -> None:
    nowhere = OpenAIServer(address="http://127.0.0.1:1/v1")

    with pytest.raises(AnswerFailed, match="the model provider cannot be reached"):
        await said(gateway_to(nowhere))


async def test_next_deployment_answers_where_the_first_fails(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[Fail(404)]], [["In ", "March."]]

        words = await said(gateway_to(server, second))

    assert words == ["In ", "March."]


async def test_after_the_first_word_no_other_deployment_is_asked(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [["In ", Die()]], [["No!"]]
        words = gateway_to(server, second).stream("delta-4.1", MESSAGES)
        first = await anext(words)

        with pytest.raises(AnswerFailed, match="the model provider cannot be reached"):
            await anext(words)

    assert first == "In "
    assert second.requests == []


async def test_failure_of_all_deployments_is_that_of_the_last(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[Fail(404)]], [[Fail(401)]]

        with pytest.raises(AnswerFailed, match="refused the service's credentials"):
            await said(gateway_to(server, second))


async def test_trouble_of_a_moment_is_overcome(server: OpenAIServer) -> None:
    server.scripts = [[Fail(500)], ["In March."]]

    assert await said(gateway_to(server)) == ["In March."]


async def test_provider_that_falls_silent_is_given_up_in_time(server: OpenAIServer) -> None:
    server.scripts = [["In ", Hang()]]
    begun = time.monotonic()

    with pytest.raises(AnswerFailed, match="the model provider did not answer in time"):
        await said(gateway_to(server))

    assert time.monotonic() - begun < 5


async def test_failure_says_the_same_when_it_is_repeated(server: OpenAIServer) -> None:
    server.scripts = [[Fail(401)]]
    gateway = gateway_to(server)

    for _ in range(3):
        with pytest.raises(AnswerFailed, match="refused the service's credentials"):
            await said(gateway)


async def test_provider_answers_again_as_soon_as_it_can(server: OpenAIServer) -> None:
    server.scripts = [[Fail(404)], ["In March."]]
    gateway = gateway_to(server)

    with pytest.raises(AnswerFailed):
        await said(gateway)

    assert await said(gateway) == ["In March."]


@respx.mock
async def test_provider_of_the_table_is_called_at_its_own_address() -> None:
    route = respx.post(OPENAI).respond(
        content=b"".join(sse_lines(["In ", "March."])),
        headers={"Content-Type": "text/event-stream"},
    )
    gateway = LLMGateway(table_of(Deployment("openai/gpt-4.1", KEY, "", 5)), HashEmbedder().embed)

    assert await said(gateway) == ["In ", "March."]

    assert route.calls.last.request.headers["Authorization"] == f"Bearer {KEY}"


@respx.mock
async def test_page_of_a_proxy_says_nothing() -> None:
    respx.post(OPENAI).respond(html="<html>Please log in</html>")
    gateway = LLMGateway(table_of(Deployment("openai/gpt-4.1", KEY, "", 5)), HashEmbedder().embed)

    assert await said(gateway) == []


async def test_built_in_answerer_takes_the_same_road(embedder: MiniLMEmbedder) -> None:
    gateway = LLMGateway(table_of(), embedder.embed)
    chunk = Chunk("ds_1_0", "ds_1", "lease.pdf", 1, "The lease ends on 31 March 2024.")

    words = await said(
        gateway, BUILT_IN, render_answer_messages("When does the lease end?", [chunk], [])
    )

    assert "".join(words) == "The lease ends on 31 March 2024. <source_id=1>"


async def test_built_in_answerer_admits_that_it_knows_nothing(embedder: MiniLMEmbedder) -> None:
    gateway = LLMGateway(table_of(), embedder.embed)

    words = await said(gateway, BUILT_IN, render_answer_messages("Who is Ann?", [], []))

    assert words == [NO_ANSWER]


async def test_gateways_do_not_disturb_each_other(
    server: OpenAIServer, embedder: MiniLMEmbedder
) -> None:
    server.scripts = [["In March."]]
    gateways = [gateway_to(server) for _ in range(3)]

    words = await asyncio.gather(*(said(gateway) for gateway in gateways))

    assert words == [["In March."]] * 3


async def test_failure_is_logged_by_its_kind_only(
    server: OpenAIServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.scripts = [[Fail(401)]]

    with caplog.at_level(logging.DEBUG), pytest.raises(AnswerFailed):
        await said(gateway_to(server))

    ours = [record.message for record in caplog.records if record.name == "agents.gateway"]
    assert ours == ["delta-4.1#1 failed: AuthenticationError"]
    assert KEY not in caplog.text


async def test_model_is_sent_the_picture_and_the_words_around_it(server: OpenAIServer) -> None:
    server.scripts = [["A chart of bars."]]
    page = Page(3, (Block(BlockKind.HEADING, "Sales"),), figures=(Figure(1, chart()),))

    described = await FigureDescriber(gateway_to(server).describe).describe(page)

    (request,) = server.requests
    words, picture = request["messages"][1]["content"]
    kind, _, image = picture["image_url"]["url"].partition(",")
    assert kind == "data:image/jpeg;base64"
    assert Image.open(io.BytesIO(base64.b64decode(image))).size == (640, 420)
    assert "Sales" in words["text"]
    assert described.blocks[1] == Block(BlockKind.TEXT, "Figure: A chart of bars.")


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        pytest.param([Fail(401)], "the model provider refused the service's credentials", id="401"),
        pytest.param([Fail(400)], "the model provider rejected the request", id="400"),
        pytest.param([Fail(422)], "the model provider failed", id="422"),
        pytest.param([Fail(500)], "the model provider failed", id="500"),
    ],
)
async def test_figure_that_is_not_described_is_told_on_its_page_without_the_key(
    server: OpenAIServer, script: list[Step], detail: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.scripts = [script]
    words = Block(BlockKind.TEXT, "Jan Feb Mar")

    page = await FigureDescriber(gateway_to(server).describe).describe(
        Page(3, (words,), figures=(Figure(0, chart()),))
    )

    assert page.blocks == (words,)
    assert page.warning == f"the figure on page 3 was not described: {detail}"
    assert KEY not in caplog.text


@respx.mock
async def test_vision_provider_that_hangs_is_told() -> None:
    respx.post(OPENAI).mock(side_effect=httpx.ReadTimeout("late"))
    table = table_of(Deployment("openai/gpt-4.1", KEY, "", 5))
    gateway = LLMGateway(table, HashEmbedder().embed, "delta-4.1")

    with pytest.raises(DescriptionFailed, match="the model provider did not answer in time"):
        await gateway.describe(chart(), "")


@respx.mock
async def test_page_of_a_proxy_is_no_description() -> None:
    respx.post(OPENAI).respond(html="<html>Please log in</html>")
    table = table_of(Deployment("openai/gpt-4.1", KEY, "", 5))
    gateway = LLMGateway(table, HashEmbedder().embed, "delta-4.1")

    with pytest.raises(DescriptionFailed, match="the model provider failed"):
        await gateway.describe(chart(), "")


async def test_next_deployment_describes_where_the_first_fails(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[Fail(404)]], [["A chart."]]

        assert await gateway_to(server, second).describe(chart(), "") == "A chart."


async def test_trouble_of_a_moment_does_not_cost_a_description(server: OpenAIServer) -> None:
    server.scripts = [[Fail(500)], ["A chart."]]

    assert await gateway_to(server).describe(chart(), "") == "A chart."


async def test_without_a_vision_model_nothing_is_sent(server: OpenAIServer) -> None:
    gateway = LLMGateway(table_to(server), HashEmbedder().embed)

    with pytest.raises(DescriptionFailed, match="no vision model is set"):
        await gateway.describe(chart(), "")

    assert server.requests == []


def test_worker_that_describes_nothing_does_without_litellm() -> None:
    program = "import sys, app.worker; sys.exit('litellm' in sys.modules)"

    subprocess.run([sys.executable, "-c", program], check=True)


async def said(
    gateway: LLMGateway, model: str = "delta-4.1", messages: list[Message] = MESSAGES
) -> list[str]:
    return [word async for word in gateway.stream(model, messages)]


def gateway_to(*servers: OpenAIServer) -> LLMGateway:
    """Return a gateway whose `delta-4.1` has these servers for its deployments."""
    return LLMGateway(table_to(*servers), HashEmbedder().embed, "delta-4.1")


def table_to(*servers: OpenAIServer) -> ModelTable:
    return table_of(*(Deployment("openai/m", KEY, server.address, 1.0) for server in servers))


def table_of(*deployments: Deployment) -> ModelTable:
    model = Model("delta-4.1", "Delta 4.1", deployments)
    return ModelTable({"delta-4.1": model}, ("delta-4.1",), ("delta-4.1",))


def chart() -> bytes:
    return FigureMaker().make(np.asarray(draw_chart())[:, :, ::-1])
