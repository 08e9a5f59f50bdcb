import numpy as np
import pytest
from llama_index.core.vector_stores.types import VectorStoreQuery
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from app.services import Services
from indexing.types import Passage
from indexing.vector_store import EngineVectorStore, to_node
from tests.indexing.engine_tables import ENGINE, autocommit, nearest, node
from tests.indexing.searching import searching


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

    found = await nearest(store)
    found_by_other = await searching(
        services.database.engine, lambda connection: other.chunks.nearest(connection, wide, 5)
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
    found = await nearest(store, data_source_ids=["ds_3"], limit=1)
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


async def ids(connection: AsyncConnection) -> list[str]:
    rows = await connection.execute(text(f"SELECT node_id FROM data_{ENGINE} ORDER BY node_id"))
    return list(rows.scalars())
