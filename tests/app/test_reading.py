import asyncio
import gc
import os
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from sqlalchemy import text

from app.jobs import JobQueue
from app.reading import MAX_ATTEMPTS, WATCH_SECONDS, read_data_source, read_limits
from app.services import Services
from config.settings import Settings
from indexing.embedding import Vectors
from indexing.embedding_line import EmbeddingLine
from indexing.figures import DescriptionFailed
from indexing.partition.processes.ready_readers import ready_readers
from indexing.partition.unreadable import TOO_MUCH
from indexing.types import CELL_MARK, Passage
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import HashEmbedder, ScriptedLLM
from tests.files.drawn import draw_chart
from tests.readers import readers

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


class ListeningEmbedder(HashEmbedder):
    """Keeps the texts it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return super().embed(texts)


class ListeningQueue(JobQueue):
    """Keeps the rows that were said to get on."""

    def __init__(self, database_url: str) -> None:
        super().__init__(database_url)
        self.got_on: list[str] = []

    def note_progress(self, row_id: str) -> None:
        self.got_on.append(row_id)


class CountingEmbedder(HashEmbedder):
    """Keeps how many passages are in memory whenever it is asked."""

    def __init__(self) -> None:
        self.passages: list[int] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.passages.append(sum(isinstance(one, Passage) for one in gc.get_objects()))
        return super().embed(texts)


class BrokenEmbedder(HashEmbedder):
    """Fails in a way that nobody has thought of."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise ZeroDivisionError("postgresql://user:secret@host")


async def test_queue_is_told_of_pages_that_are_read_and_of_vectors(
    client: Client, services: Services, database_url: str
) -> None:
    engine_id = await client.create_engine()
    uploaded = await (await client.upload(engine_id, HANDBOOK)).get_json()
    queue = ListeningQueue(database_url)

    await read_data_source(replace(services, queue=queue), uploaded["id"])

    assert queue.got_on == [uploaded["id"]] * 2


async def test_read_document_can_be_found(client: Client, services: Services) -> None:
    engine_id, data_source_id = await upload(client)

    await read_data_source(services, data_source_id)

    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="Invoices paid")
    assert "Invoices are paid within thirty days" in found["chunks"][0]["content"]
    assert found["chunks"][0]["page_number"] == 3


async def test_a_reader_reads_on_for_its_engine_and_no_other(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client, FILES / "warehouse-lease.pdf")

    await read_data_source(services, data_source_id)

    assert ready_readers().take_kept("ke_other") is None
    reader = ready_readers().take_kept(engine_id)
    assert reader is not None
    ready_readers().end(reader)


async def test_second_reading_changes_nothing(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)
    await read_data_source(services, data_source_id)
    before = await client.get(f"/data-sources/{data_source_id}")

    await read_data_source(services, data_source_id)

    assert await client.get(f"/data-sources/{data_source_id}") == before


async def test_two_workers_that_hold_one_document_store_it_once(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)
    loop = asyncio.get_running_loop()
    held = [HeldEmbedder(loop), HeldEmbedder(loop)]
    others = [replace(services, embedder=embedder) for embedder in held]

    # Both have taken it up before one of them stores it; none ends before both have stored it.
    workers = [asyncio.create_task(read_data_source(one, data_source_id)) for one in others]
    both = asyncio.gather(*(embedder.was_reached.wait() for embedder in held))
    await asyncio.wait([*workers, both], timeout=30, return_when=asyncio.FIRST_COMPLETED)
    for embedder in held:
        embedder.go.set()
    await asyncio.gather(*workers)

    source = await client.get(f"/data-sources/{data_source_id}")
    assert (source["outcome"], source["error"]) == ("ok", None)
    found = await client.post(
        f"/knowledge-engines/{engine_id}/retrieve", query="Invoices paid", top_k=20
    )
    assert found["total_chunks"] == source["chunk_count"]


def test_no_more_read_at_once_than_is_set_and_than_there_are_processors() -> None:
    processors = os.cpu_count() or 1

    assert read_limits(Settings(worker_concurrency=1), 1).readers == 1
    assert read_limits(Settings(worker_concurrency=64), 1).readers == min(64, processors)


def test_larger_document_may_take_longer() -> None:
    small, large = (read_limits(Settings(), size) for size in (1, 2**20 + 1))

    per_mb = Settings().read_timeout_seconds_per_mb
    assert large.wall_seconds - small.wall_seconds == per_mb
    assert large.cpu_seconds - small.cpu_seconds == per_mb
    assert large.page_seconds > small.page_seconds


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


