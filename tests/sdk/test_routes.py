"""The SDK is held to the routes of the service: each has a method, and each method leads to one."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic import BaseModel
from quart import Quart

from knowledge_engine import Client, NotFound
from tests.sdk.methods import methods_of
from tests.sdk.scripted_server import response, scripted

WITHOUT_METHOD = {
    "GET /files/<token>": "what `presigned_url` leads to: it works without a client",
    "GET /v1/models": "for clients of OpenAI's interface",
    "POST /v1/chat/completions": "the same",
    "GET /healthz": "for what watches the service",
    "GET /readyz": "the same",
    "GET /metrics": "the same",
    "GET /openapi.json": "describes the API to programs",
    "GET /docs": "the same, to people",
    "GET /docs/assets/<path:name>": "the same",
}

TEXT_FILE = Path(__file__)

ARGUMENTS: dict[str, Any] = {
    "file": TEXT_FILE,
    "files": [TEXT_FILE],
    "fields": [],
    "model": BaseModel,
}
"""What methods are called with, by the name of the parameter; the others take any text."""


def test_every_route_has_a_method_of_the_sdk(app: Quart) -> None:
    reached = {route_of(app, name) for name in methods_of(Client("ke-x"))}

    assert reached == routes_of(app) - WITHOUT_METHOD.keys()


def test_routes_without_a_method_exist(app: Quart) -> None:
    assert WITHOUT_METHOD.keys() <= routes_of(app)


def routes_of(app: Quart) -> set[str]:
    """Return the routes that are for programs; the console is for people."""
    return {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not rule.endpoint.startswith(("static", "console."))
    }


def route_of(app: Quart, name: str) -> str:
    """Return the route to which the first request of a method leads."""
    with (
        scripted(response("404 Not Found")) as server,
        Client("ke-x", server.address) as client,
        pytest.raises(NotFound),
    ):
        call(methods_of(client)[name])
    method, target, _ = server.requests[0].split(" ", 2)
    path = urlsplit(target).path
    rule, _ = app.url_map.bind("").match(path, method=method, return_rule=True)
    return f"{method} {rule.rule}"


def call(method: Callable[..., Any]) -> None:
    """Call a method with what it must have; what it yields is wanted too."""
    parameters = inspect.signature(method).parameters.values()
    needed = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    result = method(*(ARGUMENTS.get(name, "x") for name in needed))
    if isinstance(result, Iterator):
        next(result)
