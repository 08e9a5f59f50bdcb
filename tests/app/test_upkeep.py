import asyncio
import os
import time

from sqlalchemy import text

from app.database import Database
from app.services import Services
from app.upkeep import keep_up, sweep_files, take_up
from tests.client import Client
from tests.conftest import FILES

HANDBOOK = FILES / "supplier-handbook.docx"
TWO_HOURS = 7200.0


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


async def test_old_file_without_a_data_source_is_deleted(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)
    for key in ("kng_gone/ds_old", "kng_gone/ds_new"):
        await services.files.save(key, HANDBOOK)
    grow_old(services, "kng_gone/ds_old")
    grow_old(services, f"{engine_id}/{data_source_id}")

    await sweep_files(services)

    assert stored_files(services) == {data_source_id, "ds_new"}


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


async def keep_up_once(services: Services) -> None:
    async with services.queue.opened():
        await take_up(services)


async def upload(client: Client) -> tuple[str, str]:
    engine_id = await client.create_engine()
    uploaded = await (await client.upload(engine_id, HANDBOOK)).get_json()
    return engine_id, uploaded["id"]


def grow_old(services: Services, key: str) -> None:
    then = time.time() - TWO_HOURS
    os.utime(services.settings.data_dir / "files" / key, (then, then))


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
