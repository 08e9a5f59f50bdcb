import asyncio
from datetime import UTC, datetime

from sqlalchemy import text

from app.database import Database
from app.models.unclaimed_file import insert_unclaimed, select_unclaimed
from app.services import Services
from app.upkeep import delete_unclaimed_files, keep_up, take_up
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
