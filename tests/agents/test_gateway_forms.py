"""Structured answers: what an extraction asks a model to fill in."""

from dataclasses import replace

import pytest

from agents.gateway import LLMGateway
from agents.usage import Purpose, Usage
from config.errors import ExtractionFailed, PromptTooLong, RequestRefused
from config.model_table import Deployment, Model
from tests.agents.gateways import KEY, MESSAGES, deployment_at, gateway_of, gateway_to, table_of
from tests.fakes import HashEmbedder
from tests.openai_server import PROMPT_TOKENS, Fail, OpenAIServer, openai_server
from tests.openai_server import Step as ServerStep


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
