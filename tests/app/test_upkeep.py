import asyncio
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text

from app.database import Database
from app.models.stream import insert_stream, select_live_streams
from app.models.tool_run import ToolRun, insert_tool_run, select_tool_run
from app.models.unclaimed_file import insert_unclaimed, select_unclaimed
from app.services import Services
from app.upkeep import (
    RUN_DIED,
    build_graphs,
    delete_audit_entries,
    delete_copies,
    delete_streams,
    delete_unclaimed_files,
    fail_runs_of_the_dead,
    keep_up,
    take_up,
)
from indexing.hybrid_search import LARGE_ENGINE_CHUNKS
from tests.app.models.rows import new_engine
from tests.app.test_work_folder import grow_old, killed_at_work
from tests.client import Client
from tests.conftest import FILES

HANDBOOK = FILES / "supplier-handbook.docx"


async def test_data_source_without_a_job_is_queued_again(
    client: Client, services: Services
) -> None:
    await upload(client)
    await execute(services, "DELETE FROM procrastinate_jobs")

    await keep_up_once(services)

    assert await jobs(services) == ["todo"]


async def test_data_source_whose_job_failed_is_queued_again(
    client: Client, services: Services
) -> None:
    await upload(client)
    await execute(services, "UPDATE procrastinate_jobs SET status = 'failed'")

    await keep_up_once(services)

    assert await jobs(services) == ["failed", "todo"]


async def test_data_source_that_waits_for_its_turn_is_left_alone(
    client: Client, services: Services
) -> None:
    await upload(client)

    for _ in range(2):
        await keep_up_once(services)

    assert await jobs(services) == ["todo"]


async def test_processed_data_source_is_left_alone(client: Client, services: Services) -> None:
    engine_id, _ = await upload(client)
    await client.read_all(engine_id)
    await execute(services, "DELETE FROM procrastinate_jobs")

    await keep_up_once(services)

    assert await jobs(services) == []


async def test_tool_run_without_a_job_is_queued_again(services: Services) -> None:
    await store_run(services, async_response=True)

    for _ in range(2):
        await keep_up_once(services)

    assert await jobs(services) == ["todo"]


async def test_tool_run_whose_process_has_died_has_failed(services: Services) -> None:
    run = await store_run(services)
    await execute(services, "UPDATE tool_run SET heartbeat_at = now() - interval '16 seconds'")

    await fail_runs_of_the_dead(services)

    async with services.database.transaction() as session:
        ended = await select_tool_run(session, run.account_id, run.id)
    assert ended is not None
    assert (ended.status, ended.error) == ("failed", RUN_DIED)


async def test_file_that_is_long_unclaimed_is_deleted(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)
    for key in ("kng_gone/ds_old", "kng_gone/ds_new"):
        await services.files.save(key, HANDBOOK)
        async with services.database.transaction() as session:
            await insert_unclaimed(session, [key])
    age = "UPDATE unclaimed_file SET created_at = now() - interval '2 hours' WHERE key LIKE '%old'"
    await execute(services, age)

    await delete_unclaimed_files(services)

    assert stored_files(services) == {data_source_id, "ds_new"}
    async with services.database.transaction() as session:
        assert await select_unclaimed(session, datetime.now(UTC)) == ["kng_gone/ds_new"]


async def test_unclaimed_file_that_was_never_stored_is_forgotten(services: Services) -> None:
    async with services.database.transaction() as session:
        await insert_unclaimed(session, ["kng_gone/ds_never"])
    await execute(services, "UPDATE unclaimed_file SET created_at = now() - interval '2 hours'")

    await delete_unclaimed_files(services)

    async with services.database.transaction() as session:
        assert await select_unclaimed(session, datetime.now(UTC)) == []


