import ast
import json
import shlex
from collections.abc import Callable
from operator import attrgetter

import pytest
from quart import Quart

from app.console import snippets
from app.console.snippets import Snippet
from knowledge_engine import Client
from tests.client import Client as Onlooker

EVIL = """it's "a" $(touch x) `y`\n\\"""

MAKE: dict[str, Callable[[], Snippet]] = {
    "list engines": snippets.list_engines,
    "create an engine": lambda: snippets.create_engine(EVIL, EVIL),
    "change an engine": lambda: snippets.update_engine("kng_1", {"name": EVIL, "notes": {"a": 1}}),
    "upload": lambda: snippets.upload("kng_1", EVIL),
    "ticket": lambda: snippets.create_ticket("kng_1", EVIL, EVIL),
    "document": lambda: snippets.get_data_source("ds_1"),
    "page": lambda: snippets.get_page("ds_1", 2),
    "query": lambda: snippets.query("kng_1", {"query": EVIL, "name": EVIL, "model": "auto"}),
    "retrieve": lambda: snippets.retrieve("kng_1", {"query": EVIL, "top_k": 5}),
    "extract": lambda: snippets.extract(
        "kng_1", [{"field_name": EVIL, "type": "single_select", "options": ["a", EVIL]}], ["ds_1"]
    ),
    "workflows": snippets.list_workflows,
}


@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
async def test_both_can_be_run_whatever_people_have_typed(
    onlooker: Onlooker, make: Callable[[], Snippet]
) -> None:
    async with onlooker.app.test_request_context("/"):
        snippet = make()

    for call in calls_of_the_client(snippet.python):
        assert callable(attrgetter(call)(Client(api_key="ke-x"))), call
    words = shlex.split(snippet.curl)
    assert words[0] == "curl"
    assert any(word.startswith("http://localhost/api/v1/") for word in words)


async def test_body_of_a_request_is_what_the_page_has_sent(app: Quart) -> None:
    body = {"query": EVIL, "name": "Deposit"}
    async with app.test_request_context("/"):
        words = shlex.split(snippets.query("kng_1", body).curl)

    assert json.loads(words[words.index("-d") + 1]) == body


def calls_of_the_client(python: str) -> list[str]:
    """Return what a program calls of the SDK's client, such as `engines.list`."""
    calls = [
        ast.unparse(node.func) for node in ast.walk(ast.parse(python)) if isinstance(node, ast.Call)
    ]
    return [call.removeprefix("client.") for call in calls if call.startswith("client.")]
