"""Asking a model for fields, by real LiteLLM and Instructor, of a provider that is scripted."""

import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from agents.gateway import LLMGateway
from agents.usage import Usage
from config.errors import ExtractionFailed, PromptTooLong
from extraction.extractor import RETRIES, Answer, Extractor
from extraction.types import FieldType, Habit, RequestedField
from extraction.windows import Piece, Window
from tests.extraction.documents import wanted
from tests.extraction.provider import (
    KEY,
    MODEL,
    calls,
    fails,
    gateway_to,
    provider,
    says,
    token,
)
from tests.openai_server import Die, OpenAIServer, openai_server

TOTAL = wanted("total due", FieldType.CURRENCY)
STATE = wanted("state", FieldType.SINGLE_SELECT, "paid", "open")
PIECE = Piece(0, 0, "ds_1", "bill.pdf", 1, "The total due is 12.50.", 10)
RIGHT = {"field_0": {"value": 12.5, "quote": "The total due is 12.50.", "page": 1, "source": 1}}
WRONG = {"field_0": {"value": "a lot"}, "field_1": {"value": "paid"}}

BY_TOOLS = "deepinfra/meta-llama/Llama-3.3-70B-Instruct-Turbo"
OWN_SERVER = "openai/mine"


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as server:
        yield server


async def test_provider_that_takes_schemas_gets_one() -> None:
    with provider(says(RIGHT)) as scripted:
        answers = await ask(gateway_to())

    assert answers == [Answer(TOTAL, 12.5, "The total due is 12.50.", 0, None)]
    (request,) = scripted.requests
    assert request["response_format"]["type"] == "json_schema"
    form = request["response_format"]["json_schema"]["schema"]
    assert form["properties"]["field_0"]["title"] == "total due"
    assert (request["temperature"], request["max_tokens"]) == (0, 500)


async def test_options_that_python_takes_for_the_same_have_forms_of_their_own() -> None:
    ones = [wanted("is paid", FieldType.SINGLE_SELECT, one) for one in (1, True, 1.0)]

    with provider(says({}), says({}), says({})) as scripted:
        for one in ones:
            await ask(gateway_to(), one)

    forms = [
        request["response_format"]["json_schema"]["schema"]["$defs"]["Choice0"]
        for request in scripted.requests
    ]
    assert [form["properties"]["value"]["anyOf"][0]["enum"] for form in forms] == [
        ["1"],
        ["true"],
        ["1.0"],
    ]


async def test_provider_that_takes_functions_only_gets_one() -> None:
    with provider(calls(RIGHT)) as scripted:
        answers = await ask(gateway_to(BY_TOOLS))

    assert [answer.value for answer in answers] == [12.5]
    (request,) = scripted.requests
    assert request["tools"][0]["function"]["parameters"]["properties"].keys() == {"field_0"}
    assert not {"logprobs", "response_format", "_skip_mcp_handler"} & request.keys()


async def test_own_server_that_refuses_schemas_is_asked_in_words(server: OpenAIServer) -> None:
    with provider(
        fails(400), fails(400), says(f"Here it is:\n```json\n{json.dumps(RIGHT)}\n```")
    ) as scripted:
        gateway = gateway_to(OWN_SERVER, "http://gpu.example/v1")
        extractor = await extractor_of(gateway)
        first = await extractor.ask(window(TOTAL), [Habit()])
        again = await extractor.ask(window(TOTAL), [Habit()])

    assert first == again == [Answer(TOTAL, 12.5, "The total due is 12.50.", 0, None)]
    asked = [(("logprobs" in one), ("response_format" in one)) for one in scripted.requests]
    assert asked == [(True, True), (False, True), (False, False), (False, False)]
    assert '"field_0"' in scripted.requests[-1]["messages"][0]["content"]


async def test_status_422_is_a_refusal_too() -> None:
    with provider(*[fails(422)] * 4, says(RIGHT)):
        answers = await ask(gateway_to(OWN_SERVER, "http://gpu.example/v1"))

    assert [answer.value for answer in answers] == [12.5]


@pytest.mark.parametrize(
    ("model", "answer"), [("openai/gpt-4.1", says), (BY_TOOLS, calls)], ids=["schema", "tools"]
)
async def test_wrong_type_is_corrected_on_the_second_try(model: str, answer: Any) -> None:
    with provider(answer(WRONG), answer(RIGHT)) as scripted:
        answers = await ask(gateway_to(model), TOTAL, STATE)

    assert [(one.field, one.value) for one in answers] == [(TOTAL, 12.5)]
    assert "not an amount of money" in scripted.requests[1]["messages"][-1]["content"]


async def test_of_an_answer_that_stays_wrong_the_right_fields_are_kept() -> None:
    with provider(says(WRONG)) as scripted:
        answers = await ask(gateway_to(), TOTAL, STATE)

    assert [(one.field, one.value) for one in answers] == [(STATE, "paid")]
    assert len(scripted.requests) == 1 + RETRIES


