"""Every route, of the API and of the console, under requests that no description has.

`scripts/fuzz` tries more of the same.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from quart import Quart
from requests import PreparedRequest, Request
from werkzeug.routing import Rule

from app.services import Services
from tests.app.console.browser import Browser, signed_in
from tests.client import Client
from tests.fuzzing.asgi import send
from tests.fuzzing.rounds import tries
from tests.fuzzing.talkative_llm import TalkativeLLM
from tests.fuzzing.world import furnish, right_body

REQUESTS = 250

ODD = [
    *("", " ", "0", "-1", "1.5", "1e400", "NaN", "null", "true", "[]", "{}", '"', "[1]"),
    *(
        "9" * 19,
        "9" * 30,
        "9" * 5000,
        "٣",
        "²",
        "\x00",
        "\ud800",
        "\u202e",
        "\ufffe",
        "%00",
        "a\r\nb: c",
    ),
    *("[" * 5000, '{"a":' * 5000, '{"a": 1e999}', '{"a": NaN}', f'{{"a": {"9" * 5000}}}'),
    *("../../etc/passwd", "a" * 3000, "2024-99-99", "inf", "'; drop table account; --"),
]

FIELDS = [
    *(
        "name",
        "description",
        "notes",
        "content",
        "id",
        "query",
        "value",
        "top_k",
        "scope",
        "engine",
    ),
    *("field_name", "type", "options", "data_source", "page_range", "password", "new_password"),
    *(
        "token",
        "next",
        "is_on",
        "context",
        "context_id",
        "like",
        "after",
        "limit",
        "receipt",
        "ids",
    ),
    *(
        "data",
        "file",
        "files[]",
        "highlight",
        "model",
        "messages",
        "events",
        "url",
        "tool",
        "filter",
    ),
    *("knowledge_engine_id", "data_source_id", "tagged_data_sources", "fields", "action", "stream"),
]

HEADERS = [
    *("Range", "If-None-Match", "If-Modified-Since", "Last-Event-ID", "Idempotency-Key", "Accept"),
    *("Accept-Language", "Content-Type", "X-Request-ID", "traceparent", "HX-Request"),
]

CONTENT_TYPES = [
    *(
        "application/json",
        "application/json; charset=none-such",
        "application/x-www-form-urlencoded",
    ),
    *(
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "text/plain",
        "a",
        "application/xml",
    ),
]

texts = st.sampled_from(ODD) | st.text(max_size=30)
scalars = texts | st.integers() | st.floats() | st.none() | st.booleans()
values = scalars | st.lists(scalars, max_size=2) | st.dictionaries(texts, scalars, max_size=2)
objects = st.dictionaries(st.sampled_from(FIELDS) | texts, values, max_size=6)
pairs = st.lists(st.tuples(st.sampled_from(FIELDS), texts), max_size=6)

pytestmark = pytest.mark.usefixtures("without_a_key")


@pytest.fixture
def llm() -> TalkativeLLM:
    return TalkativeLLM()


async def test_odd_requests_are_answered(app: Quart, client: Client, services: Services) -> None:
    world = await furnish(client)
    browser = await signed_in(app, services)
    loop = asyncio.get_running_loop()

    @tries(REQUESTS)
    @given(data=st.data())
    def hold(data: st.DataObject) -> None:
        rule = data.draw(st.sampled_from(routes(app)))
        request = data.draw(requests_to(rule, world))
        request.headers.update(_credentials(rule, client, browser))
        note(f"{request.method} {request.url} {request.headers} {request.body!r}"[:2000])
        response = asyncio.run_coroutine_threadsafe(send(app, request), loop).result()
        assert response.status_code < 500, response.content
        if response.status_code >= 400 and rule.rule.startswith("/api/"):
            assert list(json.loads(response.content)) == ["error"]

    # Hypothesis is synchronous, and what it tries runs in the loop that the services belong to.
    await asyncio.to_thread(hold)


def routes(app: Quart) -> list[Rule]:
    """Return all routes, but for those that take the session of the test away."""
    rules = sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule)
    return [rule for rule in rules if not rule.rule.startswith("/sign-out")]


@st.composite
def requests_to(draw: st.DrawFn, rule: Rule, world: Mapping[str, Any]) -> PreparedRequest:
    """Make a request of a route, with things that are there or odd ones in its path."""
    is_known = draw(st.booleans())
    path = re.sub(
        r"<(?:[^:>]*:)?([^>]+)>",
        lambda part: _place(str(world.get(part[1], "1")) if is_known else draw(texts)),
        rule.rule,
    )
    method = draw(st.sampled_from([*sorted(rule.methods or ()), "PUT"]))
    if is_known and method == "DELETE":
        method = "GET"  # What is there must stay there.
    query = "&".join(f"{_place(name)}={_place(value)}" for name, value in draw(pairs))
    body_of_route = right_body(dict(world), rule.endpoint)
    if is_known and body_of_route:
        method = "PUT" if "PUT" in (rule.methods or ()) else "POST"
        spoiled = {draw(st.sampled_from([*body_of_route, "more"])): draw(values)}
        content_type, body = "application/json", json.dumps(body_of_route | spoiled).encode()
    else:
        content_type, body = draw(bodies())
    headers = draw(st.dictionaries(st.sampled_from(HEADERS), texts, max_size=3))
    request = Request(method, f"http://localhost{path}?{query}", data=body).prepare()
    for name, value in ({"Content-Type": content_type} | headers).items():
        # As a server hands them on: Latin-1 without line ends.
        request.headers[name] = re.sub(r"[\x00-\x1f]", "", value).encode("latin-1", "replace")
    return request


@st.composite
def bodies(draw: st.DrawFn) -> tuple[str, bytes]:
    """Make a body, and say of what type it is: mostly rightly."""
    match draw(st.sampled_from(["object", "text", "form", "parts", "bytes"])):
        case "object":
            return "application/json", json.dumps(draw(objects)).encode()
        case "text":
            return "application/json", draw(texts).encode("utf-8", "surrogatepass")
        case "form":
            body = "&".join(f"{_place(name)}={_place(value)}" for name, value in draw(pairs))
            return "application/x-www-form-urlencoded", body.encode()
        case "parts":
            parts = [_part(name, draw(texts), draw(st.booleans())) for name, _ in draw(pairs)]
            return "multipart/form-data; boundary=x", b"".join([*parts, b"--x--\r\n"])
    return draw(st.sampled_from(CONTENT_TYPES)), draw(st.binary(max_size=200))


def _part(name: str, value: str, is_file: bool) -> bytes:
    file_name = '; filename="a/\x7f..\\b"' if is_file else ""
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"{file_name}\r\n\r\n'
    return head.encode() + value.encode("utf-8", "surrogatepass") + b"\r\n"


def _place(text: str) -> str:
    return quote(text, safe="", errors="surrogatepass")


def _credentials(rule: Rule, client: Client, browser: Browser) -> dict[str, str]:
    if not rule.endpoint.startswith("console."):
        return {"Authorization": f"Bearer {client.key}"}
    cookies = "; ".join(f"{one.name}={one.value}" for one in browser.client.cookie_jar or ())
    return {"Cookie": cookies, "X-CSRF-Token": browser.token}
