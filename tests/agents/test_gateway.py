import asyncio
import logging
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import respx

from agents.built_in import NO_ANSWER
from agents.gateway import COMPLETION_TOKENS, LLMGateway
from agents.prompts import render_answer_messages
from agents.usage import Purpose, Usage
from config.errors import AnswerFailed
from config.model_table import BUILT_IN, Deployment, Price
from indexing.embedding import MiniLMEmbedder
from indexing.types import Chunk
from tests.agents.gateways import (
    KEY,
    MESSAGES,
    OPENAI,
    deployment_at,
    gateway_of,
    gateway_to,
    said,
    step_of,
    table_of,
    table_of_two,
    table_to,
)
from tests.fakes import HashEmbedder
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


def test_worker_that_describes_nothing_does_without_litellm() -> None:
    program = "import sys, app.worker; sys.exit('litellm' in sys.modules)"

    subprocess.run([sys.executable, "-c", program], check=True)


def test_installation_without_a_key_answers_without_litellm() -> None:
    program = """
import asyncio, sys
from agents.gateway import LLMGateway
from tests.agents.gateways import said, table_of
from tests.fakes import HashEmbedder
gateway = LLMGateway(table_of(), HashEmbedder().embed)
asyncio.run(gateway.warm_up())
assert asyncio.run(said(gateway, "built-in"))
sys.exit("litellm" in sys.modules)
"""

    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])