async def test_answer_in_words_to_a_schema_is_asked_for_in_words() -> None:
    garbage = [says("I am a teapot.")] * (1 + RETRIES)
    with provider(*garbage, says(f"```json\n{json.dumps(RIGHT)}\n```")) as scripted:
        answers = await ask(gateway_to())

    assert [answer.value for answer in answers] == [12.5]
    assert "response_format" not in scripted.requests[-1]


@pytest.mark.parametrize("garbage", ["I am a teapot.", "[1, 2]", '{"field_0": ', '"field_0"'])
async def test_garbage_is_a_failure_after_a_bounded_number_of_tries(garbage: str) -> None:
    message = "the model's answer cannot be read"
    with provider(says(garbage)) as scripted, pytest.raises(ExtractionFailed, match=message):
        await ask(gateway_to())

    assert len(scripted.requests) == 2 * (1 + RETRIES)


async def test_refusal_in_words_is_a_failure() -> None:
    refusal = says("")
    message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    refusal = httpx.Response(
        200, json=refusal.json() | {"choices": [{"index": 0, "message": message}]}
    )

    with provider(refusal), pytest.raises(ExtractionFailed):
        await ask(gateway_to(BY_TOOLS))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(says(""), "the model gave an empty answer", id="empty"),
        pytest.param(fails(401), "refused the service's credentials", id="key"),
        pytest.param(fails(429), "limiting the rate of requests", id="rate"),
        pytest.param(fails(500), "the model provider failed", id="fault"),
        pytest.param(fails(404), "does not know the model", id="no such model"),
    ],
)
async def test_failure_is_told_and_never_the_key(
    answer: httpx.Response, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="agents")
    with provider(answer), pytest.raises(ExtractionFailed, match=message) as error:
        await ask(gateway_to())

    assert KEY not in str(error.value)
    assert KEY not in caplog.text


async def test_trouble_of_a_moment_is_overcome() -> None:
    with provider(fails(500), says(RIGHT)):
        assert len(await ask(gateway_to())) == 1


async def test_connection_that_breaks_is_told(server: OpenAIServer) -> None:
    server.scripts = [[Die()]]

    with pytest.raises(ExtractionFailed, match="the model provider cannot be reached"):
        await ask(gateway_to(OWN_SERVER, server.address))


async def test_prompt_that_is_too_long_is_said_to_be() -> None:
    with (
        provider(fails(400, "This model's maximum context length is 10 tokens.")),
        pytest.raises(PromptTooLong),
    ):
        await ask(gateway_to())


async def test_answer_that_is_cut_off_is_asked_for_in_halves() -> None:
    state = {"field_0": {"value": "paid"}}
    with provider(says("{", finish_reason="length"), says(RIGHT), says(state)) as scripted:
        answers = await ask(gateway_to(), TOTAL, STATE)

    assert [(one.field, one.value) for one in answers] == [(TOTAL, 12.5), (STATE, "paid")]
    assert len(scripted.requests) == 3


async def test_field_whose_answer_has_no_end_is_not_found() -> None:
    with provider(says("{", finish_reason="length")) as scripted:
        assert await ask(gateway_to(), TOTAL, STATE) == []

    assert len(scripted.requests) == 3


async def test_log_probabilities_are_those_of_the_value() -> None:
    before, value, behind = '{"field_0": {"value": ', "12.5", "}}"
    tokens = [token(before, -5), token(value, -0.25), token(behind, -5)]
    with provider(says(before + value + behind, tokens=tokens)):
        (answer,) = await ask(gateway_to())

    assert answer.log_probability == -0.25


async def test_what_it_costs_is_noted() -> None:
    usage = Usage()
    with provider(says(WRONG), says(RIGHT)):
        await ask(gateway_to(), usage=usage)

    noted = usage.to_json()
    assert (noted["prompt_tokens"], noted["completion_tokens"]) == (20, 10)
    assert [step["purpose"] for step in noted["steps"]] == ["extract", "extract"]


async def test_fault_of_our_own_is_no_answer_of_the_model() -> None:
    async def broken(**_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Extractor(broken, await gateway_to().output_modes(MODEL), 500).ask(
            window(TOTAL), [Habit()]
        )


def test_functions_are_called_without_the_proxy_of_litellm() -> None:
    program = f"""
import asyncio, sys
from tests.extraction import test_extractor as test
with test.provider(test.calls(test.RIGHT)):
    assert asyncio.run(test.ask(test.gateway_to({BY_TOOLS!r})))
sys.exit("litellm.proxy.proxy_server" in sys.modules)
"""

    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])


async def ask(
    gateway: LLMGateway, *fields: RequestedField, usage: Usage | None = None
) -> list[Answer]:
    extractor = await extractor_of(gateway, usage)
    return await extractor.ask(window(*(fields or (TOTAL,))), [Habit()])


async def extractor_of(gateway: LLMGateway, usage: Usage | None = None) -> Extractor:
    acompletion = gateway.acompletion(MODEL, usage or Usage())
    return Extractor(acompletion, await gateway.output_modes(MODEL), 500)


def window(*fields: RequestedField) -> Window:
    return Window(fields, (PIECE,))
