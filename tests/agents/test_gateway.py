import asyncio
import base64
import io
import logging
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
import pytest
import respx
from PIL import Image

from agents.built_in import NO_ANSWER
from agents.gateway import COMPLETION_TOKENS, LLMGateway
from agents.prompts import Message, render_answer_messages
from agents.usage import Purpose, Step, Usage
from config.errors import AnswerFailed, ExtractionFailed, PromptTooLong, RequestRefused
from config.model_table import BUILT_IN, AutoRule, Deployment, Model, ModelTable, Price
from indexing.drawing import FigureMaker
from indexing.embedding import MiniLMEmbedder
from indexing.figures import DescriptionFailed, FigureDescriber
from indexing.types import Block, BlockKind, Chunk, Figure, Page
from tests.fakes import HashEmbedder
from tests.files.make_files import draw_chart
from tests.openai_server import (
    PROMPT_TOKENS,
    Die,
    Fail,
    Hang,
    OpenAIServer,
    Stop,
    Wait,
    openai_server,
    sse_lines,
)
from tests.openai_server import Step as ServerStep

KEY = "sk-secret-of-the-test"
OPENAI = "https://api.openai.com/v1/chat/completions"
pytestmark = pytest.mark.filterwarnings(
    # LiteLLM looks at every attribute of the part of a stream that has the counts of tokens.
    "ignore:Accessing the 'model_(computed_)?fields' attribute:DeprecationWarning"
)

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

    await words.aclose()


async def test_listener_that_goes_away_stops_the_provider(server: OpenAIServer) -> None:
    server.scripts = [["In ", Hang()]]
    words = gateway_to(server).stream("delta-4.1", MESSAGES)
    await anext(words)

    await words.aclose()

    await asyncio.wait_for(server.caller_went_away.wait(), timeout=1)


async def test_listener_that_goes_away_before_the_first_word_stops_the_provider(
    server: OpenAIServer,
) -> None:
    server.scripts = [[Hang()]]
    listening = asyncio.create_task(said(gateway_to(server)))
    await server.was_asked.wait()

    listening.cancel()

    await asyncio.wait_for(server.caller_went_away.wait(), timeout=1)


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
        server.scripts, second.scripts = [["In ", Wait(0.05), Die()]], [["No!"]]
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


async def test_provider_is_asked_again_when_it_says_so(server: OpenAIServer) -> None:
    server.scripts = [[Fail(429, retry_after="0.1")], ["In March."]]

    assert await said(gateway_to(server)) == ["In March."]


@pytest.mark.parametrize("retry_after", ["60", "Fri, 01 Jan 2100 00:00:00 GMT"])
async def test_nobody_is_kept_waiting_for_a_retry_that_is_far_off(
    server: OpenAIServer, retry_after: str
) -> None:
    server.scripts = [[Fail(429, retry_after=retry_after)]]

    with pytest.raises(AnswerFailed, match="limiting the rate of requests"):
        await said(gateway_to(server))

    assert len(server.requests) == 1


@pytest.mark.parametrize("retry_after", ["soon", "nan", "-1"])
async def test_wait_that_is_no_time_is_a_short_one(server: OpenAIServer, retry_after: str) -> None:
    server.scripts = [[Fail(429, retry_after=retry_after)], ["In March."]]

    assert await said(gateway_to(server)) == ["In March."]


async def test_deployment_that_has_failed_is_passed_over_for_a_while(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[Fail(401)]], [["In March."]]
        gateway = gateway_to(server, second)

        answers = [await said(gateway) for _ in range(3)]

    assert answers == [["In March."]] * 3
    assert (len(server.requests), len(second.requests)) == (1, 3)


async def test_deployment_that_has_failed_is_asked_where_there_is_no_other(
    server: OpenAIServer,
) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[Fail(401)], ["In March."]], [[Fail(404)]]
        gateway = gateway_to(server, second)
        with pytest.raises(AnswerFailed):
            await said(gateway)

        assert await said(gateway) == ["In March."]