async def test_stream_that_can_no_longer_be_resumed_is_deleted(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_stream(session, "old", account_id, "kng_1")
        await insert_stream(session, "new", account_id, "kng_1")
    age = "UPDATE stream SET recorded_at = now() - interval '601 seconds' WHERE id = 'old'"
    await execute(services, age)

    await delete_streams(services)

    async with services.database.transaction() as session:
        assert await select_live_streams(session, ["old", "new"]) == {"new"}


async def test_old_entries_of_the_audit_log_are_deleted(client: Client, services: Services) -> None:
    for _ in range(2):
        await client.create_engine()
    kept, old = await client.get("/audit-log")
    await execute(
        services,
        "UPDATE audit_entry SET created_at = now() - CASE WHEN id = '{}' "
        "THEN interval '366 days' ELSE interval '364 days' END".format(old["id"]),
    )

    await delete_audit_entries(services)

    assert [entry["id"] for entry in await client.get("/audit-log")] == [kept["id"]]


async def test_large_engine_is_given_a_graph(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    await client.add(engine_id, FILES / "warehouse-lease.pdf")
    await build_graphs(services)
    before = await graph_count(services)
    async with services.database.transaction() as session:
        connection = await session.connection()
        await connection.execute(
            text("UPDATE data_source SET chunk_count = :chunks"), {"chunks": LARGE_ENGINE_CHUNKS}
        )

    await build_graphs(services)
    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="Dock Road")

    assert (before, await graph_count(services)) == (0, 1)
    assert found["chunks"]


async def test_copy_that_a_killed_worker_was_reading_is_deleted(services: Services) -> None:
    copies = services.settings.work_dir / "worker-1"
    copies.mkdir()
    copy = killed_at_work(copies)
    grow_old(copy)

    async with services.files.local_copy(await stored(services), copies) as copy_in_use:
        grow_old(copy_in_use.parent)
        await delete_copies(services)

        assert copy_in_use.read_bytes() == HANDBOOK.read_bytes()
        assert list(copies.iterdir()) == [copy_in_use.parent]


async def test_receipt_that_is_pending_is_completed(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    await services.files.save(f"{engine_id}/ds_late", HANDBOOK)
    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine_id}?receipt=true")
    (pending,) = await client.get("/deletion-receipts")
    await services.files.delete([f"{engine_id}/ds_late"])

    async with services.queue.opened():
        upkeep = asyncio.create_task(keep_up(services))
        signed = await until_signed(client)
        upkeep.cancel()
        await asyncio.wait([upkeep])

    assert pending["status"] == "pending"
    assert signed["id"] == pending["id"]


async def test_upkeep_goes_on_when_the_database_comes_back(
    client: Client, services: Services
) -> None:
    await upload(client)
    await execute(services, "DELETE FROM procrastinate_jobs")
    there, services.database = services.database, Database("postgresql+psycopg://127.0.0.1:1/x", 1)

    async with services.queue.opened():
        upkeep = asyncio.create_task(keep_up(services))
        await asyncio.sleep(0.5)
        is_waiting = not upkeep.done()
        upkeep.cancel()
        await asyncio.wait([upkeep])
    services.database = there

    assert is_waiting
    assert upkeep.cancelled()


async def until_signed(client: Client) -> Any:
    """Wait until the one receipt that there is has been signed, and return it."""
    async with asyncio.timeout(30):
        while True:
            (receipt,) = await client.get("/deletion-receipts")
            if receipt["status"] == "signed":
                return receipt
            await asyncio.sleep(0.05)


async def keep_up_once(services: Services) -> None:
    async with services.queue.opened():
        await take_up(services)


async def upload(client: Client) -> tuple[str, str]:
    engine_id = await client.create_engine()
    uploaded = await (await client.upload(engine_id, HANDBOOK)).get_json()
    return engine_id, uploaded["id"]


async def store_run(services: Services, *, async_response: bool = False) -> ToolRun:
    """Store a tool run that no process works on."""
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        run = ToolRun(
            id="trun_1",
            account_id=account_id,
            knowledge_engine_id="kng_1",
            tool={},
            async_response=async_response,
        )
        await insert_tool_run(session, run)
    return run


async def stored(services: Services) -> str:
    """Return the key of a file that is kept."""
    await services.files.save("kng_1/ds_1", HANDBOOK)
    return "kng_1/ds_1"


def stored_files(services: Services) -> set[str]:
    folder = services.settings.data_dir / "files"
    return {path.name for path in folder.rglob("*") if path.is_file()}


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))


async def jobs(services: Services) -> list[str]:
    """Return the status of every job."""
    statement = "SELECT status::text FROM procrastinate_jobs ORDER BY id"
    async with services.database.engine.connect() as connection:
        return list((await connection.execute(text(statement))).scalars())


async def graph_count(services: Services) -> int:
    async with services.database.engine.connect() as connection:
        statement = text("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%USING hnsw%'")
        return int((await connection.execute(statement)).scalar_one())
