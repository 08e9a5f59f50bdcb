import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.stream import (
    SentEvents,
    StreamState,
    delete_old_streams,
    delete_stream,
    delete_streams_of_engine,
    end_silent_stream,
    insert_part,
    insert_stream,
    record_streams,
    select_last_event,
    select_live_streams,
    select_parts,
    select_state,
    select_stream,
    want_stream,
)
from app.services import Services
from tests.app.models.rows import new_engine

EVENTS = b"data: 1\n\n"


@pytest.fixture
async def account_id(services: Services) -> int:
    """The account of the streams "a" and "b" of the engine kng_1, which have begun."""
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        for stream_id in ("a", "b"):
            await insert_stream(session, stream_id, account_id, "kng_1")
    return account_id


async def test_parts_come_in_order_and_from_the_one_with_the_next_event(
    services: Services, account_id: int
) -> None:
    async with services.database.transaction() as session:
        for last_event in (30, 4, 12):
            await insert_part(session, "a", last_event, EVENTS)

        assert [one.last_event for one in await select_parts(session, "a", 4)] == [12, 30]
        assert [one.last_event for one in await select_parts(session, "a", 3)] == [4, 12, 30]
        assert await select_last_event(session, "a") == 30
        assert await select_last_event(session, "b") == 0


async def test_events_of_each_stream_are_recorded_byte_for_byte(
    services: Services, account_id: int
) -> None:
    async with services.database.transaction() as session:
        sent = [
            SentEvents("a", 2, 'data: "März"\n\n'.encode(), is_over=False),
            SentEvents("b", 1, b"data: \\ \x00 \xff\n\n", is_over=True),
        ]

        held = await record_streams(session, sent)

        assert held == {"a": False, "b": False}
        assert await recorded(session, "a") == [(2, sent[0].events)]
        assert await recorded(session, "b") == [(1, sent[1].events)]
        assert await select_live_streams(session, ["a", "b", "c"]) == {"a"}


async def test_stream_that_has_sent_nothing_new_is_alive(
    services: Services, account_id: int
) -> None:
    async with services.database.transaction() as session:
        await grow_old(session, "a", seconds=11)

        await record_streams(session, [SentEvents("a", 3, b"", is_over=False)])

        assert await recorded(session, "a") == []
        assert not await end_silent_stream(session, "a", timedelta(seconds=10))


async def test_what_is_recorded_already_stays(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        await insert_part(session, "a", 1, EVENTS)

        held = await record_streams(session, [SentEvents("a", 1, b"another", is_over=False)])

        assert held == {"a": False}
        assert await recorded(session, "a") == [(1, EVENTS)]


@pytest.mark.parametrize("stream_id", ["over", "missing"])
async def test_stream_that_is_over_or_gone_is_not_recorded(
    services: Services, account_id: int, stream_id: str
) -> None:
    async with services.database.transaction() as session:
        await insert_stream(session, "over", account_id, "kng_1")
        await record_streams(session, [SentEvents("over", 0, b"", is_over=True)])

        held = await record_streams(session, [SentEvents(stream_id, 1, EVENTS, is_over=False)])

        assert held == {}
        assert await recorded(session, stream_id) == []


async def test_stream_is_wanted_until_the_time_is_over(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        await want_stream(session, "a", timedelta(seconds=60))
        await want_stream(session, "b", timedelta(0))
    async with services.database.transaction() as session:
        wanted = await record_streams(
            session, [SentEvents(one, 0, b"", is_over=False) for one in "ab"]
        )
        state = await select_state(session, "a")

    assert wanted == {"a": True, "b": False}
    assert state is not None
    assert not state.is_over
    assert timedelta(seconds=50) < state.wanted_for <= timedelta(seconds=60)


async def test_stream_that_is_gone_has_no_state(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        await delete_stream(session, "a")

        assert await select_state(session, "a") is None
        assert isinstance(await select_state(session, "b"), StreamState)


async def test_stream_that_somebody_holds_is_passed_over(
    services: Services, account_id: int
) -> None:
    async with (
        services.database.transaction() as holder,
        services.database.transaction() as session,
    ):
        await want_stream(holder, "a", timedelta(0))
        sent = [SentEvents(one, 1, EVENTS, is_over=True) for one in "ab"]

        held = await asyncio.wait_for(record_streams(session, sent), 5)

        assert held.keys() == {"b"}
        assert await recorded(session, "a") == []
        assert await select_live_streams(session, ["a", "b"]) == {"a"}


async def test_only_a_silent_stream_is_ended_for_its_process(
    services: Services, account_id: int
) -> None:
    async with services.database.transaction() as session:
        await grow_old(session, "a", seconds=11)

        ended = [await end_silent_stream(session, one, timedelta(seconds=10)) for one in "aab"]

        assert ended == [True, False, False]


async def test_stream_is_found_for_ten_minutes_and_then_deleted(
    services: Services, account_id: int
) -> None:
    async with services.database.transaction() as session:
        await insert_part(session, "a", 1, EVENTS)
        await grow_old(session, "a", seconds=601)
        await grow_old(session, "b", seconds=590)

        found = [await select_stream(session, account_id, "kng_1", one) for one in "ab"]
        await delete_old_streams(session)

        assert [one is not None for one in found] == [False, True]
        assert await select_live_streams(session, ["a", "b"]) == {"b"}
        assert await select_parts(session, "a", 0) == []


async def test_streams_of_an_engine_go_together(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        await insert_stream(session, "c", await new_engine(session, "kng_2"), "kng_2")

        await delete_streams_of_engine(session, "kng_1")

        assert await select_live_streams(session, ["a", "b", "c"]) == {"c"}


async def recorded(session: AsyncSession, stream_id: str) -> list[tuple[int, bytes]]:
    parts = await select_parts(session, stream_id, 0)
    return [(one.last_event, one.events) for one in parts]


async def grow_old(session: AsyncSession, stream_id: str, *, seconds: int) -> None:
    statement = text(
        "UPDATE stream SET recorded_at = now() - make_interval(secs => :seconds) WHERE id = :id"
    )
    values = {"seconds": seconds, "id": stream_id}
    await (await session.connection()).execute(statement, values)
