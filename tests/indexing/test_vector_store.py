from collections.abc import Sequence
from dataclasses import replace
from typing import LiteralString

import numpy as np
import psycopg
import pytest
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.services import Services
from indexing.types import Chunk, Passage
from indexing.vector_store import EngineVectorStore, to_node
from tests.indexing.searching import searching

ENGINE = "kng_0123456789abcd"


@pytest.fixture
async def store(services: Services) -> EngineVectorStore:
    """The table of an engine, with two chunks of one data source and one of another."""
    store = EngineVectorStore.of_engine(ENGINE, services.database.engine, 3)
    async with services.database.engine.begin() as connection:
        await store.create(connection)
        await store.insert(connection, [node("ds_1", 0, 1), node("ds_1", 1, 2), node("ds_2", 0, 3)])
    return store


async def test_nearest_chunks_are_found(store: EngineVectorStore) -> None:
    found = await search(store, limit=2)

    assert {one.chunk_id for one in found} == {"ds_1_1", "ds_2_0"}
    assert max(one.score for one in found) == pytest.approx(1)


async def test_chunk_comes_back_with_all_that_is_known_of_it(store: EngineVectorStore) -> None:
    (found,) = await search(store, limit=1)

    assert replace(found, score=0) == Chunk("ds_1_1", "ds_1", "lease.pdf", 1, "Clause 2", "Rent")


async def test_chunk_comes_back_with_its_place_on_the_page(
    store: EngineVectorStore, services: Services
) -> None:
    passage = Passage(0, 1, "", "Clause 4", box=(0.1, 0.25, 0.9, 0.5))
    placed = to_node(passage, None, data_source_id="ds_3", file_name="lease.pdf")
    async with services.database.engine.begin() as connection:
        await store.insert(connection, [placed])

    (found,) = await search(store, data_source_ids=["ds_3"])

    assert found.box == (0.1, 0.25, 0.9, 0.5)


async def test_some_data_sources_can_be_searched_alone(store: EngineVectorStore) -> None:
    found = await search(store, data_source_ids=["ds_2", "ds_9"])

    assert [one.chunk_id for one in found] == ["ds_2_0"]


async def test_named_chunks_come_along_with_the_nearest_once(store: EngineVectorStore) -> None:
    found = await search(store, limit=1, chunk_ids=["ds_2_0", "ds_1_1", "ds_9_9"])

    assert sorted(one.chunk_id for one in found) == ["ds_1_1", "ds_2_0"]


async def test_chunk_without_a_vector_comes_last(
    store: EngineVectorStore, services: Services
) -> None:
    async with services.database.engine.begin() as connection:
        await connection.execute(
            text(f"UPDATE data_{ENGINE} SET embedding = NULL WHERE node_id = 'ds_1_1'")
        )

    assert "ds_1_1" not in {one.chunk_id for one in await search(store, limit=2)}
    (late,) = [one for one in await search(store, limit=3) if one.chunk_id == "ds_1_1"]
    assert late.score == 0


async def test_text_of_a_filter_is_only_a_value(store: EngineVectorStore) -> None:
    assert await search(store, data_source_ids=["' OR true --"]) == []


async def test_table_serves_llama_index_as_well(store: EngineVectorStore) -> None:
    found = await store.aquery(VectorStoreQuery(query_embedding=[1, 2, 1], similarity_top_k=2))

    assert found.ids == ["ds_1_1", "ds_2_0"]
    assert found.nodes is not None
    assert found.nodes[0].get_content() == "Clause 2"


async def test_other_embedder_has_a_column_and_a_graph_of_its_own(
    store: EngineVectorStore, services: Services
) -> None:
    other = EngineVectorStore.of_engine(ENGINE, services.database.engine, 2000, "embedding_wide")
    wide = np.ones(2000, np.float32)
    async with services.database.engine.begin() as connection:
        await other.add_vectors(connection)
        await other.add_vectors(connection)
        await other.insert(
            connection,
            [to_node(Passage(0, 1, "", "word " * 500), wide, data_source_id="ds_3", file_name="")],
        )

    found = await search(store)
    found_by_other = await searching(
        services.database.engine, lambda connection: other.search(connection, wide, 5)
    )
    async with autocommit(store) as connection:
        assert await store.build_graph(connection)
        assert await other.build_graph(connection)

    assert max(found, key=lambda one: one.score).chunk_id == "ds_1_1"
    assert [one.chunk_id for one in found_by_other if one.score] == ["ds_3_0"]


