import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import text

from app.reading import MAX_ATTEMPTS, read_data_source
from app.services import Services
from indexing.embedding import Vectors
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import HashEmbedder

HANDBOOK = FILES / "supplier-handbook.docx"


class HeldEmbedder(HashEmbedder):
    """Embeds nothing before it is let go."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.was_reached = asyncio.Event()
        self.go = threading.Event()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.loop.call_soon_threadsafe(self.was_reached.set)
        self.go.wait(timeout=10)
        return super().embed(texts)


class BrokenEmbedder(HashEmbedder):
    """Fails in a way that nobody has thought of."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise ZeroDivisionError("postgresql://user:secret@host")


async def test_read_document_can_be_found(client: Client, services: Services) -> None:
    engine_id, data_source_id = await upload(client)

    await read_data_source(services, data_source_id)

    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="Invoices paid")
    assert "Invoices are paid within thirty days" in found["chunks"][0]["content"]
    assert found["chunks"][0]["page_number"] == 3


async def test_second_reading_changes_nothing(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)
    await read_data_source(services, data_source_id)
    before = await client.get(f"/data-sources/{data_source_id}")

    await read_data_source(services, data_source_id)

    assert await client.get(f"/data-sources/{data_source_id}") == before


async def test_unknown_data_source_is_left_alone(services: Services) -> None:
    await read_data_source(services, "ds_0123456789abcd")


async def test_deletion_during_the_reading_leaves_no_chunk(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)

    async with held_reading(services, data_source_id) as task:
        await client.call("DELETE", f"/api/v1/data-sources/{data_source_id}")
    await task

    assert await chunk_count(services, engine_id) == 0


async def test_deletion_of_the_engine_during_the_reading_is_no_failure(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)

    async with held_reading(services, data_source_id) as task:
        await client.call("DELETE", f"/api/v1/knowledge-engines/{engine_id}")

    await task


async def test_stage_tells_that_it_is_being_read(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)

    async with held_reading(services, data_source_id) as task:
        data_source = await client.get(f"/data-sources/{data_source_id}")
    await task

    assert (data_source["status"], data_source["stage"]) == ("processing", "reading")


async def test_cancelled_reading_gives_the_attempt_back(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)

    async with held_reading(services, data_source_id) as task:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    assert await attempts(services, data_source_id) == 0
    assert (await client.get(f"/data-sources/{data_source_id}"))["stage"] == "queued"


async def test_document_that_kills_its_readers_has_failed_in_the_end(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)
    await execute(services, f"UPDATE data_source SET attempts = {MAX_ATTEMPTS}")

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert (data_source["status"], data_source["outcome"]) == ("processed", "failed")
    assert data_source["error"].startswith("the reading was cut off 4 times")
    assert await chunk_count(services, engine_id) == 0


async def test_last_attempt_counts_still(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)
    await execute(services, f"UPDATE data_source SET attempts = {MAX_ATTEMPTS - 1}")

    await read_data_source(services, data_source_id)

    assert (await client.get(f"/data-sources/{data_source_id}"))["outcome"] == "ok"


async def test_failure_nobody_thought_of_is_an_outcome(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)
    services.embedder = BrokenEmbedder()

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert data_source["outcome"] == "failed"
    assert data_source["error"] == "an error in the service stopped the reading; see its log"


async def test_file_that_is_gone_ends_the_reading(client: Client, services: Services) -> None:
    engine_id, data_source_id = await upload(client)
    await services.files.delete([f"{engine_id}/{data_source_id}"])

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert data_source["outcome"] == "failed"
    assert data_source["error"] == "the stored file is gone; upload the document again"


async def test_database_that_fails_while_storing_leaves_no_chunk(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)
    await execute(services, f"DROP TABLE lexical_postings_{engine_id}")

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert (data_source["outcome"], data_source["chunk_count"]) == ("failed", 0)
    assert await chunk_count(services, engine_id) == 0


async def test_document_that_takes_too_long_has_failed(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)
    services.settings.read_timeout_seconds = 0
    services.settings.read_timeout_seconds_per_mb = 0

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert (data_source["outcome"], data_source["error"]) == ("failed", "took longer than 0 s")


@asynccontextmanager
async def held_reading(
    services: Services, data_source_id: str
) -> AsyncIterator["asyncio.Task[None]"]:
    """Begin a reading, and hold it before its last step for as long as this lasts."""
    services.embedder = held = HeldEmbedder(asyncio.get_running_loop())
    task = asyncio.create_task(read_data_source(services, data_source_id))
    await asyncio.wait_for(held.was_reached.wait(), timeout=10)
    yield task
    held.go.set()


async def upload(client: Client) -> tuple[str, str]:
    engine_id = await client.create_engine()
    uploaded: Any = await (await client.upload(engine_id, HANDBOOK)).get_json()
    return engine_id, uploaded["id"]


async def chunk_count(services: Services, engine_id: str) -> int:
    return int(await scalar(services, f"SELECT count(*) FROM data_{engine_id}"))


async def attempts(services: Services, data_source_id: str) -> int:
    return int(
        await scalar(services, f"SELECT attempts FROM data_source WHERE id = '{data_source_id}'")
    )


async def scalar(services: Services, statement: str) -> Any:
    async with services.database.engine.connect() as connection:
        return (await connection.execute(text(statement))).scalar_one()


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))
