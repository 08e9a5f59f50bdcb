import numpy as np
import pytest
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from app.services import Services
from indexing.types import NO_PAGE, Chunk, Passage
from indexing.vector_store import EngineVectorStore, chunk_id, to_chunk, to_node

ENGINE = "kng_0123456789abcd"


@pytest.fixture
async def store(services: Services) -> EngineVectorStore:
    """The table of an engine, with two chunks of one data source and one of another."""
    store = EngineVectorStore.of_engine(ENGINE, services.database.engine, 3)
    async with services.database.engine.begin() as connection:
        await store.create(connection)
        await store.insert(connection, [node("ds_1", 0, 1), node("ds_1", 1, 2), node("ds_2", 0, 3)])
    return store


async def test_nearest_chunks_come_first(store: EngineVectorStore) -> None:
    found = await store.aquery(VectorStoreQuery(query_embedding=[1, 2, 1], similarity_top_k=2))

    assert found.ids == ["ds_1_1", "ds_2_0"]
    assert found.similarities is not None
    assert found.similarities[0] == pytest.approx(1)


async def test_one_data_source_can_be_searched_alone(store: EngineVectorStore) -> None:
    query = VectorStoreQuery(query_embedding=[1, 2, 1], similarity_top_k=5)

    assert (await store.aquery(query, data_source_id="ds_2")).ids == ["ds_2_0"]


async def test_named_chunks_come_along_with_the_nearest(store: EngineVectorStore) -> None:
    query = VectorStoreQuery(query_embedding=[1, 2, 1], similarity_top_k=1)

    found = await store.aquery(query, node_ids=["ds_2_0", "ds_1_1", "ds_9_9"])

    assert sorted(found.ids or []) == ["ds_1_1", "ds_2_0"]


async def test_text_of_a_filter_is_only_a_value(store: EngineVectorStore) -> None:
    query = VectorStoreQuery(query_embedding=[1, 2, 1], similarity_top_k=5)

    assert (await store.aquery(query, data_source_id="' OR true --")).ids == []


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


def test_node_and_chunk_are_the_same_passage() -> None:
    passage = Passage(4, NO_PAGE, "Prices", "LN-100 | 24.5")

    made = to_node(
        passage, np.array([1, 0, 0], np.float32), data_source_id="ds_1", file_name="p.xlsx"
    )

    assert to_chunk(made, 0.5) == Chunk(
        "ds_1_4", "ds_1", "p.xlsx", NO_PAGE, "LN-100 | 24.5", "Prices", 0.5
    )
    assert made.embedding == [1, 0, 0]


def test_chunk_is_named_after_its_place() -> None:
    assert chunk_id("ds_1", 12) == "ds_1_12"


def node(data_source_id: str, position: int, weight: int) -> TextNode:
    vector = np.array([1, weight, 1], np.float32)
    passage = Passage(position, 1, "", f"Clause {weight}")
    return to_node(passage, vector, data_source_id=data_source_id, file_name="lease.pdf")


async def ids(connection: AsyncConnection) -> list[str]:
    rows = await connection.execute(text(f"SELECT node_id FROM data_{ENGINE} ORDER BY node_id"))
    return list(rows.scalars())
