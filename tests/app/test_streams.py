"""Broken streams are gone on with: two applications on one database stand for two processes."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from app.application import create_app
from app.database import Database
from app.services import Services
from app.sse import COMMENT
from app.streams import GRACE_SECONDS, RECORD_SECONDS
from config.errors import AnswerFailed
from tests.app.live_streams import (
    SECONDS,
    PromptedLLM,
    all_done,
    ask,
    begin_of_record,
    body_of,
    count,
    event_id,
    execute,
    record_in_one_part,
    resumed,
    stands_still,
    streaming,
    whole,
)
from tests.client import Client, parse_events
from tests.fakes import ScriptedLLM
from tests.loopback import served

CLIENT_LEFT = "the client closed the stream"
LONG_WORD = "\N{GRINNING FACE}" * 30_000
"""On its way each of these takes twelve bytes: thirty such words are more than a system buffers."""
DIED = "Failed to process query: the service stopped while it was answering"


@pytest.fixture
def gateway(services: Services) -> PromptedLLM:
    """The model of the first process, in the hands of the test."""
    services.gateway = llm = PromptedLLM()
    return llm


@pytest.fixture
async def elsewhere(services: Services, database_url: str) -> AsyncIterator[Services]:
    """The services of another process, which shares nothing with the first but the database."""
    other = replace(services, database=Database(database_url, pool_size=5), background=set())
    yield other
    await asyncio.wait_for(all_done(other), SECONDS)
    await other.database.close()


@pytest.fixture
def other(client: Client, elsewhere: Services) -> Client:
    """The same client, at the other process."""
    return Client(create_app(elsewhere), elsewhere, client.key)


async def test_events_are_numbered_under_an_id_that_nobody_can_guess(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["It ends ", "in March."], ["Never."]]

    streams = [await whole(client, engine) for _ in range(2)]

    found = [re.findall(rb"^id: (strm_[a-z0-9]{14})-(\d+)\nevent: ", s, re.M) for s in streams]
    assert [[int(number) for _, number in stream] for stream in found] == [[1, 2, 3], [1, 2]]
    assert len({stream_id for stream in found for stream_id, _ in stream}) == 2


async def test_finished_stream_is_gone_on_with_after_each_of_its_events(
    client: Client, other: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["It ends ", "in März ", "<source_id=1>", "."]]
    stream = await whole(client, engine)
    ends = [0, *(end.end() for end in re.finditer(rb"\n\n", stream))][1:]  # behind the comment

    for number, end in enumerate(ends):
        rest = await resumed(other, engine, event_id(stream, number))
        assert rest == COMMENT + stream[end:]


async def test_connection_that_broke_before_the_first_event_is_gone_on_with(
    client: Client, other: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]

    response = await ask(client, engine)

    assert await resumed(other, engine, response.headers["Last-Event-ID"]) == (
        await body_of(response)
    )


async def test_broken_stream_is_gone_on_with_by_another_process_while_it_is_made(
    client: Client, other: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ", "ends ")
    async with (
        served(client.app) as address,
        served(other.app) as elsewhere,
        AsyncExitStack() as here,
    ):
        first = await here.enter_async_context(streaming(client, address, engine))
        begin = await first.read(events=2)
        async with streaming(client, elsewhere, engine, event_id(begin, 1)) as second:
            await second.read(events=1)
            await here.aclose()
            await asyncio.sleep(GRACE_SECONDS + 3 * RECORD_SECONDS)
            gateway.say("in March ", "<source_id=1>.", None)
            rest = (await second.read_all()).removeprefix(COMMENT)

    of_all = await resumed(other, engine, event_id(begin, 0))
    seen_twice, _, new = rest.partition(b"id: " + event_id(begin, 3).encode())
    assert begin.endswith(seen_twice)
    assert of_all == begin.removesuffix(seen_twice) + rest
    assert new
    *messages, done = parse_events(of_all.decode())
    assert "".join(event.data for event in messages) == done.data["response"]
    assert done.data["response"] == "The lease ends in March <source_id=1>."


async def test_client_that_stays_away_stops_the_model_and_the_record_says_so(
    client: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ")
    async with served(client.app) as address:
        async with streaming(client, address, engine) as reader:
            begin = await reader.read(events=1)
        await asyncio.wait_for(gateway.was_stopped.wait(), SECONDS)

    await all_done(client.services)
    *messages, error = parse_events((await resumed(client, engine, event_id(begin, 0))).decode())
    assert [event.data for event in messages] == ["The lease "]
    assert (error.event, error.data) == ("error", {"error": CLIENT_LEFT})
    (workflow,) = await client.get("/workflows")
    assert (workflow["response"], workflow["error"]) == ("The lease ", CLIENT_LEFT)


async def test_service_that_stops_ends_the_stream_and_stores_what_was_said(
    client: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ")
    async with (
        served(client.app) as address,
        streaming(client, address, engine) as reader,
    ):
        await reader.read(events=1)
        await client.services.close(moment_seconds=3 * RECORD_SECONDS)
        rest = await reader.read_all()

    *_, error = parse_events(rest.decode())
    assert (error.event, error.data) == ("error", {"error": DIED})
    (workflow,) = await client.get("/workflows")
    assert (workflow["response"], workflow["error"]) == ("The lease ", DIED)


def test_model_is_stopped_within_a_second() -> None:
    assert GRACE_SECONDS + RECORD_SECONDS < 1


async def test_client_that_leaves_again_stops_the_model(
    client: Client, other: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ")
    async with (
        served(client.app) as address,
        served(other.app) as elsewhere,
        AsyncExitStack() as here,
    ):
        first = await here.enter_async_context(streaming(client, address, engine))
        begin = await first.read(events=1)
        async with streaming(client, elsewhere, engine, event_id(begin, 0)) as second:
            await second.read(events=1)
            await here.aclose()
            await asyncio.sleep(GRACE_SECONDS + 3 * RECORD_SECONDS)
            assert not gateway.was_stopped.is_set()

        await asyncio.wait_for(gateway.was_stopped.wait(), SECONDS)


async def test_revoked_key_ends_the_stream_with_one_error_at_every_process(
    client: Client, other: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ")
    async with (
        served(client.app) as address,
        served(other.app) as elsewhere,
        streaming(client, address, engine) as first,
    ):
        begin = await first.read(events=1)
        async with streaming(client, elsewhere, engine, event_id(begin, 0)) as second:
            await second.read(events=1)

            await execute(client.services, "UPDATE api_key SET revoked_at = now()")

            *messages, error = parse_events((await first.read_all()).decode())
            assert await second.read_all() == first.received
        await asyncio.wait_for(gateway.was_stopped.wait(), SECONDS)
    assert [event.data for event in messages] == ["The lease "]
    assert (error.event, error.data) == ("error", {"error": "Unauthorized"})
    await all_done(client.services)
    await execute(client.services, "UPDATE api_key SET revoked_at = NULL")
    (workflow,) = await Client(create_app(other.services), other.services, client.key).get(
        "/workflows"
    )
    assert (workflow["response"], workflow["error"]) == ("The lease ", "Unauthorized")


async def test_stream_can_be_followed_beside_its_first_client(
    client: Client, other: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ")
    async with (
        served(client.app) as address,
        served(other.app) as elsewhere,
        streaming(client, address, engine) as first,
    ):
        begin = await first.read(events=1)
        async with streaming(client, elsewhere, engine, event_id(begin, 0)) as second:
            gateway.say("ends.", None)

            assert await second.read_all() == await first.read_all()


async def test_part_that_was_recorded_twice_is_sent_once(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["It ends ", "in March."]]
    stream = await whole(client, engine)
    await all_done(client.services)
    await record_in_one_part(client.services)
    first_event = "substr(events, 1, position('\\x0a0a'::bytea in events) + 1)"
    again = f"INSERT INTO stream_part SELECT stream_id, 1, {first_event} FROM stream_part"
    await execute(client.services, again)

    assert await resumed(client, engine, event_id(stream, 0)) == stream


async def test_failure_is_recorded_like_what_was_said(
    client: Client, other: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ", AnswerFailed("the model provider failed"))

    stream = await whole(client, engine)

    assert parse_events(stream.decode())[-1].event == "error"
    assert await resumed(other, engine, event_id(stream, 0)) == stream


async def test_stream_of_a_process_that_died_ends_with_one_error(
    client: Client, other: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["It ends ", "in March."]]
    stream = await whole(client, engine)
    await all_done(client.services)
    await record_in_one_part(client.services)
    # As if the process had died after two events, of which one was recorded.
    await execute(
        client.services,
        "UPDATE stream SET is_over = false, recorded_at = now() - interval '11 seconds'",
        "UPDATE stream_part SET last_event = 1, events = substr(events, 1, "
        "position('\\x0a0a'::bytea in events) + 1)",
    )

    rests = [await resumed(other, engine, event_id(stream, 2)) for _ in range(2)]

    (error,) = parse_events(rests[0].decode())
    assert (error.event, error.data) == ("error", {"error": DIED})
    assert f"id: {event_id(stream, 3)}\n".encode() in rests[0]
    assert rests[1] == rests[0]


async def test_process_that_was_taken_for_dead_adds_nothing(
    client: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ")
    async with served(client.app) as address, streaming(client, address, engine) as reader:
        begin = await reader.read(events=1)
        await begin_of_record(client.services)
        await execute(client.services, "UPDATE stream SET is_over = true")
        gateway.say("ends.", None)
        await reader.read_all()
    await all_done(client.services)

    assert await resumed(client, engine, event_id(begin, 0)) == begin


async def test_record_waits_for_a_database_that_is_away(
    client: Client, engine: str, gateway: PromptedLLM
) -> None:
    there, away = client.services.database, Database("postgresql+psycopg://127.0.0.1:1/x", 1)
    async with served(client.app) as address, streaming(client, address, engine) as reader:
        gateway.say("The lease ")
        begin = await reader.read(events=1)
        client.services.database = away
        gateway.say("ends ")
        await reader.read(events=2)
        await asyncio.sleep(3 * RECORD_SECONDS)
        client.services.database = there
        gateway.say("in March.", None)
        stream = await reader.read_all()

    await all_done(client.services)
    await away.close()
    assert await resumed(client, engine, event_id(begin, 0)) == stream


async def test_broken_connection_that_takes_nothing_more_holds_nobody_back(
    client: Client, other: Client, engine: str, gateway: PromptedLLM
) -> None:
    async with served(client.app) as address, streaming(client, address, engine) as stuck:
        gateway.say("The lease ", *[LONG_WORD] * 30, None)
        begin = await stuck.read(events=1)

        rest = await resumed(other, engine, event_id(begin, 1))

    *messages, done = parse_events(rest.decode())
    assert done.event == "done", done.data
    assert done.data["response"] == "The lease " + LONG_WORD * 30
    assert done.data["response"].endswith("".join(event.data for event in messages))


async def test_model_waits_for_a_reader_that_reads_nothing(
    client: Client, engine: str, gateway: PromptedLLM
) -> None:
    async with served(client.app) as address, streaming(client, address, engine) as reader:
        gateway.say(*[LONG_WORD] * 30)
        await reader.read(events=1)

        assert await stands_still(gateway)

    await asyncio.wait_for(gateway.was_stopped.wait(), SECONDS)


@pytest.mark.parametrize(
    "given", ["strm_0123456789abcd", "1", "strm_0123456789abcd-x", "strm_0123456789abcd--1"]
)
async def test_id_that_is_none_is_refused(client: Client, engine: str, given: str) -> None:
    headers = {"Last-Event-ID": given}

    failure = await client.error("POST", f"/knowledge-engines/{engine}/query", headers=headers)

    assert failure == (400, "Invalid event ID")


@pytest.mark.parametrize("whose", ["nobody's", "another account's", "another engine's", "expired"])
async def test_stream_that_is_not_there_is_not_found(
    client: Client, stranger: Client, engine: str, llm: ScriptedLLM, whose: str
) -> None:
    llm.answers = [["In March."]]
    given, asking = event_id(await whole(client, engine), 1), client
    match whose:
        case "nobody's":
            given = "strm_0123456789abcd-1"
        case "another account's":
            asking, engine = stranger, await stranger.create_engine()
        case "another engine's":
            engine = await client.create_engine()
        case "expired":
            await all_done(client.services)
            age = "UPDATE stream SET recorded_at = now() - interval '601 seconds'"
            await execute(client.services, age)

    path = f"/knowledge-engines/{engine}/query"
    failure = await asking.error("POST", path, headers={"Last-Event-ID": given})

    assert failure == (404, "stream not found")


@pytest.mark.parametrize("what", ["engine", "workflow"])
async def test_what_is_deleted_leaves_no_stream(
    client: Client, engine: str, llm: ScriptedLLM, what: str
) -> None:
    llm.answers = [["In March."]]
    stream = await whole(client, engine)
    await all_done(client.services)
    workflow_id = parse_events(stream.decode())[-1].data["id"]
    path = f"/knowledge-engines/{engine}" if what == "engine" else f"/workflows/{workflow_id}"

    await client.call("DELETE", f"/api/v1{path}")

    assert await count(client.services, "stream") == 0
    assert await count(client.services, "stream_part") == 0


async def test_partial_answer_takes_its_stream_along(
    client: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ", AnswerFailed("the model provider failed"))
    await whole(client, engine)
    await all_done(client.services)
    (workflow,) = await client.get("/workflows")

    await client.call("DELETE", f"/api/v1/workflows/{workflow['id']}")

    assert await count(client.services, "stream_part") == 0


async def test_workflow_that_is_deleted_at_once_takes_its_stream_along(
    client: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("In March.", None)
    done = parse_events((await whole(client, engine)).decode())[-1]

    await client.call("DELETE", f"/api/v1/workflows/{done.data['id']}")

    await all_done(client.services)
    assert await count(client.services, "stream") == 0


async def test_resumed_stream_whose_engine_is_deleted_ends(
    client: Client, other: Client, engine: str, gateway: PromptedLLM
) -> None:
    gateway.say("The lease ")
    async with (
        served(client.app) as address,
        served(other.app) as elsewhere,
        streaming(client, address, engine) as first,
    ):
        begin = await first.read(events=1)
        async with streaming(client, elsewhere, engine, event_id(begin, 0)) as second:
            await second.read(events=1)
            await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")
            end = parse_events((await second.read_all()).decode())[-1]

        assert (end.event, end.data) == ("error", {"error": "stream not found"})
    await asyncio.wait_for(gateway.was_stopped.wait(), SECONDS)
