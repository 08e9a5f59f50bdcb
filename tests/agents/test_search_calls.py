import asyncio
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.search_calls import CallFailed, embed, rerank
from config.search_services import EmbeddingService
from indexing.embedding import Vectors
from tests.agents.search_services import KEY, embedding_service, rerank_service
from tests.fakes import HashEmbedder
from tests.search_server import Fail, Hang, Say, SearchServer, search_server

TEXTS = ["the lease ends in March", "the roof leaks", "a lamp"]


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as running:
        yield running


@pytest.mark.parametrize("model", ["openai/bge", "hosted_vllm/bge", "infinity/bge"])
async def test_rows_are_of_length_1_and_in_the_order_of_the_texts(
    server: SearchServer, model: str
) -> None:
    rows = await ask(embedding_service(server.address, model))

    assert np.allclose(rows, HashEmbedder().embed(TEXTS), atol=1e-6)
    assert server.requests[0]["model"] == "bge"
    assert server.keys == [KEY]


async def test_nothing_is_sent_but_the_texts(server: SearchServer) -> None:
    await ask(embedding_service(server.address))

    assert server.requests == [{"model": "bge", "input": TEXTS}]


async def test_width_is_asked_for_where_the_file_says_so(server: SearchServer) -> None:
    await ask(embedding_service(server.address, ask_for_dimensions=True))

    assert server.requests[0]["dimensions"] == HashEmbedder.dimensions


async def test_input_type_is_sent_where_there_is_one(server: SearchServer) -> None:
    await ask(embedding_service(server.address, "hosted_vllm/bge"), input_type="search_query")

    assert server.requests[0]["input_type"] == "search_query"


@pytest.mark.parametrize(
    ("status", "may_pass", "is_of_texts"),
    [
        pytest.param(400, False, True, id="refused"),
        pytest.param(401, False, False, id="wrong key"),
        pytest.param(413, False, True, id="too much"),
        pytest.param(422, False, True, id="unprocessable"),
        pytest.param(429, True, False, id="too often"),
        pytest.param(503, True, False, id="overloaded"),
    ],
)
async def test_failure_says_what_may_help_and_nothing_of_the_key(
    server: SearchServer, status: int, may_pass: bool, is_of_texts: bool
) -> None:
    server.troubles = [Fail(status)]

    with pytest.raises(CallFailed) as failed:
        await ask(embedding_service(server.address))

    assert (failed.value.may_pass, failed.value.is_of_texts) == (may_pass, is_of_texts)
    assert KEY not in str(failed.value)
    assert failed.value.__cause__ is failed.value.__context__ is None
    assert len(server.requests) == 1


@pytest.mark.parametrize(("header", "seconds"), [("7", 7), ("", None)])
@pytest.mark.parametrize("model", ["openai/bge", "hosted_vllm/bge", "infinity/bge", "voyage/bge"])
async def test_failure_says_how_long_to_wait(
    server: SearchServer, model: str, header: str, seconds: float | None
) -> None:
    server.troubles = [Fail(429, header)]

    with pytest.raises(CallFailed) as failed:
        await ask(embedding_service(server.address, model))

    assert failed.value.retry_after_seconds == seconds


async def test_server_that_is_not_there_may_come_back() -> None:
    with pytest.raises(CallFailed) as failed:
        await ask(embedding_service("http://127.0.0.1:9"))

    assert failed.value.may_pass


async def test_silence_ends_at_the_timeout(server: SearchServer) -> None:
    server.troubles = [Hang()]

    with pytest.raises(CallFailed, match="in time"):
        await ask(embedding_service(server.address), timeout_seconds=0.2)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        pytest.param({"data": []}, "no vector for each text", id="nothing"),
        pytest.param(
            {"data": [{"index": n, "embedding": [1, 0]} for n in range(3)]},
            "vectors of 2 dimensions; the routing file says 64",
            id="another width",
        ),
        pytest.param(
            {"data": [{"index": n, "embedding": [0] * 64} for n in range(3)]},
            "without a direction",
            id="zeros",
        ),
        pytest.param(
            {"data": [{"index": n, "embedding": [1] * (n + 1)} for n in range(3)]},
            "no vector for each text",
            id="ragged",
        ),
    ],
)
async def test_answer_that_is_none_is_a_failure(
    server: SearchServer, said: Any, complaint: str
) -> None:
    server.troubles = [Say({"object": "list", "model": "bge", **said})]

    with pytest.raises(CallFailed, match=complaint):
        await ask(embedding_service(server.address))


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("jina_ai/small", "/v1/rerank"),
        ("cohere/small", "/v2/rerank"),
        ("infinity/small", "/rerank"),
        ("hosted_vllm/small", "/rerank"),
        ("huggingface/small", "/rerank"),
    ],
)
async def test_texts_come_in_the_order_of_their_scores(
    server: SearchServer, model: str, path: str
) -> None:
    server.preferred = "lamp"
    base = f"{server.address}/v1/rerank" if model.startswith("jina_ai") else server.address

    order = await rerank(rerank_service(base, model), "What gives light?", TEXTS)

    assert order == [2, 0, 1]
    assert server.paths == [path]
    assert server.keys == [KEY]


async def test_texts_that_the_service_leaves_out_come_last(server: SearchServer) -> None:
    server.troubles = [Say({"id": "1", "results": [{"index": 1, "relevance_score": 0.5}]})]

    assert await rerank(rerank_service(server.address, "cohere/small"), "?", TEXTS) == [1, 0, 2]


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(Fail(401), id="wrong key"),
        pytest.param(Fail(500), id="broken"),
        pytest.param(Say({"id": "1", "results": []}), id="nothing"),
        pytest.param(
            Say({"id": "1", "results": [{"index": 7, "relevance_score": 1}]}), id="another text"
        ),
        pytest.param(Say("sorry"), id="no object"),
    ],
)
async def test_no_order_is_a_failure(server: SearchServer, trouble: Fail | Say) -> None:
    server.troubles = [trouble]

    with pytest.raises(CallFailed) as failed:
        await rerank(rerank_service(server.address, "cohere/small"), "?", TEXTS)

    assert KEY not in str(failed.value)


async def ask(
    service: EmbeddingService, *, input_type: str = "", timeout_seconds: float = 10
) -> Vectors:
    """Embed in a thread, as the service does."""
    return await asyncio.to_thread(embed, service, TEXTS, input_type, timeout_seconds)