async def test_document_is_found_by_its_words_while_it_is_embedded(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)

    async with held_reading(services, data_source_id) as task:
        data_source = await client.get(f"/data-sources/{data_source_id}")
        found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="Invoices paid")
    await task

    assert (data_source["status"], data_source["stage"]) == ("processing", "embedding")
    assert data_source["progress"] == 0.5
    assert "Invoices are paid within thirty days" in found["chunks"][0]["content"]
    assert await unembedded(services, engine_id) == 0


async def test_embedding_that_was_cut_off_goes_on_where_it_was(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)
    async with held_reading(services, data_source_id) as task:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    chunks = await chunk_count(services, engine_id)
    half = f"SELECT node_id FROM data_{engine_id} ORDER BY node_id LIMIT {chunks // 2}"
    vector = "array_fill(0.5, ARRAY[64])::vector"
    await execute(
        services,
        f"UPDATE data_{engine_id} SET embedding = {vector} WHERE node_id IN ({half})",
    )
    await services.files.delete([f"{engine_id}/{data_source_id}"])  # It must not be read again.
    late, early = [
        # Rows are embedded without the marks between their cells.
        {
            text.replace(CELL_MARK, " ")
            for text in await texts(services, f"data_{engine_id} WHERE {one}")
        }
        for one in ("embedding IS NULL", "embedding IS NOT NULL")
    ]
    listening = ListeningEmbedder()
    services.embedding_line = EmbeddingLine(listening)

    await read_data_source(services, data_source_id)

    assert (await client.get(f"/data-sources/{data_source_id}"))["outcome"] == "ok"
    assert late <= set(listening.texts)
    assert not early & set(listening.texts)
    assert await chunk_count(services, engine_id) == chunks
    assert await unembedded(services, engine_id) == 0


async def test_passages_are_let_go_before_they_are_embedded(
    client: Client, services: Services
) -> None:
    counting = CountingEmbedder()
    services.embedding_line = EmbeddingLine(counting)
    _, data_source_id = await upload(client)

    await read_data_source(services, data_source_id)

    assert counting.passages
    assert not any(counting.passages)


async def test_deletion_ends_a_reading_that_hangs_on_a_page(
    client: Client, services: Services
) -> None:
    _, data_source_id = await upload(client)
    task = asyncio.create_task(read_data_source(services, data_source_id))
    reader = await stopped_reader(task)

    await client.call("DELETE", f"/api/v1/data-sources/{data_source_id}")
    await asyncio.wait_for(task, timeout=WATCH_SECONDS + 5)

    await asyncio.to_thread(reader.wait, 10)


@pytest.mark.parametrize("path", ["data-sources/{1}", "knowledge-engines/{0}"])
async def test_deletion_ends_a_reading_that_hangs_on_an_embedding(
    client: Client, services: Services, path: str
) -> None:
    given = await upload(client)

    async with held_reading(services, given[1]) as task:
        await client.call("DELETE", f"/api/v1/{path.format(*given)}")
        ended, _ = await asyncio.wait([task], timeout=WATCH_SECONDS + 5)

    assert ended == {task}


async def test_merging_its_segments_outlasts_the_outcome(
    client: Client, services: Services
) -> None:
    engine_id, data_source_id = await upload(client)
    lock = text(f"LOCK TABLE lexical_counts_{engine_id} IN ACCESS EXCLUSIVE MODE")

    async with services.database.transaction() as session:
        async with held_reading(services, data_source_id) as task:
            await (await session.connection()).execute(lock)
        ended, _ = await asyncio.wait([task], timeout=WATCH_SECONDS + 1)
        data_source = await client.get(f"/data-sources/{data_source_id}")
    await asyncio.wait_for(task, timeout=10)

    assert data_source["outcome"] == "ok"
    assert not ended


async def test_figure_is_found_by_what_a_model_says_of_it(
    client: Client, services: Services, llm: ScriptedLLM, tmp_path: Path
) -> None:
    services.settings.vision_model = "delta-5.4"
    llm.descriptions = ["A bar chart of lamps sold per month; February is highest at 365."]
    engine_id, data_source_id = await upload(client, chart_in(tmp_path))

    await read_data_source(services, data_source_id)

    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="highest month")
    (page,) = await client.get(f"/data-sources/{data_source_id}/pages")
    assert any("February is highest at 365" in chunk["content"] for chunk in found["chunks"])
    assert page["read_by"] == "vision"
    ((image, _),) = llm.images
    assert image.startswith(b"\xff\xd8")


