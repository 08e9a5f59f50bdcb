import asyncio

import numpy as np
import psycopg
import pytest
from sqlalchemy import text

from app.services import Services
from indexing.chunk_search import ChunkSearch
from indexing.embedding import Vectors
from indexing.engine_index import Source
from indexing.lexical_search import select_contents
from indexing.types import Passage
from indexing.vector_cache import HeldVectors, VectorCache
from tests.indexing.searching import searching

ENGINE = "kng_0123456789abcd"
LEASE = ("ds_lease", [[3, 1, 0], [0, 0, 0], [1, 3, 0]])
GUIDE = ("ds_guide", [[0, 1, 1], [1, 1, 0]])
ROOMY = 2**20
WAITING = """
SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE datname = current_database() AND NOT granted
"""
DIMENSIONS = 64


@pytest.fixture
async def services(services: Services) -> Services:
    """Services with one engine, which has two data sources."""
    async with services.database.engine.begin() as connection:
        await services.indexes.create(connection, ENGINE)
    for data_source_id, vectors in (LEASE, GUIDE):
        await _insert(services, data_source_id, vectors)
    return services


async def test_nearest_chunks_and_further_ones_come_with_their_cosines(services: Services) -> None:
    held = await _read(services, VectorCache(ROOMY, DIMENSIONS))

    assert held is not None
    assert held.cosines(_vector([1, 0, 0]), 2, ["ds_guide_0"]) == pytest.approx(
        {"ds_lease_0": 3 / 10**0.5, "ds_guide_1": 0.5**0.5, "ds_guide_0": 0}
    )


async def test_only_chunks_of_wanted_data_sources_are_near(services: Services) -> None:
    held = await _read(services, VectorCache(ROOMY, DIMENSIONS))

    assert held is not None
    cosines = held.cosines(_vector([1, 0, 0]), 5, [], ["ds_guide", "ds_gone"])
    assert cosines == pytest.approx({"ds_guide_0": 0, "ds_guide_1": 0.5**0.5})


async def test_vector_without_a_direction_has_no_cosine(services: Services) -> None:
    held = await _read(services, VectorCache(ROOMY, DIMENSIONS))

    assert held is not None
    assert held.cosines(_vector([1, 0, 0]), 1, ["ds_lease_1"])["ds_lease_1"] == 0


async def test_contents_are_those_that_a_search_finds(services: Services) -> None:
    held = await _read(services, VectorCache(ROOMY, DIMENSIONS))
    before = await searching(services.database.engine, _contents)
    await _insert(services, "ds_late", [[1, 1, 1]])
    after = await searching(services.database.engine, _contents)

    assert held is not None
    assert held.contents == before != after
    assert (before.chunk_count, after.chunk_count) == (5, 6)


async def test_deleted_data_source_changes_the_contents(services: Services) -> None:
    before = await searching(services.database.engine, _contents)
    async with services.database.engine.begin() as connection:
        await services.indexes.delete(connection, ENGINE, "ds_guide")

    assert await searching(services.database.engine, _contents) != before


async def test_engine_with_a_chunk_that_waits_for_its_vector_is_not_kept(
    services: Services,
) -> None:
    async with services.database.engine.begin() as connection:
        await connection.execute(
            text(f"UPDATE data_{ENGINE} SET embedding = NULL WHERE node_id = 'ds_guide_0'")
        )

    assert await _read(services, VectorCache(ROOMY, DIMENSIONS)) is None


async def test_engine_is_deleted_while_its_vectors_are_about_to_be_read(
    services: Services,
) -> None:
    async with services.database.engine.begin() as connection:
        await connection.execute(text(f"LOCK TABLE data_{ENGINE}"))
        reading = asyncio.create_task(_read(services, VectorCache(ROOMY, DIMENSIONS)))
        async with asyncio.timeout(30):
            while not (await connection.execute(text(WAITING))).scalar():  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await services.indexes.drop(connection, ENGINE)

    with pytest.raises(psycopg.errors.UndefinedTable):
        await reading


async def test_engine_that_was_asked_for_longest_ago_makes_room(services: Services) -> None:
    cache = VectorCache(5 * DIMENSIONS * 4, DIMENSIONS)
    await _read(services, cache)
    other = "kng_other00000000"
    async with services.database.engine.begin() as connection:
        await services.indexes.create(connection, other)
    await _insert(services, "ds_other", [[1, 0, 0]], engine_id=other)

    assert await _read(services, cache, other) is not None
    assert cache.get(ENGINE) is None


async def test_engine_larger_than_all_room_is_never_read(services: Services) -> None:
    contents = await searching(services.database.engine, _contents)

    assert not VectorCache(5 * DIMENSIONS * 4 - 1, DIMENSIONS).begin_reading(ENGINE, contents)
    assert VectorCache(5 * DIMENSIONS * 4, DIMENSIONS).begin_reading(ENGINE, contents)


async def test_one_engine_is_read_at_a_time_and_then_none_for_a_while(services: Services) -> None:
    cache = VectorCache(ROOMY, DIMENSIONS)
    contents = await searching(services.database.engine, _contents)
    begun = [cache.begin_reading(ENGINE, contents) for _ in range(2)]
    await _read(services, cache)
    cache.end_reading()

    assert begun == [True, False]
    assert not cache.begin_reading("kng_other00000000", contents)


async def test_engine_that_has_changed_is_forgotten(services: Services) -> None:
    cache = VectorCache(ROOMY, DIMENSIONS)
    await _read(services, cache)

    cache.begin_reading(ENGINE, await searching(services.database.engine, _contents))

    assert cache.get(ENGINE) is None


async def _insert(
    services: Services, data_source_id: str, vectors: list[list[int]], engine_id: str = ENGINE
) -> None:
    passages = [Passage(number, 1, "", f"Clause {number}") for number in range(len(vectors))]
    async with services.database.engine.begin() as connection:
        packed = await services.indexes.pack(
            Source(data_source_id, "a.pdf", ""),
            list(zip(passages, map(_vector, vectors), strict=True)),
        )
        await services.indexes.insert(connection, engine_id, packed)


async def _read(
    services: Services, cache: VectorCache, engine_id: str = ENGINE
) -> HeldVectors | None:
    table = ChunkSearch(engine_id, f"data_{engine_id}", "embedding")
    await searching(services.database.engine, lambda connection: cache.read(connection, table))
    return cache.get(engine_id)


def _contents(connection: psycopg.Connection) -> object:
    return select_contents(connection, ENGINE)


def _vector(numbers: list[int]) -> Vectors:
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[: len(numbers)] = numbers
    return vector
