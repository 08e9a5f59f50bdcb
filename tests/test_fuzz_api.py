"""The endpoints under what schemathesis makes of their description.

`scripts/fuzz` tries more of the same.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

import pytest
import schemathesis
from hypothesis import given
from quart import Quart
from requests import Request
from schemathesis import APIOperation, Case, CheckContext, GenerationMode, Response
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    ensure_resource_availability,
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
    use_after_free,
)

from tests.client import Client
from tests.fuzzing.asgi import send
from tests.fuzzing.rounds import tries
from tests.fuzzing.talkative_llm import TalkativeLLM
from tests.fuzzing.world import furnish, meet, meet_in_body

AnyCase = Case[Any]
Operation = APIOperation[Any, Any, Any, Any]
Call = Callable[[AnyCase], Response]

CASES = 3
"""How many requests of each kind are sent to an endpoint in the slice."""

LEFT_OUT = [
    # A request that fits its description may still name an engine that is not there.
    positive_data_acceptance,
    # They send requests of their own, past the application under test; keys and deleted things
    # have tests of their own.
    ignored_auth,
    use_after_free,
    ensure_resource_availability,
]

pytestmark = pytest.mark.usefixtures("without_a_key")


@pytest.fixture
def llm() -> TalkativeLLM:
    return TalkativeLLM()


async def test_endpoints_hold_what_their_description_says(app: Quart, client: Client) -> None:
    document = await (await client.call("GET", "/openapi.json")).get_json()
    world = await furnish(client)
    loop = asyncio.get_running_loop()

    def call(case: AnyCase) -> Response:
        parts = case.as_transport_kwargs(base_url="http://localhost")
        request = Request(**_of_requests(parts)).prepare()
        request.headers["Authorization"] = f"Bearer {client.key}"
        return asyncio.run_coroutine_threadsafe(send(app, request), loop).result()

    # Hypothesis is synchronous, and what it tries runs in the loop that the services belong to.
    failures = await asyncio.to_thread(fuzz, document, world, call)

    assert not failures, "\n\n".join(failures)


def fuzz(document: Mapping[str, Any], world: dict[str, Any], call: Call) -> list[str]:
    """Try every operation, those that delete last, and return what was found to be wrong."""
    schema = schemathesis.openapi.from_dict(dict(document))
    operations = [result.ok() for result in schema.get_all_operations()]
    failures = []
    for operation in sorted(operations, key=lambda one: one.method.upper() == "DELETE"):
        for kind in _kinds(operation):
            try:
                _try(operation, kind, world, call)
            except (ExceptionGroup, FailureGroup, AssertionError) as error:
                failures.append(f"{operation.label}, {kind}: {_told(error)}")
    return failures


class Kind(StrEnum):
    """What a request is made of."""

    MEETING = "right, about what is there"
    RIGHT = "right, about anything"
    WRONG = "wrong"


def _kinds(operation: Operation) -> list[Kind]:
    has_anything_to_be_wrong = operation.body or operation.query
    return [*Kind] if has_anything_to_be_wrong else [Kind.MEETING, Kind.RIGHT]


def _try(operation: Operation, kind: Kind, world: dict[str, Any], call: Call) -> None:
    mode = GenerationMode.NEGATIVE if kind is Kind.WRONG else GenerationMode.POSITIVE
    left_out = LEFT_OUT if kind is Kind.WRONG else [*LEFT_OUT, negative_data_rejection]

    @tries(CASES)
    @given(case=operation.as_strategy(generation_mode=mode))
    def hold(case: AnyCase) -> None:
        if kind is Kind.MEETING:
            _meet(world, case)
        case.validate_response(
            call(case), additional_checks=[only_errors], excluded_checks=left_out
        )

    hold()


def only_errors(ctx: CheckContext, response: Response, case: AnyCase) -> None:
    """Check that an error says what it is, and nothing else."""
    if response.status_code >= 400:
        body = json.loads(response.content)
        assert list(body) == ["error"], body
        is_chat = case.path.startswith("/v1/")
        assert isinstance(body["error"]["message"] if is_chat else body["error"], str), body


def _of_requests(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts that make the request; the others say how it is sent."""
    names = ("method", "url", "headers", "files", "data", "params", "cookies", "json")
    return {name: parts[name] for name in names if name in parts}


def _meet(world: dict[str, Any], case: AnyCase) -> None:
    case.path_parameters = meet(world, case.path_parameters)
    case.query = meet(world, case.query)
    case.body = meet_in_body(world, case.body, case.path)


def _told(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        return "\n".join(_told(one) for one in error.exceptions)
    return str(error)
