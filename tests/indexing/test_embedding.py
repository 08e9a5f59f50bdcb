import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from indexing.embedding import (
    Embedder,
    MiniLMEmbedder,
    QueryEmbedding,
    Vectors,
)
from indexing.llama_embedding import EngineEmbedding

REFERENCE = json.loads((Path(__file__).parents[1] / "files" / "minilm_reference.json").read_text())


@dataclass
class LengthEmbedder:
    """Embeds a text as its length and keeps what it was asked for."""

    dimensions: int = 1
    asked: list[str] = field(default_factory=list)
    failures: int = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        if len(self.asked) <= self.failures:
            raise MemoryError
        return np.array([[len(text)] for text in texts], dtype=np.float32)


def test_vectors_are_those_of_sentence_transformers(tmp_path: Path) -> None:
    as_trained = MiniLMEmbedder(tmp_path, threads=1, quantized=False)
    expected = np.array(REFERENCE["vectors"])

    vectors = as_trained.embed(REFERENCE["texts"])

    cosines = (vectors * expected).sum(axis=1) / np.linalg.norm(expected, axis=1)
    assert cosines.min() >= 0.9999


def test_quantised_vectors_are_close_to_them(embedder: Embedder) -> None:
    vectors = embedder.embed(REFERENCE["texts"])

    cosines = (vectors * np.array(REFERENCE["vectors"])).sum(axis=1)
    assert 0.97 < cosines.min() < 0.9999
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(vectors)))


def test_vectors_have_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed(["", "a", "a long text " * 200])

    assert vectors.shape == (3, embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1])


def test_no_texts_make_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_order_is_that_of_the_texts(embedder: Embedder) -> None:
    texts = ["word " * length for length in (9, 1, 30, 4, 17, 2, 8, 25, 3, 12, 60, 5)]

    together = embedder.embed(texts)

    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert together == pytest.approx(alone, abs=1e-5)


def test_text_beyond_256_tokens_is_not_read(embedder: Embedder) -> None:
    # The two of the 256 that mark the start and the end leave 254 for words.
    full, longer = embedder.embed(["word " * 254, "word " * 254 + "something else"])

    assert full @ longer == pytest.approx(1)


def test_threads_share_an_embedder(embedder: Embedder) -> None:
    texts = [f"Clause {number}" for number in range(40)]

    with ThreadPoolExecutor(4) as threads:
        vectors = list(threads.map(lambda text: embedder.embed([text])[0], texts))

    assert np.array(vectors) == pytest.approx(embedder.embed(texts), abs=1e-5)


def test_a_query_is_embedded_once() -> None:
    embedder = LengthEmbedder()
    queries = QueryEmbedding(embedder)

    vectors = [queries.submit(query).result() for query in ("rent", "deposit", "rent")]

    assert [vector.tolist() for vector in vectors] == [[4], [7], [4]]
    assert embedder.asked == ["rent", "deposit"]


def test_a_cached_vector_cannot_be_changed() -> None:
    vector = QueryEmbedding(LengthEmbedder()).submit("rent").result()

    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 5


def test_a_query_that_failed_is_embedded_anew() -> None:
    embedder = LengthEmbedder(failures=1)
    queries = QueryEmbedding(embedder)

    with pytest.raises(MemoryError):
        queries.submit("rent").result()

    assert queries.submit("rent").result().tolist() == [4]


async def test_queries_leave_the_event_loop_free(embedder: Embedder) -> None:
    turns = 0

    query = QueryEmbedding(embedder).submit("word " * 256)
    while not query.done():
        turns += 1
        await asyncio.sleep(0)

    assert turns > 1


async def test_llama_index_sees_the_same_vectors() -> None:
    embedding = EngineEmbedding(LengthEmbedder())

    assert embedding.get_query_embedding("rent") == [4]
    assert await embedding.aget_query_embedding("rent") == [4]
    assert embedding.get_text_embedding_batch(["rent", "deposit"]) == [[4], [7]]
    assert await embedding.aget_text_embedding_batch(["rent", "deposit"]) == [[4], [7]]
    assert embedding.get_text_embedding("rent") == await embedding.aget_text_embedding("rent")
