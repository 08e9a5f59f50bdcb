from collections.abc import Iterator
from dataclasses import replace

import pytest

from agents.reranking import Outcome, ServiceReranker, is_settled
from indexing.types import Chunk
from tests.agents.search_services import KEY, rerank_service
from tests.search_server import Fail, Hang, SearchServer, search_server

CHUNKS = [
    Chunk("ds_1_0", "ds_1", "lease.pdf", 1, "The roof leaks.", "", 0.61),
    Chunk("ds_1_1", "ds_1", "lease.pdf", 1, "The lamp burns oil.", "", 0.6),
    Chunk("ds_1_2", "ds_1", "lease.pdf", 2, "The lease ends.", "", 0.5),
]


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as running:
        yield running


async def test_chunks_come_in_the_order_of_the_service(server: SearchServer) -> None:
    server.preferred = "lease"

    reranked = await ServiceReranker(rerank_service(server.address)).rerank("When?", CHUNKS)

    assert reranked.outcome is Outcome.RERANKED
    assert [one.chunk_id for one in reranked.chunks] == ["ds_1_2", "ds_1_0", "ds_1_1"]
    assert [one.score for one in reranked.chunks] == [0.61, 0.6, 0.5]
    assert server.requests[0]["query"] == "When?"


async def test_order_stands_where_the_service_fails_and_it_is_left_alone_then(
    server: SearchServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.troubles = [Fail(500)]
    reranker = ServiceReranker(rerank_service(server.address))

    first = await reranker.rerank("When?", CHUNKS)
    second = await reranker.rerank("When?", CHUNKS)

    assert first.outcome is second.outcome is Outcome.FAILED
    assert list(first.chunks) == list(second.chunks) == CHUNKS
    assert len(server.requests) == 1
    assert "does not rerank" in caplog.text
    assert KEY not in caplog.text


async def test_order_stands_where_the_service_says_nothing(server: SearchServer) -> None:
    server.troubles = [Hang()]
    service = rerank_service(server.address, timeout_seconds=0.2)

    reranked = await ServiceReranker(service).rerank("When?", CHUNKS)

    assert (reranked.outcome, list(reranked.chunks)) == (Outcome.FAILED, CHUNKS)


async def test_nobody_is_asked_where_the_best_chunk_is_far_ahead(server: SearchServer) -> None:
    chunks = [replace(CHUNKS[0], score=0.9), *CHUNKS[1:]]

    reranked = await ServiceReranker(rerank_service(server.address)).rerank("When?", chunks)

    assert (reranked.outcome, list(reranked.chunks)) == (Outcome.SETTLED, chunks)
    assert server.requests == []


@pytest.mark.parametrize(
    ("scores", "settled"),
    [
        pytest.param([], True, id="nothing"),
        pytest.param([0.4], True, id="one"),
        pytest.param([0.6, 0.55], False, id="near each other"),
        pytest.param([0.8, 0.55], True, id="far ahead"),
        pytest.param([1.7, 1.65], True, id="both have the query word for word"),
    ],
)
def test_best_chunk_is_settled_by_scores(scores: list[float], settled: bool) -> None:
    chunks = [replace(CHUNKS[0], score=score) for score in scores]

    assert is_settled(chunks) is settled
