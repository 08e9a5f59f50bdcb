import asyncio
from collections.abc import Sequence

from sqlalchemy import text

from app.jobs import EXTRACT, READ, JobKind
from app.services import Services


async def test_engines_take_turns(services: Services) -> None:
    await defer(services, "kng_a", "a1", "a2", "a3")
    await defer(services, "kng_b", "b1", "b2")

    assert await order_of_work(services) == ["a1", "b1", "a2", "b2", "a3"]


async def test_documents_of_an_engine_are_read_as_they_came(services: Services) -> None:
    await defer(services, "kng_a", *(f"a{number}" for number in range(5)))

    assert await order_of_work(services) == ["a0", "a1", "a2", "a3", "a4"]


async def test_engine_that_comes_late_passes_nobody_whose_turn_it_is(services: Services) -> None:
    await defer(services, "kng_a", "a1", "a2", "a3", "a4", "a5")
    await take(services, "a1", "a2")
    await defer(services, "kng_b", "b1", "b2")
    await take(services, "a3")
    await defer(services, "kng_c", "c1")

    assert await order_of_work(services) == ["b1", "c1", "a4", "b2", "a5"]


async def test_what_waits_for_a_later_attempt_is_not_the_one_whose_turn_it_is(
    services: Services,
) -> None:
    await defer(services, "kng_a", "a1", "a2", "a3")
    await execute(
        services,
        "UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 hour'"
        " WHERE args ->> 'data_source_id' = 'a1'",
    )
    await defer(services, "kng_b", "b1")

    assert await order_of_work(services, count=3) == ["a2", "b1", "a3"]


async def test_short_and_long_documents_of_an_engine_share_its_turns(services: Services) -> None:
    await defer(services, "kng_a", "long1", "long2")
    await defer(services, "kng_a", "short", is_short=True)
    await defer(services, "kng_b", "other", is_short=True)

    assert await order_of_work(services) == ["long1", "other", "long2", "short"]


async def test_tool_runs_and_documents_have_turns_of_their_own(services: Services) -> None:
    await defer(services, "kng_a", "run1", "run2", kind=EXTRACT)
    await defer(services, "kng_a", "a1")
    await defer(services, "kng_b", "b1")

    assert await order_of_work(services) == ["a1", "b1"]


async def defer(
    services: Services, engine_id: str, *row_ids: str, kind: JobKind = READ, is_short: bool = False
) -> None:
    """Queue rows, each in a transaction of its own."""
    for row_id in row_ids:
        async with services.database.transaction() as session:
            await services.queue.defer(session, row_id, engine_id, kind, is_short=is_short)


async def take(services: Services, *row_ids: str) -> None:
    """Let these be done, as by a worker."""
    for row_id in row_ids:
        await execute(
            services, f"DELETE FROM procrastinate_jobs WHERE args ->> 'data_source_id' = '{row_id}'"
        )


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))


async def order_of_work(services: Services, count: int = 0) -> Sequence[str]:
    """Return the documents in the order in which a worker takes them, one at a time."""
    async with services.database.engine.connect() as connection:
        waiting = await connection.execute(
            text("SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'read_data_source'")
        )
        count = count or waiting.scalar_one()
    taken: list[str] = []
    all_taken = asyncio.Event()

    async def read(data_source_id: str) -> None:
        taken.append(data_source_id)
        if len(taken) == count:
            all_taken.set()

    async with services.queue.opened():
        working = asyncio.create_task(services.queue.work(read, concurrency=1))
        await asyncio.wait_for(all_taken.wait(), timeout=30)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    return taken
