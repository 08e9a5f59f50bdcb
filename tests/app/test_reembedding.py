import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
from sqlalchemy import text

from agents.embedding_service import ServiceEmbedder
from app.reembedding import is_out_of_reach, reembed_engine
from app.services import Services
from indexing.embedding import EmbedderAway
from indexing.engine_index import EngineIndexes
from tests.agents.search_services import embedding_service
from tests.client import Client
from tests.conftest import FILES
from tests.search_server import Fail, SearchServer, search_server

QUERY = "How high is the monthly rent?"
COLUMN = embedding_service("http://127.0.0.1").column


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as running:
        yield running


@pytest.fixture
async def other(services: Services, server: SearchServer) -> AsyncIterator[Services]:
    """The services of a process whose routing file names an embedding service."""
    service = embedding_service(server.address)
    queries = ServiceEmbedder(service, for_queries=True)
    indexes = EngineIndexes(services.database.engine, queries, column=service.column)
    yield replace(services, embedder=ServiceEmbedder(service), indexes=indexes)
    await indexes.close()


async def test_vectors_of_two_embedders_are_never_compared(
    engine: str, other: Services, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        found = await other.indexes.retrieve(engine, QUERY, 5)
        await other.indexes.retrieve(engine, "roof", 5)

    assert "rent" in found[0].content
    assert caplog.text.count(f"run `ke engines reembed {engine}`") == 1


async def test_reembedding_gives_every_chunk_a_vector_of_the_new_embedder_only(
    services: Services, engine: str, other: Services
) -> None:
    count = await reembed_engine(other, engine)

    table = f"data_{engine}"
    assert count == await scalar(services, f"SELECT count({COLUMN}) FROM {table}") > 0
    assert await vector_columns(services, table) == [COLUMN]
    assert (await other.indexes.retrieve(engine, QUERY, 5))[0].score > 0
    assert await reembed_engine(other, engine) == 0


async def test_reembedding_is_noted_before_any_text_goes_to_the_service(
    client: Client, services: Services, engine: str, other: Services, server: SearchServer
) -> None:
    server.troubles = [Fail(401)]

    with pytest.raises(EmbedderAway):
        await reembed_engine(other, engine)

    entry = (await client.get("/audit-log"))[0]
    assert (entry["action"], entry["resource_id"]) == ("knowledge_engine.reembedding_begun", engine)
    assert entry["actor"] == "command line"


async def test_process_with_the_embedder_of_before_searches_by_words_then(
    services: Services, engine: str, other: Services
) -> None:
    await services.indexes.retrieve(engine, QUERY, 5)

    await reembed_engine(other, engine)

    assert "rent" in (await services.indexes.retrieve(engine, QUERY, 5))[0].content


async def test_service_that_is_away_stops_it_and_the_next_one_goes_on(
    services: Services, engine: str, other: Services, server: SearchServer
) -> None:
    server.troubles = [Fail(401)]

    with pytest.raises(EmbedderAway):
        await reembed_engine(other, engine)

    assert "rent" in (await other.indexes.retrieve(engine, QUERY, 5))[0].content
    going_on = replace(other, embedder=ServiceEmbedder(embedding_service(server.address)))
    assert await reembed_engine(going_on, engine) > 0


async def test_document_that_comes_before_it_has_vectors_of_the_new_embedder(
    client: Client, engine: str, other: Services
) -> None:
    table = f"data_{engine}"

    await Client(client.app, other, client.key).add(engine, FILES / "lamp-oil.txt")

    assert await vector_columns(other, table) == ["embedding", COLUMN]
    with_both = f"SELECT count(*) FROM {table} WHERE embedding IS NOT NULL AND {COLUMN} IS NOT NULL"
    assert await scalar(other, with_both) == 0
    assert await scalar(other, f"SELECT count({COLUMN}) FROM {table}") > 0


async def test_engine_in_milvus_is_out_of_reach_of_a_service(
    services: Services, engine: str, server: SearchServer
) -> None:
    models = replace(services.models, embedding=embedding_service(server.address))
    with_service = replace(services, models=models)
    assert not await is_out_of_reach(with_service, engine)
    async with services.database.transaction() as session:
        statement = text("UPDATE knowledge_engine SET vector_store = 'milvus'")
        await (await session.connection()).execute(statement)

    assert await is_out_of_reach(with_service, engine)
    assert not await is_out_of_reach(services, engine)


async def test_engine_that_is_gone_has_nothing_to_embed(other: Services) -> None:
    assert await reembed_engine(other, "kng_0123456789abcd") == 0


async def test_query_of_a_service_that_is_away_is_searched_by_words(
    engine: str, other: Services, server: SearchServer
) -> None:
    await reembed_engine(other, engine)
    server.troubles = [Fail(500), Fail(500)]

    found = await asyncio.wait_for(other.indexes.retrieve(engine, QUERY, 5), timeout=60)

    assert "rent" in found[0].content


async def scalar(services: Services, statement: str) -> int:
    async with services.database.transaction() as session:
        return int((await (await session.connection()).execute(text(statement))).scalar_one())


async def vector_columns(services: Services, table: str) -> list[str]:
    async with services.database.transaction() as session:
        statement = text(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_name = :table AND udt_name = 'vector' ORDER BY 1"
        )
        rows = await (await session.connection()).execute(statement, {"table": table})
        return list(rows.scalars())
