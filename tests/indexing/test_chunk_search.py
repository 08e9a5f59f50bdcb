from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import psycopg
import pytest
from sqlalchemy import text

from app.services import Services
from indexing.types import Chunk, Passage
from indexing.vector_store import EngineVectorStore, to_node
from tests.indexing.engine_tables import ENGINE, autocommit, nearest
from tests.indexing.searching import searching

WHOLE_READINGS = "SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = %s"


async def test_nearest_chunks_are_found(store: EngineVectorStore) -> None:
    found = await nearest(store, limit=2)

    assert {one.chunk_id for one in found} == {"ds_1_1", "ds_2_0"}
    assert max(one.score for one in found) == pytest.approx(1)


async def test_chunk_comes_back_with_all_that_is_known_of_it(store: EngineVectorStore) -> None:
    (found,) = await nearest(store, limit=1)

    assert replace(found, score=0) == Chunk("ds_1_1", "ds_1", "lease.pdf", 1, "Clause 2", "Rent")


async def test_chunk_comes_back_with_its_place_on_the_page(
    store: EngineVectorStore, services: Services
) -> None:
    passage = Passage(0, 1, "", "Clause 4", box=(0.1, 0.25, 0.9, 0.5))
    placed = to_node(passage, None, data_source_id="ds_3", file_name="lease.pdf")
    async with services.database.engine.begin() as connection:
        await store.insert(connection, [placed])

    (found,) = await nearest(store, data_source_ids=["ds_3"])

    assert found.box == (0.1, 0.25, 0.9, 0.5)


async def test_some_data_sources_can_be_searched_alone(store: EngineVectorStore) -> None:
    found = await nearest(store, data_source_ids=["ds_2", "ds_9"])

    assert [one.chunk_id for one in found] == ["ds_2_0"]


async def test_named_chunks_come_with_their_cosines(store: EngineVectorStore) -> None:
    found = await scored(store, ["ds_2_0", "ds_9_9"])

    assert found is not None
    (one,) = found
    assert replace(one, score=0) == Chunk("ds_2_0", "ds_2", "lease.pdf", 1, "Clause 3", "Rent")
    assert one.score == pytest.approx(8 / (6 * 11) ** 0.5)


async def test_named_chunk_without_a_vector_has_no_cosine(
    store: EngineVectorStore, services: Services
) -> None:
    await forget_vector(services, "ds_2_0")

    found = await scored(store, ["ds_2_0"])

    assert found is not None
    assert [one.score for one in found] == [0]


async def test_chunk_without_a_vector_comes_last(
    store: EngineVectorStore, services: Services
) -> None:
    await forget_vector(services, "ds_1_1")

    assert "ds_1_1" not in {one.chunk_id for one in await nearest(store, limit=2)}
    (late,) = [one for one in await nearest(store, limit=3) if one.chunk_id == "ds_1_1"]
    assert late.score == 0


async def test_text_of_a_filter_is_only_a_value(store: EngineVectorStore) -> None:
    assert await nearest(store, data_source_ids=["' OR true --"]) == []


async def test_graph_hides_no_chunk_of_the_data_sources_asked_for(
    store: EngineVectorStore, services: Services
) -> None:
    generator = np.random.default_rng(0)
    async with services.database.engine.begin() as connection:
        for number in range(20):
            vectors = generator.normal(size=(50, 3)).astype(np.float32)
            passages = [Passage(at, 1, "", f"Text {at}") for at in range(50)]
            nodes = [
                to_node(one, vector, data_source_id=f"ds_x{number}", file_name="x.pdf")
                for one, vector in zip(passages, vectors, strict=True)
            ]
            await store.insert(connection, nodes)
    async with autocommit(store) as connection:
        await store.build_graph(connection)
    found = await nearest(store, 50, ["ds_x7"], planner="SET enable_seqscan = off")

    assert len(found) == 50
    assert {one.data_source_id for one in found} == {"ds_x7"}


async def test_search_that_is_repeated_still_goes_by_the_graph(
    store: EngineVectorStore, services: Services
) -> None:
    await fill(store, services, "1 + n % 2")

    assert await whole_readings(store, services, [None] * 8) == [0] * 8


async def test_small_data_source_is_found_fast_after_large_ones(
    store: EngineVectorStore, services: Services
) -> None:
    """Its chunks lie scattered among theirs."""
    await fill(store, services, "CASE WHEN n % 500 = 0 THEN 0 ELSE n % 20 + 1 END")

    large = [f"ds_large_{number + 1}" for number in range(20)]

    readings = await whole_readings(store, services, [*[large] * 8, ["ds_large_0"]])

    assert readings == [1] * 8 + [0]


async def scored(store: EngineVectorStore, chunk_ids: Sequence[str]) -> list[Chunk] | None:
    """Return these chunks with their cosines to (1, 2, 1)."""

    def search(connection: psycopg.Connection) -> list[Chunk] | None:
        return store.chunks.select_scored(connection, np.array([1, 2, 1], np.float32), chunk_ids)

    return await searching(store._async_engine, search)


async def forget_vector(services: Services, chunk_id: str) -> None:
    statement = text(f"UPDATE data_{ENGINE} SET embedding = NULL WHERE node_id = :chunk_id")
    async with services.database.engine.begin() as connection:
        await connection.execute(statement, {"chunk_id": chunk_id})


async def fill(store: EngineVectorStore, services: Services, number: str) -> None:
    """Store 5,000 chunks of large data sources, whose number comes from that of the chunk, `n`."""
    async with services.database.engine.begin() as connection:
        await connection.execute(
            text(
                f"INSERT INTO data_{ENGINE} (node_id, text, metadata_, embedding) "
                "SELECT 'ds_large_' || n, repeat(md5(n::text), 20), "
                f"jsonb_build_object('ref_doc_id', 'ds_large_' || {number}), "
                "ARRAY[n % 7, n % 11, n % 13 + 1]::vector FROM generate_series(1, 5000) AS n"
            )
        )
    async with autocommit(store) as connection:
        await store.build_graph(connection)
        await connection.execute(text(f"VACUUM ANALYZE data_{ENGINE}"))


async def whole_readings(
    store: EngineVectorStore, services: Services, searches: Sequence[Sequence[str] | None]
) -> list[int]:
    """Search on one connection, and return how often each search has read the whole table."""

    def search(connection: psycopg.Connection) -> list[int]:
        readings = []
        for data_source_ids in searches:
            with connection.transaction():
                before = count(connection)
                vector = np.array([1, 2, 1], np.float32)
                store.chunks.nearest(connection, vector, 50, data_source_ids)
                readings.append(count(connection) - before)
        return readings

    def count(connection: psycopg.Connection) -> int:
        row = connection.execute(WHOLE_READINGS, (store.table.name,)).fetchone()
        assert row is not None
        return int(row[0])

    return await searching(services.database.engine, search)