async def test_deployments_with_weights_share_the_questions(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [["First."]], [["Second."]]
        gateway = gateway_of(
            replace(deployment_at(server), weight=1),
            replace(deployment_at(second), weight=1_000_000),
        )

        assert await said(gateway) == ["Second."]

        second.scripts = [[Fail(500)]]
        assert await said(gateway) == ["First."]


async def test_model_counts_as_failing_until_it_answers(server: OpenAIServer) -> None:
    server.scripts = [[Fail(401)], ["In March."]]
    gateway = gateway_to(server)
    assert gateway.failing() == set()

    with pytest.raises(AnswerFailed):
        await said(gateway)
    assert gateway.failing() == {"delta-4.1"}

    await said(gateway)
    assert gateway.failing() == set()


async def test_question_that_is_refused_makes_no_model_fail(server: OpenAIServer) -> None:
    server.scripts = [[Fail(400)]]
    gateway = gateway_to(server)

    with pytest.raises(AnswerFailed):
        await said(gateway)

    assert gateway.failing() == set()


async def test_alternative_answers_where_the_model_fails(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[Fail(401)]], [["In March."]]
        gateway = LLMGateway(table_of_two(server, second), HashEmbedder().embed)
        usage = Usage()

        stream = gateway.stream("delta-4.1", MESSAGES, usage, alternatives=["gamma-2.5"])
        words = [word async for word in stream]

    assert words == ["In March."]
    assert usage.answered_by == "gamma-2.5"
    assert [(step.model, step.deployment, step.error is None) for step in usage.steps] == [
        ("delta-4.1", "openai/m", False),
        ("gamma-2.5", "openai/m", True),
    ]


async def test_after_the_first_word_there_is_no_alternative(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [["In ", Wait(0.05), Die()]], [["No!"]]
        gateway = LLMGateway(table_of_two(server, second), HashEmbedder().embed)
        words = gateway.stream("delta-4.1", MESSAGES, alternatives=["gamma-2.5"])
        await anext(words)

        with pytest.raises(AnswerFailed, match="cannot be reached"):
            await anext(words)

    assert second.requests == []


async def test_built_in_answerer_can_be_the_alternative(
    server: OpenAIServer, embedder: MiniLMEmbedder
) -> None:
    server.scripts = [[Fail(401)]]
    gateway = LLMGateway(table_to(server), embedder.embed)
    messages = render_answer_messages("Who is Ann?", [], [])

    words = gateway.stream("delta-4.1", messages, alternatives=[BUILT_IN])

    assert [word async for word in words] == [NO_ANSWER]


async def test_tokens_are_those_the_provider_counts(server: OpenAIServer) -> None:
    server.scripts = [["In ", "March."]]
    deployment = replace(deployment_at(server), price=Price(input=2, output=8))

    step = await step_of(gateway_of(deployment))

    assert (step.prompt_tokens, step.completion_tokens) == (PROMPT_TOKENS, 2)
    assert not step.is_estimated
    assert step.price_usd == pytest.approx((2 * PROMPT_TOKENS + 8 * 2) / 1_000_000)
    assert (step.model, step.deployment) == ("delta-4.1", "openai/m")
    assert step.first_word_seconds is not None
    assert 0 < step.first_word_seconds <= step.seconds


async def test_tokens_that_nobody_counts_are_marked_as_estimates(server: OpenAIServer) -> None:
    server.scripts, server.counts_tokens = [["In ", "March."]], False

    step = await step_of(gateway_to(server))

    assert step.is_estimated
    assert step.prompt_tokens > 0
    assert step.completion_tokens > 0


async def test_tokens_of_an_answer_that_broke_off_are_estimated(server: OpenAIServer) -> None:
    server.scripts = [["In ", "March ", Stop()]]
    usage = Usage()

    with pytest.raises(AnswerFailed, match="broke the answer off"):
        await said(gateway_to(server), usage=usage)

    (step,) = usage.steps
    assert (step.is_estimated, step.error) == (True, "the model provider broke the answer off")
    assert step.completion_tokens > 0


async def test_listener_that_goes_away_leaves_a_step_behind(server: OpenAIServer) -> None:
    server.scripts = [["In ", Hang()]]
    usage = Usage()
    words = gateway_to(server).stream("delta-4.1", MESSAGES, usage)
    await anext(words)

    await words.aclose()

    assert usage.answered_by == "delta-4.1"
    assert usage.steps[0].is_estimated


@pytest.mark.parametrize(
    ("model", "is_known"),
    [pytest.param("openai/gpt-4.1", True, id="listed"), pytest.param("openai/m", False, id="not")],
)
async def test_price_that_the_file_does_not_give_is_that_of_the_list(
    server: OpenAIServer, model: str, is_known: bool
) -> None:
    server.scripts = [["In March."]]

    step = await step_of(gateway_of(replace(deployment_at(server), model=model)))

    assert (step.price_usd is not None and step.price_usd > 0) == is_known


async def test_text_for_the_service_itself_is_short_and_the_same_each_time(
    server: OpenAIServer,
) -> None:
    server.scripts = [["When does ", "the lease end?\0"]]
    usage = Usage()

    text = await gateway_to(server).complete("delta-4.1", MESSAGES, usage, purpose=Purpose.REWRITE)

    assert text == "When does the lease end?"
    (request,) = server.requests
    assert request["temperature"] == 0
    assert request["max_tokens"] == COMPLETION_TOKENS
    (step,) = usage.steps
    assert (step.purpose, step.prompt_tokens) == (Purpose.REWRITE, PROMPT_TOKENS)


async def test_text_for_the_service_comes_from_the_next_deployment_where_one_fails(
    server: OpenAIServer,
) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[]], [["When?"]]

        text = await gateway_to(server, second).complete(
            "delta-4.1", MESSAGES, purpose=Purpose.JUDGE
        )

    assert text == "When?"


async def test_text_that_no_deployment_writes_is_a_failure(server: OpenAIServer) -> None:
    server.scripts = [[Fail(401)]]

    with pytest.raises(AnswerFailed, match="refused the service's credentials"):
        await gateway_to(server).complete("delta-4.1", MESSAGES, purpose=Purpose.JUDGE)


async def test_other_table_is_used_from_the_next_question_on(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [["First", Wait(0.05), "."]], [["Second."]]
        gateway = gateway_to(server)
        words = gateway.stream("delta-4.1", MESSAGES)
        begun = await anext(words)

        gateway.use(table_to(second))

        assert await said(gateway) == ["Second."]
        assert begun + "".join([word async for word in words]) == "First."


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
async def test_page_of_a_proxy_is_no_answer() -> None:
    respx.post(OPENAI).respond(html="<html>Please log in</html>")
    gateway = LLMGateway(table_of(Deployment("openai/gpt-4.1", KEY, "", 5)), HashEmbedder().embed)

    with pytest.raises(AnswerFailed, match="the model gave an empty answer"):
        await said(gateway)


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

    ours = [record.message for record in caplog.records if record.name == "agents.providers"]
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
    server: OpenAIServer, script: list[ServerStep], detail: str, caplog: pytest.LogCaptureFixture
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


def test_installation_without_a_key_answers_without_litellm() -> None:
    program = """
import asyncio, sys
from tests.agents.test_gateway import LLMGateway, HashEmbedder, said, table_of
gateway = LLMGateway(table_of(), HashEmbedder().embed)
asyncio.run(gateway.warm_up())
assert asyncio.run(said(gateway, "built-in"))
sys.exit("litellm" in sys.modules)
"""

    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])