async def test_figure_that_no_model_describes_keeps_its_words(
    client: Client, services: Services, llm: ScriptedLLM, tmp_path: Path
) -> None:
    services.settings.vision_model = "delta-5.4"
    llm.descriptions = [DescriptionFailed("the model provider did not answer in time")]
    engine_id, data_source_id = await upload(client, chart_in(tmp_path))

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="Lamps sold")
    assert data_source["outcome"] == "partial"
    assert data_source["error"].endswith("the model provider did not answer in time")
    assert "Lamps sold in 2024" in found["chunks"][0]["content"]


async def test_figure_stays_here_without_a_vision_model(
    client: Client, services: Services, llm: ScriptedLLM, tmp_path: Path
) -> None:
    _, data_source_id = await upload(client, chart_in(tmp_path))

    await read_data_source(services, data_source_id)

    assert (await client.get(f"/data-sources/{data_source_id}"))["outcome"] == "ok"
    assert llm.images == []


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
    engine_id, data_source_id = await upload(client)
    services.embedder = BrokenEmbedder()

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert data_source["outcome"] == "failed"
    assert data_source["error"] == "an error in the service stopped the reading; see its log"
    assert await chunk_count(services, engine_id) == 0


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
    await execute(services, f"DROP TABLE lexical_runs_{engine_id}")

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert (data_source["outcome"], data_source["chunk_count"]) == ("failed", 0)
    assert await chunk_count(services, engine_id) == 0


async def test_what_is_wrong_with_several_parts_is_said_once(
    client: Client, services: Services, tmp_path: Path
) -> None:
    damaged = "".join(f'<img src="data:image/png;base64,AAA{letter}">' for letter in "ABCDEF")
    page = tmp_path / "page.html"
    page.write_text(f"<p>Lamps</p>{damaged}<p>Wicks</p>")
    _, data_source_id = await upload(client, page)

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert data_source["outcome"] == "partial"
    assert data_source["error"].count("2 of the pictures cannot be read") == 1
    assert data_source["error"].endswith("(3 times)")


async def test_document_that_takes_too_long_has_failed(client: Client, services: Services) -> None:
    _, data_source_id = await upload(client)
    services.settings.read_timeout_seconds = 0
    services.settings.read_timeout_seconds_per_mb = 0

    await read_data_source(services, data_source_id)

    data_source = await client.get(f"/data-sources/{data_source_id}")
    assert (data_source["outcome"], data_source["error"]) == (
        "failed",
        f"took longer than 0 s; {TOO_MUCH}",
    )


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


def chart_in(folder: Path) -> Path:
    path = folder / "chart.png"
    draw_chart().save(path)
    return path


async def upload(client: Client, path: Path = HANDBOOK) -> tuple[str, str]:
    engine_id = await client.create_engine()
    uploaded: Any = await (await client.upload(engine_id, path)).get_json()
    return engine_id, uploaded["id"]


async def stopped_reader(task: "asyncio.Task[None]") -> psutil.Process:
    """Wait for the reader process of a reading, and let it hang."""
    while not task.done():
        for reader in readers():
            reader.suspend()
            return reader
        await asyncio.sleep(0.001)
    raise AssertionError("the reading was over before its reader was seen")


async def unembedded(services: Services, engine_id: str) -> int:
    return int(
        await scalar(services, f"SELECT count(*) FROM data_{engine_id} WHERE embedding IS NULL")
    )


async def chunk_count(services: Services, engine_id: str) -> int:
    return int(await scalar(services, f"SELECT count(*) FROM data_{engine_id}"))


async def attempts(services: Services, data_source_id: str) -> int:
    return int(
        await scalar(services, f"SELECT attempts FROM data_source WHERE id = '{data_source_id}'")
    )


async def texts(services: Services, source: str) -> list[str]:
    async with services.database.engine.connect() as connection:
        return list((await connection.execute(text(f"SELECT text FROM {source}"))).scalars())


async def scalar(services: Services, statement: str) -> Any:
    async with services.database.engine.connect() as connection:
        return (await connection.execute(text(statement))).scalar_one()


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))
