import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.stream import (
    StreamState,
    delete_old_streams,
    delete_stream,
    delete_streams_of_engine,
    end_silent_stream,
    end_streams,
    insert_parts,
    insert_stream,
    select_last_event,
    select_live_streams,
    select_parts,
    select_stream,
    touch_live_streams,
    want_stream,
)
from app.services import Services
from tests.app.models.rows import new_engine


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
        await insert_parts(session, [part(30), part(4), part(12)])

        assert [one.last_event for one in await select_parts(session, "a", 4)] == [12, 30]
        assert [one.last_event for one in await select_parts(session, "a", 3)] == [4, 12, 30]
        assert await select_last_event(session, "a") == 30
        assert await select_last_event(session, "b") == 0


async def test_stream_that_is_over_is_no_longer_written_to(
    services: Services, account_id: int
) -> None:
    async with services.database.transaction() as session:
        await end_streams(session, ["b"])

        assert await touch_live_streams(session, ["a", "b", "c"]) == {"a": False}
        assert await select_live_streams(session, ["a", "b", "c"]) == {"a"}


async def test_stream_is_wanted_until_the_time_is_over(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        state = await want_stream(session, "a", timedelta(seconds=60))
        await want_stream(session, "b", timedelta(0))
    async with services.database.transaction() as session:
        wanted = await touch_live_streams(session, ["a", "b"])

    assert state is not None
    assert not state.is_over
    assert wanted == {"a": True, "b": False}


async def test_stream_that_is_gone_cannot_be_wanted(services: Services, account_id: int) -> None:
    async with services.database.transaction() as session:
        await delete_stream(session, "a")

        assert await want_stream(session, "a", timedelta(0)) is None
        assert isinstance(await want_stream(session, "b", timedelta(0)), StreamState)


async def test_stream_that_somebody_holds_is_passed_over(
    services: Services, account_id: int
) -> None:
    async with (
        services.database.transaction() as holder,
        services.database.transaction() as session,
    ):
        await want_stream(holder, "a", timedelta(0))

        touched = await asyncio.wait_for(touch_live_streams(session, ["a", "b"]), 5)

        assert touched.keys() == {"b"}


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
        await insert_parts(session, [part(1)])
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


async def test_nothing_to_store_is_no_statement(services: Services) -> None:
    async with services.database.transaction() as session:
        await insert_parts(session, [])
        await end_streams(session, [])


def part(last_event: int) -> tuple[str, int, bytes]:
    return "a", last_event, b"data: 1\n\n"


async def grow_old(session: AsyncSession, stream_id: str, *, seconds: int) -> None:
    statement = text(
        "UPDATE stream SET recorded_at = now() - make_interval(secs => :seconds) WHERE id = :id"
    )
    values = {"seconds": seconds, "id": stream_id}
    await (await session.connection()).execute(statement, values)