async def test_structured_answer_is_the_response_of_litellm(server: OpenAIServer) -> None:
    server.scripts = [['{"a": 1}']]
    usage = Usage()
    ask = gateway_to(server).acompletion("delta-4.1", usage)

    response = await ask(messages=MESSAGES, response_format={"type": "json_object"}, max_tokens=9)

    assert response.choices[0].message.content == '{"a": 1}'
    (request,) = server.requests
    assert (request["response_format"], request["max_tokens"]) == ({"type": "json_object"}, 9)
    (step,) = usage.steps
    assert (step.purpose, step.prompt_tokens) == (Purpose.EXTRACT, PROMPT_TOKENS)


async def test_next_deployment_fills_in_the_form_where_the_first_fails(
    server: OpenAIServer,
) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[Fail(401)]], [["{}"]]
        ask = gateway_to(server, second).acompletion("delta-4.1", Usage())

        answers = [await ask(messages=MESSAGES) for _ in range(2)]

    assert [answer.choices[0].message.content for answer in answers] == ["{}", "{}"]
    assert (len(server.requests), len(second.requests)) == (1, 2)


@pytest.mark.parametrize(
    ("step", "kind", "message"),
    [
        pytest.param(Fail(400), RequestRefused, "rejected the request", id="refused"),
        pytest.param(Fail(422), RequestRefused, "failed", id="refused with 422"),
        pytest.param(
            Fail(400, message="This model's maximum context length is 9 tokens."),
            PromptTooLong,
            "too long for the model",
            id="too long",
        ),
        pytest.param(Fail(500), ExtractionFailed, "the model provider failed", id="fault"),
        pytest.param(Fail(401), ExtractionFailed, "refused the service's credentials", id="key"),
        pytest.param("", ExtractionFailed, "an empty answer", id="empty"),
    ],
)
async def test_failure_of_a_structured_answer_says_what_can_be_done(
    server: OpenAIServer, step: ServerStep, kind: type[ExtractionFailed], message: str
) -> None:
    server.scripts = [[step]]
    ask = gateway_to(server).acompletion("delta-4.1", Usage())

    with pytest.raises(ExtractionFailed, match=message) as error:
        await ask(messages=MESSAGES)

    assert type(error.value) is kind
    assert KEY not in str(error.value)


