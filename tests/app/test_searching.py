from collections.abc import Iterator, Sequence

import pytest

from agents.reranking import ServiceReranker
from app.metrics import Backlog
from app.searching import search
from app.services import Services
from indexing.types import Chunk
from tests.agents.search_services import rerank_service
from tests.client import Client
from tests.search_server import Fail, SearchServer, search_server

QUERY = "What does the tenant pay?"


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as running:
        yield running


async def test_without_a_reranker_the_fused_order_stands(services: Services, engine: str) -> None:
    found = await search(services, engine, QUERY, 5)

    assert ids(found) == ids(await services.indexes.retrieve(engine, QUERY, 5))


async def test_reranker_orders_more_than_are_asked_for(
    client: Client, engine: str, server: SearchServer
) -> None:
    services = client.services
    fused = await services.indexes.retrieve(engine, QUERY, 20)
    server.preferred = fused[-1].content
    services.reranker = ServiceReranker(rerank_service(server.address))

    found = await client.post(f"/knowledge-engines/{engine}/retrieve", query=QUERY, top_k=2)

    assert [one["chunk_id"] for one in found["chunks"]] == [fused[-1].chunk_id, fused[0].chunk_id]
    assert 'ke_rerankings_total{outcome="reranked"} 1.0' in rendered(services)


async def test_reranker_that_fails_changes_nothing(
    services: Services, engine: str, server: SearchServer
) -> None:
    server.troubles = [Fail(500)]
    services.reranker = ServiceReranker(rerank_service(server.address))

    found = await search(services, engine, QUERY, 3)

    assert ids(found) == ids(await services.indexes.retrieve(engine, QUERY, 3))
    assert 'ke_rerankings_total{outcome="failed"} 1.0' in rendered(services)


def ids(chunks: Sequence[Chunk]) -> list[str]:
    return [chunk.chunk_id for chunk in chunks]


def rendered(services: Services) -> str:
    return services.metrics.render(Backlog()).decode()
