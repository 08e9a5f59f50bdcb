"""What holds for an engine wherever its vectors live, with a real PostgreSQL and a real Milvus."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from app.milvus import discard_vectors
from app.services import Services
from config.settings import VectorStoreName
from indexing.index_counts import count_engine
from tests.indexing.engines_in_stores import delete, embed_all, insert, new_engine, use_milvus
from tests.milvus_server import MilvusServer

WORDS = [f"word{number}" for number in range(60)]
QUERY = "word1 word2 word3 word4"

few_examples = settings(
    max_examples=12,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(autouse=True)
def _both_stores(services: Services, milvus: MilvusServer) -> None:
    use_milvus(services, milvus)


@pytest.fixture(params=list(VectorStoreName))
async def engine_id(services: Services, request: pytest.FixtureRequest) -> str:
    """An engine whose vectors live in the one store, then in the other."""
    return await new_engine(services, request.param)


async def test_nearest_chunk_comes_first_where_no_word_is_known(
    services: Services, engine_id: str
) -> None:
    await insert(services, engine_id, "ds_lease", ["the rent is 900", "it ends in march"])
    async with services.database.engine.begin() as connection:
        await connection.execute(text(f"TRUNCATE lexical_runs_{engine_id}"))

    chunks = await services.indexes.retrieve(engine_id, "in march it ends", 2)

    assert [one.chunk_id for one in chunks] == ["ds_lease_1", "ds_lease_0"]
    assert chunks[0].score > 0.69


async def test_what_was_stored_is_found_at_once(services: Services, engine_id: str) -> None:
    for number in range(5):
        await insert(services, engine_id, f"ds_{number}", texts(4, seed=number))

        found = await services.indexes.retrieve(engine_id, QUERY, 20)

        assert len(found) == 4 * (number + 1)


async def test_deleted_data_source_is_not_found_and_takes_nobodys_place(
    services: Services, engine_id: str
) -> None:
    near = [QUERY] * 130
    await insert(services, engine_id, "ds_near", near)
    await insert(services, engine_id, "ds_far", texts(60, seed=1))
    await delete(services, engine_id, "ds_near")

    before = await services.indexes.retrieve(engine_id, QUERY, 20)
    await discard_vectors(services)
    after = await services.indexes.retrieve(engine_id, QUERY, 20)

    assert [one.chunk_id for one in before] == [one.chunk_id for one in after]
    assert {one.data_source_id for one in before} == {"ds_far"}
    assert len(before) == 20
    assert await vectors_of(services, engine_id) == 60


async def test_chunk_gets_its_vector_later_and_once(services: Services, engine_id: str) -> None:
    await insert(services, engine_id, "ds_late", texts(8, seed=1), embedded=False)
    by_words = await services.indexes.retrieve(engine_id, QUERY, 20)

    given_now = await embed_all(services, engine_id, "ds_late")
    by_both = await services.indexes.retrieve(engine_id, QUERY, 20)

    assert len(by_words) == len(by_both) == len(given_now) == 8
    assert [one.score for one in by_words] != [one.score for one in by_both]
    assert await embed_all(services, engine_id, "ds_late") == []


async def test_transaction_that_fails_leaves_nothing_that_is_found(
    services: Services, engine_id: str
) -> None:
    await insert(services, engine_id, "ds_kept", texts(3, seed=1))
    await insert(services, engine_id, "ds_late", texts(3, seed=2), embedded=False)
    async with services.database.engine.connect() as connection:
        chunk_ids = [f"ds_late_{number}" for number in range(3)]
        vectors = services.embedder.embed(texts(3, seed=2))
        await services.indexes.update_vectors(connection, engine_id, chunk_ids, vectors)
        await connection.rollback()

    assert await embed_all(services, engine_id, "ds_late") == chunk_ids
    assert await vectors_of(services, engine_id) == 6


async def test_engine_of_nothing_finds_nothing(services: Services, engine_id: str) -> None:
    assert await services.indexes.retrieve(engine_id, QUERY, 5) == []
    assert await services.indexes.retrieve(engine_id, QUERY, 5, ["ds_none"]) == []


async def test_dropped_engine_leaves_nothing(services: Services, engine_id: str) -> None:
    from app.models.knowledge_engine import KnowledgeEngine, delete_knowledge_engine
    from indexing.placement import insert_unclaimed_vectors

    await insert(services, engine_id, "ds_lease", texts(3, seed=1))
    async with services.database.transaction() as session:
        connection = await session.connection()
        await insert_unclaimed_vectors(connection, engine_id)
        await delete_knowledge_engine(session, await session.get_one(KnowledgeEngine, engine_id))
        await services.indexes.drop(connection, engine_id)
    await discard_vectors(services)

    assert await vectors_of(services, engine_id) == 0


@few_examples
@given(
    sizes=st.lists(st.integers(0, 70), min_size=1, max_size=4),
    deleted=st.sets(st.integers(0, 3), max_size=2),
    chosen=st.none() | st.sets(st.integers(0, 3), min_size=1, max_size=3),
    top_k=st.integers(1, 20),
)
async def test_both_stores_find_the_same_and_as_much_as_there_is(
    services: Services,
    sizes: list[int],
    deleted: set[int],
    chosen: set[int] | None,
    top_k: int,
) -> None:
    engines = [await new_engine(services, store) for store in VectorStoreName]
    for engine_id in engines:
        for number, size in enumerate(sizes):
            await insert(services, engine_id, f"ds_{number}", texts(size, seed=number))
        for number in deleted:
            await delete(services, engine_id, f"ds_{number}")
    wanted = None if chosen is None else [f"ds_{number}" for number in sorted(chosen)]
    eligible = sum(
        size
        for number, size in enumerate(sizes)
        if number not in deleted and (chosen is None or number in chosen)
    )

    one, other = [await services.indexes.retrieve(e, QUERY, top_k, wanted) for e in engines]

    assert [chunk.chunk_id for chunk in one] == [chunk.chunk_id for chunk in other]
    assert [chunk.score for chunk in one] == pytest.approx(
        [chunk.score for chunk in other], abs=1e-5
    )
    assert len(one) == min(top_k, eligible)
    assert wanted is None or {chunk.data_source_id for chunk in one} <= set(wanted)


async def vectors_of(services: Services, engine_id: str) -> int:
    """Return how many vectors there are, counted where they live."""
    async with services.database.engine.connect() as connection:
        in_postgres = (await count_engine(connection, engine_id)).vectors
    return in_postgres or services.indexes.milvus.count(engine_id)


def texts(count: int, *, seed: int) -> Sequence[str]:
    """Return texts of random words, each another one."""
    words = random.Random(seed)
    return [f"{' '.join(words.choices(WORDS, k=9))} {seed}x{number}" for number in range(count)]
