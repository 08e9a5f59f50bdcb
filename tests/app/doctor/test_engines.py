from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from psycopg import Connection

from agents.embedding_service import ServiceEmbedder
from app.database import libpq_url
from app.doctor.engines import NAMED, check_engines
from app.doctor.findings import Finding, Level
from app.reembedding import reembed_engine
from app.services import Services
from config.settings import Settings
from indexing.engine_index import EngineIndexes
from tests.agents.search_services import embedding_service
from tests.client import Client
from tests.fakes import HashEmbedder
from tests.search_server import search_server

MODELS = Path(__file__).parents[3] / "config" / "models.yaml"
BUILT_IN = Settings()


@pytest.fixture
def with_service(tmp_path: Path) -> Settings:
    """Settings whose routing file names an embedding service."""
    section = {"model": "openai/bge", "dimensions": HashEmbedder.dimensions}
    lines = [MODELS.read_text(), "embedding:", *(f"  {key}: {section[key]}" for key in section)]
    path = tmp_path / "with-service.yaml"
    path.write_text("\n".join(lines))
    return Settings(models_file=path)


@pytest.fixture
def connection(database_url: str) -> Iterator[Connection]:
    with psycopg.connect(libpq_url(database_url), autocommit=True) as connection:
        yield connection


async def test_engine_of_the_embedder_that_is_set_is_well(
    connection: Connection, engine: str
) -> None:
    (found,) = check_engines(BUILT_IN, connection)

    assert engine
    assert found.level is Level.OK


async def test_engine_of_another_embedder_is_named_until_it_is_embedded_anew(
    connection: Connection, services: Services, engine: str, with_service: Settings
) -> None:
    (before,) = check_engines(with_service, connection)
    await reembed(services, engine)
    (after,) = check_engines(with_service, connection)
    (for_the_built_in,) = check_engines(BUILT_IN, connection)

    assert [one.level for one in (before, after)] == [Level.WARNING, Level.OK]
    assert before.advice == f"Run `ke engines reembed ENGINE`, or --all: {engine}"
    assert for_the_built_in == before


async def test_engine_without_documents_is_not_named(
    client: Client, connection: Connection, with_service: Settings
) -> None:
    assert await client.create_engine()

    assert levels(check_engines(with_service, connection)) == [Level.OK]


async def test_engine_in_milvus_is_named_where_a_service_embeds(
    client: Client, connection: Connection, with_service: Settings
) -> None:
    engine = await client.create_engine()
    connection.execute("UPDATE knowledge_engine SET vector_store = 'milvus'")

    (found,) = check_engines(with_service, connection)

    assert found.level is Level.WARNING
    assert "ke engines move ENGINE --to postgres" in found.advice
    assert found.advice.endswith(engine)
    assert levels(check_engines(BUILT_IN, connection)) == [Level.OK]


async def test_only_so_many_engines_are_named(
    client: Client, connection: Connection, with_service: Settings
) -> None:
    for _ in range(NAMED + 2):
        await client.create_engine()
    connection.execute("UPDATE knowledge_engine SET vector_store = 'milvus'")

    (found,) = check_engines(with_service, connection)

    assert found.advice.count("kng_") == NAMED
    assert found.advice.endswith(" and 2 more")


def test_routing_file_that_cannot_be_used_is_told_elsewhere(
    connection: Connection, tmp_path: Path
) -> None:
    assert list(check_engines(Settings(models_file=tmp_path / "none.yaml"), connection)) == []


async def reembed(services: Services, engine: str) -> None:
    with search_server() as server:
        service = embedding_service(server.address)
        embedder = ServiceEmbedder(service)
        indexes = EngineIndexes(services.database.engine, embedder, column=service.column)
        await reembed_engine(replace(services, embedder=embedder, indexes=indexes), engine)
        await indexes.close()


def levels(found: Iterator[Finding]) -> list[Level]:
    return [one.level for one in found]
