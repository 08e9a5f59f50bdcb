from sqlalchemy import text

from app.services import Services
from indexing.index_counts import (
    IndexCounts,
    Place,
    count_data_source,
    count_engine,
    has_tables,
    select_places,
)
from tests.client import Client


async def test_counts_of_the_documents_are_those_of_their_engine(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    # Eight of a language are enough for their segments to be merged.
    for number in range(8):
        await client.upload(engine_id, f"The rent of house {number} is due in March.".encode())
    await client.read_all(engine_id)
    documents = await client.get(f"/knowledge-engines/{engine_id}/data-sources")

    async with services.database.engine.connect() as connection:
        places = [await select_places(connection, engine_id, one["id"]) for one in documents]
        counts = [
            await count_data_source(connection, engine_id, one["id"], there)
            for one, there in zip(documents, places, strict=True)
        ]
        whole = await count_engine(connection, engine_id)

    assert len({place.segment_id for there in places for place in there}) == 1
    assert [one.chunks for one in counts] == [one["chunk_count"] for one in documents]
    assert [one.vectors for one in counts] == [one["chunk_count"] for one in documents]
    assert whole.chunks == sum(one.chunks for one in counts)
    assert whole.postings == sum(one.postings for one in counts)
    assert min(one.postings for one in counts) >= 5


async def test_chunk_without_a_vector_is_a_chunk(services: Services, engine: str) -> None:
    async with services.database.engine.connect() as connection:
        before = await count_engine(connection, engine)
        await connection.execute(text(f"UPDATE data_{engine} SET embedding = NULL"))

        after = await count_engine(connection, engine)

    assert (after.chunks, after.vectors) == (before.chunks, 0)


async def test_nothing_is_counted_where_there_is_nothing(services: Services, engine: str) -> None:
    async with services.database.engine.connect() as connection:
        unknown = await count_data_source(connection, engine, "ds_0123456789", [Place(9999, 0, 9)])
        gone = await count_engine(connection, "kng_gone")

        assert not await has_tables(connection, "kng_gone")
    assert unknown == gone == IndexCounts(0, 0, 0)
