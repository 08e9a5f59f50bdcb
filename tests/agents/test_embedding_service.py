import asyncio
import logging
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from agents.embedding_service import ServiceEmbedder
from indexing.embedding import EmbedderAway, Vectors
from tests.agents.search_services import KEY, embedding_service
from tests.fakes import HashEmbedder
from tests.search_server import Fail, Hang, SearchServer, search_server

TEXTS = [f"clause {number} of the lease" for number in range(10)]


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as running:
        yield running


async def test_texts_go_in_requests_of_the_size_that_the_file_says(server: SearchServer) -> None:
    embedder = ServiceEmbedder(embedding_service(server.address, batch_size=4))

    rows = await embed(embedder, TEXTS)

    assert np.allclose(rows, HashEmbedder().embed(TEXTS), atol=1e-6)
    assert sorted(len(one["input"]) for one in server.requests) == [2, 4, 4]


async def test_request_has_no_more_tokens_than_the_file_says(server: SearchServer) -> None:
    embedder = ServiceEmbedder(embedding_service(server.address, batch_tokens=1))

    await embed(embedder, TEXTS)

    assert [len(one["input"]) for one in server.requests] == [1] * len(TEXTS)


async def test_nothing_is_asked_for_no_text(server: SearchServer) -> None:
    rows = await embed(ServiceEmbedder(embedding_service(server.address)), [])

    assert rows.shape == (0, HashEmbedder.dimensions)
    assert server.requests == []


@pytest.mark.parametrize(("for_queries", "sent"), [(True, "query: roof"), (False, "passage: roof")])
async def test_queries_and_passages_have_prefixes_of_their_own(
    server: SearchServer, for_queries: bool, sent: str
) -> None:
    service = embedding_service(server.address, query_prefix="query: ", passage_prefix="passage: ")

    await embed(ServiceEmbedder(service, for_queries=for_queries), ["roof"])

    assert server.requests[0]["input"] == [sent]


async def test_trouble_of_a_moment_is_tried_again(server: SearchServer) -> None:
    server.troubles = [Fail(503), Fail(429)]

    rows = await embed(ServiceEmbedder(embedding_service(server.address)), TEXTS)

    assert len(rows) == len(TEXTS)
    assert len(server.requests) == 3


@pytest.mark.parametrize("for_queries", [True, False], ids=["query", "passage"])
async def test_service_that_asks_for_time_is_left_alone_at_once(
    server: SearchServer, for_queries: bool
) -> None:
    server.troubles = [Fail(429, "120")]
    embedder = ServiceEmbedder(embedding_service(server.address), for_queries=for_queries)

    for complaint in ("limiting the rate", "a moment ago"):
        with pytest.raises(EmbedderAway, match=complaint):
            await embed(embedder, ["roof"])

    assert len(server.requests) == 1


async def test_passages_wait_for_a_service_that_asks_for_a_moment(server: SearchServer) -> None:
    server.troubles = [Fail(503, "1")]

    rows = await embed(ServiceEmbedder(embedding_service(server.address)), TEXTS)

    assert len(rows) == len(TEXTS)
    assert len(server.requests) == 2


async def test_what_is_too_much_is_asked_for_in_parts(server: SearchServer) -> None:
    server.most_texts, server.longest_text = 3, 1000
    long_text = "lease " * 1000

    rows = await embed(ServiceEmbedder(embedding_service(server.address)), [*TEXTS, long_text])

    assert np.allclose(rows[:-1], HashEmbedder().embed(TEXTS), atol=1e-6)
    assert np.allclose(rows[-1], HashEmbedder().embed(["lease"])[0], atol=0.05)


async def test_service_that_refuses_everything_is_away_and_not_the_texts_at_fault(
    server: SearchServer,
) -> None:
    server.longest_text = 0

    with pytest.raises(EmbedderAway, match="rejected"):
        await embed(ServiceEmbedder(embedding_service(server.address)), TEXTS)


async def test_service_that_failed_is_left_alone_and_its_key_is_not_told(
    server: SearchServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.troubles = [Fail(401)]
    embedder = ServiceEmbedder(embedding_service(server.address))

    with caplog.at_level(logging.WARNING), pytest.raises(EmbedderAway, match="credentials"):
        await embed(embedder, ["roof"])
    with pytest.raises(EmbedderAway, match="a moment ago"):
        await embed(embedder, ["roof"])

    assert len(server.requests) == 1
    assert "does not embed" in caplog.text
    assert KEY not in caplog.text


async def test_query_does_not_wait_for_a_silent_service(server: SearchServer) -> None:
    server.troubles = [Hang(), Hang()]
    service = embedding_service(server.address, timeout_seconds=0.2)

    with pytest.raises(EmbedderAway, match="in time"):
        await embed(ServiceEmbedder(service, for_queries=True), ["roof"])


async def embed(embedder: ServiceEmbedder, texts: Sequence[str]) -> Vectors:
    """Embed in a thread, as the service does."""
    return await asyncio.to_thread(embedder.embed, texts)