async def test_vectors_are_given_to_chunks_that_lack_them(
    store: EngineVectorStore, services: Services
) -> None:
    passages = [Passage(at, 1, "Rent", f"Late clause {at}", f"Rent > page {at}") for at in range(3)]
    late = [to_node(one, None, data_source_id="ds_3", file_name="late.pdf") for one in passages]
    async with services.database.engine.begin() as connection:
        await store.insert(connection, late)
        waiting = await store.select_unembedded(connection, "ds_3", 2)
        assert waiting == {
            "ds_3_0": ("Rent > page 0", "Late clause 0"),
            "ds_3_1": ("Rent > page 1", "Late clause 1"),
        }

        vectors = np.array([[1, 2, 1], [0, 0, 1]], np.float32)
        await store.update_vectors(connection, ["ds_3_1", "ds_gone_0"], vectors)

        assert list(await store.select_unembedded(connection, "ds_3", 9)) == ["ds_3_0", "ds_3_2"]
    found = await search(store, data_source_ids=["ds_3"], limit=1)
    assert [(one.chunk_id, round(one.score, 5)) for one in found] == [("ds_3_1", 1)]


async def test_graph_is_built_once(store: EngineVectorStore) -> None:
    async with autocommit(store) as connection:
        built = [await store.build_graph(connection) for _ in range(2)]
        index = await connection.execute(
            text("SELECT indexdef FROM pg_indexes WHERE indexname = :n"),
            {"n": f"data_{ENGINE}_nearest"},
        )

    assert built == [True, False]
    assert "hnsw (embedding vector_cosine_ops)" in index.scalar_one()


async def test_half_built_graph_is_replaced(store: EngineVectorStore) -> None:
    async with autocommit(store) as connection:
        await store.build_graph(connection)
        await connection.execute(
            text("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(:n)"),
            {"n": f"data_{ENGINE}_nearest"},
        )

        assert await store.build_graph(connection)
        assert not await store.build_graph(connection)


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
    found = await search(store, 50, (), ["ds_x7"], planner="SET enable_seqscan = off")

    assert len(found) == 50
    assert {one.data_source_id for one in found} == {"ds_x7"}


async def test_deletion_takes_all_chunks_of_a_data_source(
    store: EngineVectorStore, services: Services
) -> None:
    async with services.database.engine.begin() as connection:
        await store.delete_of(connection, "ds_1")

        assert await ids(connection) == ["ds_2_0"]


async def test_chunk_stands_in_the_table_only_once(
    store: EngineVectorStore, services: Services
) -> None:
    async with services.database.engine.begin() as connection:
        with pytest.raises(IntegrityError):
            await store.insert(connection, [node("ds_2", 0, 3)])
        await connection.rollback()


async def test_no_chunks_are_no_statement(store: EngineVectorStore, services: Services) -> None:
    async with services.database.engine.begin() as connection:
        await store.insert(connection, [])

        assert len(await ids(connection)) == 3


async def test_table_may_be_dropped_twice(store: EngineVectorStore, services: Services) -> None:
    async with services.database.engine.begin() as connection:
        await store.drop(connection)
        await store.drop(connection)
        tables = await connection.execute(
            text("SELECT tablename FROM pg_tables WHERE tablename LIKE 'data_kng%'")
        )

        assert tables.all() == []


def node(data_source_id: str, position: int, weight: int) -> TextNode:
    vector = np.array([1, weight, 1], np.float32)
    passage = Passage(position, 1, "Rent", f"Clause {weight}")
    return to_node(passage, vector, data_source_id=data_source_id, file_name="lease.pdf")


async def search(
    store: EngineVectorStore,
    limit: int = 5,
    chunk_ids: Sequence[str] = (),
    data_source_ids: Sequence[str] | None = None,
    planner: LiteralString = "SELECT 1",
) -> list[Chunk]:
    def run(connection: psycopg.Connection) -> list[Chunk]:
        connection.execute(planner)
        vector = np.array([1, 2, 1], np.float32)
        return store.search(connection, vector, limit, chunk_ids, data_source_ids)

    return await searching(store._async_engine, run)


def autocommit(store: EngineVectorStore) -> AsyncConnection:
    engine: AsyncEngine = store._async_engine.execution_options(isolation_level="AUTOCOMMIT")
    return engine.connect()


async def ids(connection: AsyncConnection) -> list[str]:
    rows = await connection.execute(text(f"SELECT node_id FROM data_{ENGINE} ORDER BY node_id"))
    return list(rows.scalars())
