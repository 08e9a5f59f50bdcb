"""Both clients at a service that fails and breaks connections."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from knowledge_engine import (
    AsyncClient,
    Client,
    ConnectionFailed,
    NotFound,
    Retries,
    ServerError,
    StreamFailed,
)
from tests.sdk.conftest import Awaited
from tests.sdk.scripted_server import events, response, scripted

QUICK = Retries(delay_seconds=0.001)
ENGINE = {"id": "kng_aaaaaaaaaaaaaa", "name": "E", "status": "ready", "created_at": 1}
DONE = {
    "id": "wfl_aaaaaaaaaaaaaa",
    "name": "Q",
    "query": "Q",
    "knowledge_engine_id": ENGINE["id"],
    "status": "processed",
    "response": "Yes it is.",
    "citations": [],
    "created_at": 1,
}

Connect = Callable[[str], Any]


@pytest.fixture(params=["sync", "async"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Return a client of an address."""
    with ExitStack() as stack:
        if request.param == "sync":
            yield lambda address: stack.enter_context(Client("ke-key", address, retries=QUICK))
            return
        runner = stack.enter_context(asyncio.Runner())

        def connected(address: str) -> Awaited:
            client = AsyncClient("ke-key", address, retries=QUICK)
            stack.callback(lambda: runner.run(client.aclose()))
            return Awaited(client, runner)

        yield connected


def test_failures_that_pass_are_not_seen(connect: Connect) -> None:
    answers = [response("500 Oops"), b"", response("200 OK", json.dumps(ENGINE))]
    with scripted(*answers) as server:
        assert connect(server.address).engines.get(ENGINE["id"]).name == "E"


def test_failure_that_stays_is_an_error_after_three_requests(connect: Connect) -> None:
    failures = [response("500 Oops", '{"error": "broken"}')] * 3
    with scripted(*failures) as server, pytest.raises(ServerError, match="500: broken"):
        connect(server.address).engines.get(ENGINE["id"])

    assert len(server.requests) == 3


def test_what_creates_is_sent_again_under_the_same_key(connect: Connect) -> None:
    answers = [b"", response("502 Bad"), response("201 Created", json.dumps(ENGINE))]
    with scripted(*answers, answers[-1]) as server:
        client = connect(server.address)
        client.engines.create("E")
        client.engines.create("E")

    first, *again, other = [key_of(request) for request in server.requests]
    assert again == [first, first]
    assert "" != first != other


def test_what_only_reads_has_no_key(connect: Connect) -> None:
    with scripted(response("200 OK", json.dumps(ENGINE))) as server:
        connect(server.address).engines.get(ENGINE["id"])

    assert key_of(server.requests[0]) == ""


def test_what_was_refused_is_not_created_again(connect: Connect) -> None:
    with scripted(response("404 No")) as server, pytest.raises(NotFound):
        connect(server.address).engines.create("E")

    assert len(server.requests) == 1


def test_file_is_sent_again_from_its_beginning(connect: Connect, tmp_path: Any) -> None:
    file = tmp_path / "text.txt"
    file.write_text("All of it.")
    created = {"id": "ds_a", "name": "t", "status": "processing", "created_at": 1}
    body = json.dumps(created | {"knowledge_engine_id": ENGINE["id"]})
    with scripted(response("503 Busy"), response("201 Created", body)) as server:
        connect(server.address).data_sources.upload(file, ENGINE["id"], wait=False)

    assert ["All of it." in request for request in server.requests] == [True, True]


def test_broken_stream_goes_on_behind_its_last_event(connect: Connect) -> None:
    answers = [
        events(': hi\n\nid: strm_a-1\nevent: message\ndata: "Yes "\n\nid: strm_a-2\nevent: mes'),
        b"",
        events('id: strm_a-2\nevent: message\ndata: "it is."\n\n'),
        events(f"id: strm_a-3\nevent: done\ndata: {json.dumps(DONE)}\n\n"),
    ]
    with scripted(*answers) as server:
        *messages, done = connect(server.address).query(ENGINE["id"], "Is it?")

    assert [message.text for message in messages] == ["Yes ", "it is."]
    assert done.response == "Yes it is."
    assert resumed_behind(server.requests) == ["", "strm_a-1", "strm_a-1", "strm_a-2"]


def test_stream_that_breaks_before_its_first_event_is_resumed_by_its_header(
    connect: Connect,
) -> None:
    done = f"id: strm_a-1\nevent: done\ndata: {json.dumps(DONE)}\n\n"
    with scripted(events("", "Last-Event-ID: strm_a-0"), events(done)) as server:
        assert [one.id for one in connect(server.address).query(ENGINE["id"], "Is it?")]

    assert resumed_behind(server.requests) == ["", "strm_a-0"]


def test_stream_of_which_no_place_is_known_is_asked_for_again_by_its_key(
    connect: Connect,
) -> None:
    done = f"id: strm_a-1\nevent: done\ndata: {json.dumps(DONE)}\n\n"
    with scripted(events(": hi\n\n"), events(done)) as server:
        assert [one.id for one in connect(server.address).query(ENGINE["id"], "Is it?")]

    first, second = map(key_of, server.requests)
    assert first == second != ""


def test_stream_that_stays_broken_is_given_up(connect: Connect) -> None:
    first = events('id: strm_a-1\nevent: message\ndata: "Yes"\n\n')
    with scripted(first, b"", b"", b"") as server, pytest.raises(ConnectionFailed):
        list(connect(server.address).query(ENGINE["id"], "Is it?"))

    assert len(server.requests) == 4


def test_error_of_a_stream_ends_it(connect: Connect) -> None:
    failed = events('id: strm_a-1\nevent: error\ndata: {"error": "the model failed"}\n\n')
    with scripted(failed) as server, pytest.raises(StreamFailed, match="the model failed"):
        list(connect(server.address).query(ENGINE["id"], "Is it?"))


def test_error_of_a_connection_is_resumed(connect: Connect) -> None:
    answers = [
        events('id: strm_a-1\nevent: message\ndata: "Yes"\n\nevent: error\ndata: "away"\n\n'),
        events(f"id: strm_a-2\nevent: done\ndata: {json.dumps(DONE)}\n\n"),
    ]
    with scripted(*answers) as server:
        *_, done = connect(server.address).query(ENGINE["id"], "Is it?")

    assert done.id == DONE["id"]


def test_key_does_not_follow_a_list_to_another_host(connect: Connect) -> None:
    link = 'Link: <http://other.example/api/v1/knowledge-engines?after=kng_a>; rel="next"'
    answers = [
        response("200 OK", json.dumps([ENGINE]), link),
        response("200 OK", json.dumps([ENGINE | {"id": "kng_b"}])),
    ]
    with scripted(*answers) as server:
        listed = [one.id for one in connect(server.address).engines.list(page_size=1)]

    assert listed == [ENGINE["id"], "kng_b"]
    assert "after=kng_a" in server.requests[1].splitlines()[0]


def resumed_behind(requests: list[str]) -> list[str]:
    lines = [request.lower().splitlines() for request in requests]
    header = "last-event-id: "
    return [
        next((line.removeprefix(header) for line in one if line.startswith(header)), "")
        for one in lines
    ]


def key_of(request: str) -> str:
    """Return the key that a request carries, or ""."""
    found = re.search(r"^idempotency-key: (\S+)\r$", request, re.M | re.I)
    return found[1] if found else ""