async def test_model_that_is_gone_from_the_table_answers_nothing() -> None:
    with pytest.raises(ExtractionFailed, match="the model has no deployment"):
        await gateway_of().acompletion("delta-4.1", Usage())(messages=MESSAGES)


async def test_model_for_extraction_has_deployments_too(server: OpenAIServer) -> None:
    server.scripts = [["{}"]]
    extracting = Model("gamma-1.5-pro", "Gamma 1.5 Pro", (deployment_at(server),))
    table = replace(table_of(), extraction_models={"gamma-1.5-pro": extracting})
    gateway = LLMGateway(table, HashEmbedder().embed)

    assert await gateway.acompletion("gamma-1.5-pro", Usage())(messages=MESSAGES)


@pytest.mark.parametrize(
    ("model", "modes"),
    [
        pytest.param("openai/gpt-4.1", ["json_schema", "json"], id="takes schemas"),
        pytest.param(
            "deepinfra/meta-llama/Llama-3.3-70B-Instruct-Turbo",
            ["tools", "json"],
            id="takes functions only",
        ),
        pytest.param("openai/my-own", ["json_schema", "json"], id="nobody knows"),
    ],
)
async def test_form_of_an_answer_is_asked_for_as_the_first_deployment_takes_it(
    model: str, modes: list[str]
) -> None:
    gateway = gateway_of(Deployment(model, KEY, "", 5), Deployment("openai/other", KEY, "", 5))

    assert list(await gateway.output_modes("delta-4.1")) == modes


async def said(
    gateway: LLMGateway,
    model: str = "delta-4.1",
    messages: list[Message] = MESSAGES,
    usage: Usage | None = None,
) -> list[str]:
    return [word async for word in gateway.stream(model, messages, usage)]


async def step_of(gateway: LLMGateway) -> Step:
    """Ask a question, and return the one step of its answer."""
    usage = Usage()
    await said(gateway, usage=usage)
    (step,) = usage.steps
    return step


def gateway_to(*servers: OpenAIServer) -> LLMGateway:
    """Return a gateway whose `delta-4.1` has these servers for its deployments."""
    return gateway_of(*map(deployment_at, servers))


def gateway_of(*deployments: Deployment) -> LLMGateway:
    return LLMGateway(table_of(*deployments), HashEmbedder().embed, "delta-4.1")


def deployment_at(server: OpenAIServer) -> Deployment:
    return Deployment("openai/m", KEY, server.address, 1.0)


def table_to(*servers: OpenAIServer) -> ModelTable:
    return table_of(*map(deployment_at, servers))


def table_of(*deployments: Deployment) -> ModelTable:
    model = Model("delta-4.1", "Delta 4.1", deployments)
    return ModelTable({"delta-4.1": model}, {AutoRule.STANDARD: ("delta-4.1",)})


def table_of_two(first: OpenAIServer, second: OpenAIServer) -> ModelTable:
    """Return a table whose `delta-4.1` is the first server, and `gamma-2.5` the second."""
    servers = {"delta-4.1": first, "gamma-2.5": second}
    models = {name: Model(name, name, (deployment_at(one),)) for name, one in servers.items()}
    return ModelTable(models, {AutoRule.STANDARD: ("delta-4.1",)})


def chart() -> bytes:
    return FigureMaker().make(np.asarray(draw_chart())[:, :, ::-1])
