import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import psycopg
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from psycopg.conninfo import make_conninfo
from sqlalchemy import text

from app.application import create_app
from app.embedded_postgres import EmbeddedPostgres
from app.jobs import EXTRACT, PATIENCE_SECONDS, count_workers
from app.reading import read_data_source
from app.services import Services
from config.logs import request_id
from tests.client import Client
from tests.conftest import FILES
from tests.span_exporter import finished, parent_of

HANDBOOK = FILES / "supplier-handbook.docx"
ENGINE_ID = "kng_0123456789abcd"

# What a worker leaves behind that was killed while it read a document.
DIE_IN_THE_MIDST_OF_IT = """
WITH dead AS (
    INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 minute')
    RETURNING id
)
UPDATE procrastinate_jobs SET status = 'doing', worker_id = (SELECT id FROM dead)
"""

BREAK_OFF_THE_END = """
SELECT pg_cancel_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'finish_job'
"""


async def test_uploaded_document_is_read_by_a_worker(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    uploaded = await (await client.upload(engine_id, HANDBOOK)).get_json()

    async with worker(services, read_with(services)):
        data_source = await until_processed(client, uploaded["id"])

    assert data_source["outcome"] == "ok"
    assert await jobs(services) == []


async def test_worker_at_work_takes_a_document_at_once(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    taken = asyncio.Event()

    async def read(data_source_id: str) -> None:
        taken.set()

    async with worker(services, read):
        await asyncio.sleep(0.3)
        await client.upload(engine_id, HANDBOOK)
        await asyncio.wait_for(taken.wait(), timeout=1)


async def test_job_is_written_with_its_row_or_not(services: Services) -> None:
    async def fail() -> None:
        async with services.database.transaction() as session:
            await services.queue.defer(session, "ds_0123456789abcd", ENGINE_ID)
            raise ZeroDivisionError

    with contextlib.suppress(ZeroDivisionError):
        await fail()

    assert await jobs(services) == []


async def test_failed_attempt_is_repeated(services: Services) -> None:
    await defer(services, "ds_0123456789abcd")
    attempts = 0
    succeeded = asyncio.Event()

    async def read(data_source_id: str) -> None:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise ConnectionError
        succeeded.set()

    async with worker(services, read):
        await asyncio.wait_for(succeeded.wait(), timeout=8)

    assert attempts == 2


async def test_document_of_a_dead_worker_is_taken_up_again(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    uploaded = await (await client.upload(engine_id, HANDBOOK)).get_json()
    await execute(services, DIE_IN_THE_MIDST_OF_IT)

    async with worker(services, read_with(services)):
        count = await services.queue.take_up_stalled()
        data_source = await until_processed(client, uploaded["id"])

    assert (count, data_source["outcome"]) == (1, "ok")


async def test_document_of_a_living_worker_is_left_to_it(services: Services) -> None:
    await defer(services, "ds_0123456789abcd")
    await execute(services, DIE_IN_THE_MIDST_OF_IT)
    await execute(services, "UPDATE procrastinate_workers SET last_heartbeat = now()")

    async with services.queue.opened():
        count = await services.queue.take_up_stalled()

    assert (count, await jobs(services)) == (0, ["doing"])


async def test_tool_runs_do_not_wait_behind_documents(services: Services) -> None:
    for number in range(3):
        await defer(services, f"ds_012345678{number}")
    async with services.database.transaction() as session:
        await services.queue.defer(session, "trun_0123456789abcd", ENGINE_ID, EXTRACT)
    taken = asyncio.Event()

    async def never(_: str) -> None:
        await asyncio.Event().wait()

    async def extract(run_id: str) -> None:
        assert run_id == "trun_0123456789abcd"
        taken.set()

    async with worker(services, never):
        extracting = asyncio.create_task(services.queue.work(extract, 1, EXTRACT))
        await asyncio.wait_for(taken.wait(), timeout=30)
        extracting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await extracting


async def test_short_document_does_not_wait_behind_long_ones(services: Services) -> None:
    for number in range(3):
        await defer(services, f"ds_012345678{number}")
    async with services.database.transaction() as session:
        await services.queue.defer(session, "ds_short", ENGINE_ID, is_short=True)
    taken = asyncio.Event()

    async def read(data_source_id: str) -> None:
        if data_source_id == "ds_short":
            taken.set()
        else:
            await asyncio.Event().wait()

    async with worker(services, read):
        await asyncio.wait_for(taken.wait(), timeout=30)


async def test_short_documents_take_all_places_that_are_free(services: Services) -> None:
    async with services.database.transaction() as session:
        for number in range(2):
            await services.queue.defer(session, f"ds_{number}", ENGINE_ID, is_short=True)
    at_once = asyncio.Barrier(2)

    async def read(data_source_id: str) -> None:
        await at_once.wait()

    async with worker(services, read):
        await until_no_job_is_left(services)


async def test_documents_that_do_not_get_on_let_others_pass(services: Services) -> None:
    for number in range(2):
        await defer(services, f"ds_bad{number}")
    for number in range(3):
        await defer(services, f"ds_good{number}")
    done: list[str] = []

    async def read(data_source_id: str) -> None:
        if data_source_id.startswith("ds_bad"):
            await asyncio.Event().wait()
        done.append(data_source_id)

    async with worker(services, read, patience_seconds=0.1):
        async with asyncio.timeout(30):
            while len(done) < 3:  # noqa: ASYNC110 - nothing else tells
                await asyncio.sleep(0.05)

    assert done == ["ds_good0", "ds_good1", "ds_good2"]


async def test_twice_as_many_are_in_work_at_most(services: Services) -> None:
    async with services.database.transaction() as session:
        for number in range(6):
            await services.queue.defer(session, f"ds_012345678{number}", ENGINE_ID, is_short=True)
    in_work: list[str] = []

    async def read(data_source_id: str) -> None:
        in_work.append(data_source_id)
        await asyncio.Event().wait()

    async with worker(services, read, patience_seconds=0.1):
        async with asyncio.timeout(30):
            while len(in_work) < 4:  # noqa: ASYNC110 - nothing else tells
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)

    assert len(in_work) == 4


async def test_document_that_gets_on_lets_nobody_pass(services: Services) -> None:
    for number in range(3):
        await defer(services, f"ds_012345678{number}")
    in_work: list[str] = []
    has_begun = asyncio.Event()

    async def read(data_source_id: str) -> None:
        in_work.append(data_source_id)
        has_begun.set()
        while True:
            services.queue.note_progress(data_source_id)
            await asyncio.sleep(0.05)

    async with worker(services, read, patience_seconds=1):
        await asyncio.wait_for(has_begun.wait(), 30)
        await asyncio.sleep(2.5)

    assert len(in_work) == 1


async def test_failed_attempt_of_one_that_passed_is_repeated(services: Services) -> None:
    for data_source_id in ("ds_bad0", "ds_bad1", "ds_good"):
        await defer(services, data_source_id)
    attempts = 0
    succeeded = asyncio.Event()

    async def read(data_source_id: str) -> None:
        nonlocal attempts
        if data_source_id.startswith("ds_bad"):
            await asyncio.Event().wait()
        attempts += 1
        if attempts == 1:
            raise ConnectionError
        succeeded.set()

    async with worker(services, read, patience_seconds=0.1):
        await asyncio.wait_for(succeeded.wait(), timeout=30)

    assert attempts == 2


async def test_worker_waits_for_a_database_that_is_away(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    taken = asyncio.Event()

    async def read(data_source_id: str) -> None:
        taken.set()

    await execute(services, "ALTER TABLE procrastinate_workers RENAME TO away")
    async with worker(services, read):
        await client.upload(engine_id, HANDBOOK)
        await asyncio.sleep(0.3)
        assert not taken.is_set()
        await execute(services, "ALTER TABLE away RENAME TO procrastinate_workers")

        await asyncio.wait_for(taken.wait(), timeout=20)


async def test_job_whose_end_the_database_did_not_take_is_ended_later(
    postgres: EmbeddedPostgres, services: Services
) -> None:
    await defer(services, "ds_0123456789abcd")

    async with worker_whose_jobs_cannot_end(postgres, services) as (break_off, let_through):
        await break_off()
        await let_through()
        await until_no_job_is_left(services)


async def test_process_that_ends_leaves_a_job_whose_end_is_not_taken_to_others(
    postgres: EmbeddedPostgres, services: Services
) -> None:
    await defer(services, "ds_0123456789abcd")

    async with worker_whose_jobs_cannot_end(postgres, services) as (break_off, _):
        services.queue.leave()
        await break_off()

    async with services.queue.opened():
        assert await services.queue.take_up_stalled() == 1


async def test_worker_whose_job_others_have_ended_says_so_and_goes_on(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    await defer(services, "ds_0123456789abcd")
    next_taken = asyncio.Event()

    async def read(data_source_id: str) -> None:
        if data_source_id == "ds_0123456789abcd":
            await execute(services, "DELETE FROM procrastinate_jobs")
            await defer(services, "ds_0123456789abce")
        else:
            next_taken.set()

    async with worker(services, read):
        await asyncio.wait_for(next_taken.wait(), timeout=30)
        await until_no_job_is_left(services)

    messages = [record.getMessage() for record in caplog.records]
    assert any(message.startswith("Others have ended a job") for message in messages)
    assert not [record for record in caplog.records if record.exc_info]


async def test_several_documents_are_read_at_once(services: Services) -> None:
    async with services.database.transaction() as session:
        for number in range(3):
            await services.queue.defer(session, f"ds_012345678{number}", ENGINE_ID, is_short=True)
    reading: set[str] = set()
    both = asyncio.Event()

    async def read(data_source_id: str) -> None:
        reading.add(data_source_id)
        if len(reading) == 2:
            both.set()
        await asyncio.Event().wait()

    async with worker(services, read):
        await asyncio.wait_for(both.wait(), timeout=5)
        await asyncio.sleep(0.1)

    assert len(reading) == 2


async def test_reading_goes_back_to_the_request_of_the_upload(
    spans: InMemorySpanExporter, client: Client, services: Services
) -> None:
    traced = Client(create_app(services), services, client.key)
    engine_id = await traced.create_engine()
    requests = []

    async def read(data_source_id: str) -> None:
        requests.append(request_id.get())
        await read_data_source(services, data_source_id)

    uploaded = await (
        await traced.upload(engine_id, HANDBOOK, headers={"X-Request-ID": "req-1"})
    ).get_json()
    async with worker(services, read):
        await until_processed(client, uploaded["id"])

    found = finished(spans)
    reading = found["read_data_source"]
    assert requests == ["req-1"]
    assert parent_of(reading) == found["POST /api/v1/data-sources"].context.span_id
    assert reading.attributes == {"knowledge_engine.data_source_id": uploaded["id"]}
    for step in ("partition", "store", "embed"):
        assert parent_of(found[step]) == reading.context.span_id


async def test_job_that_was_queued_without_an_origin_is_done(services: Services) -> None:
    await defer(services, "ds_0123456789abcd")
    taken = asyncio.Event()

    async def read(data_source_id: str) -> None:
        assert (data_source_id, request_id.get()) == ("ds_0123456789abcd", "")
        taken.set()

    stored = await arguments(services)
    async with worker(services, read):
        await asyncio.wait_for(taken.wait(), timeout=30)

    assert stored == [{"data_source_id": "ds_0123456789abcd", "knowledge_engine_id": ENGINE_ID}]


@contextlib.asynccontextmanager
async def worker(
    services: Services,
    read: Callable[[str], Awaitable[None]],
    patience_seconds: float = PATIENCE_SECONDS,
) -> AsyncIterator[None]:
    """Let a worker read what is queued, two at once."""
    async with services.queue.opened():
        working = asyncio.create_task(
            services.queue.work(read, concurrency=2, patience_seconds=patience_seconds)
        )
        try:
            yield
        finally:
            working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await working


Step = Callable[[], Awaitable[None]]


@contextlib.asynccontextmanager
async def worker_whose_jobs_cannot_end(
    postgres: EmbeddedPostgres, services: Services
) -> AsyncIterator[tuple[Step, Step]]:
    """Return how to break off the next end of a job, and how to let it through.

    It is broken off as by a connection that is lost at that moment; the worker itself goes on.
    """
    dsn = make_conninfo(postgres.dsn, dbname=services.database.engine.url.database)
    async with (
        await psycopg.AsyncConnection.connect(dsn) as holding,
        await psycopg.AsyncConnection.connect(dsn, autocommit=True) as watching,
    ):

        async def read(data_source_id: str) -> None:
            await holding.execute("LOCK TABLE procrastinate_jobs")

        async def break_off() -> None:
            async with asyncio.timeout(60):
                broken_off = None
                while broken_off is None:
                    await asyncio.sleep(0.05)
                    broken_off = await (await watching.execute(BREAK_OFF_THE_END)).fetchone()

        async with worker(services, read):
            try:
                yield break_off, holding.rollback
            finally:
                await holding.rollback()


async def until_no_job_is_left(services: Services) -> None:
    async with asyncio.timeout(30):
        while await jobs(services):  # noqa: ASYNC110 - the database sends no event
            await asyncio.sleep(0.05)


def read_with(services: Services) -> Callable[[str], Awaitable[None]]:
    async def read(data_source_id: str) -> None:
        await read_data_source(services, data_source_id)

    return read


async def until_processed(client: Client, data_source_id: str) -> Any:
    async with asyncio.timeout(30):
        while True:
            data_source = await client.get(f"/data-sources/{data_source_id}")
            if data_source["status"] == "processed":
                # The job is done a moment after the document.
                await asyncio.sleep(0.1)
                return data_source
            await asyncio.sleep(0.05)


async def defer(services: Services, data_source_id: str) -> None:
    async with services.database.transaction() as session:
        await services.queue.defer(session, data_source_id, ENGINE_ID)


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))


async def jobs(services: Services) -> list[str]:
    """Return the status of every job."""
    async with services.database.engine.connect() as connection:
        rows = await connection.execute(text("SELECT status::text FROM procrastinate_jobs"))
        return list(rows.scalars())


async def test_only_workers_that_were_heard_of_lately_count(services: Services) -> None:
    async with services.database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text(DIE_IN_THE_MIDST_OF_IT))
        counts = [await count_workers(session)]
        await connection.execute(text("INSERT INTO procrastinate_workers DEFAULT VALUES"))
        counts.append(await count_workers(session))

    assert counts == [0, 1]


async def arguments(services: Services) -> list[Any]:
    """Return what each job carries."""
    async with services.database.engine.connect() as connection:
        return list(
            (await connection.execute(text("SELECT args FROM procrastinate_jobs"))).scalars()
        )
