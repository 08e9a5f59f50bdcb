"""Turn texts into vectors, by default with the model that is carried along."""

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from onnxruntime import (
    InferenceSession,
    SessionOptions,
)
from tokenizers import Tokenizer

from indexing import minilm

Vectors = NDArray[np.float32]

CACHED_QUERIES = 1024
_EMBEDDING_THREADS = 4  # Queries at once; more would only take the processors from each other.


class EmbedderAway(ConnectionError):
    """A service that embeds does not answer, or not with vectors; the message can be logged.

    What waits for its vectors is tried again, as when the database is away.
    """


class Embedder(Protocol):
    """A model that turns texts into vectors of length 1."""

    @property
    def dimensions(self) -> int:
        """The width of its vectors."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text; it may be called from several threads at once.

        Raises:
            EmbedderAway: it is a service, and does not embed for the moment.
        """


class MiniLMEmbedder:
    """all-MiniLM-L6-v2 on onnxruntime; what follows a text's 256th token is not read.

    Quantised, it takes 0.4 of the time (0.95 of it on a processor without VNNI); its vectors have a
    cosine of 0.99 to those of the model as trained, and find as much (`benchmarks/README.md`),
    which is here to be compared with.

    Alone, a text is embedded as fast as in a batch of two, a tenth faster than in one of eight, in
    200 MB less. And its vector does not depend on its neighbours, by which the states of a batch
    would be scaled. As many texts at once as there are processors, each on one, take two thirds of
    the time of one after the other on all of them (4.0 s for 6.3, two cores).
    """

    dimensions = minilm.DIMENSIONS

    def __init__(self, cache_dir: Path, *, threads: int, quantized: bool = True) -> None:
        self._tokenizer = Tokenizer.from_file(str(minilm.TOKENIZER_FILE))
        self._tokenizer.enable_truncation(minilm.MAXIMUM_TOKENS)
        self._tokenizer.no_padding()
        self._session = InferenceSession(
            minilm.ensure_model(cache_dir, quantized=quantized),
            _session_options(),
            providers=["CPUExecutionProvider"],
        )
        self._pool = ThreadPoolExecutor(threads, "embedder")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 per text; it holds no lock while it computes."""
        if len(texts) == 1:  # A question does not wait for the texts of others.
            return self._embed_one(self._tokenizer.encode(texts[0]).ids)
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        vectors = np.empty((len(tokens), self.dimensions), dtype=np.float32)
        # The longest come first, so that the memory taken for them serves all others.
        order = sorted(range(len(tokens)), key=lambda number: -len(tokens[number]))
        embedded = self._pool.map(self._embed_one, [tokens[number] for number in order])
        for number, row in zip(order, embedded, strict=True):
            vectors[number] = row[0]
        return vectors

    def _embed_one(self, tokens: list[int]) -> Vectors:
        (row,) = self._session.run(["embedding"], {"input_ids": np.array([tokens])})
        return np.asarray(row, dtype=np.float32)


def _session_options() -> SessionOptions:
    """Choose by what was measured.

    The memory arena is kept: without it, texts take a quarter longer and more memory, not less.
    """
    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return options


class QueryEmbedding:
    """Embeds queries off the event loop, and keeps the latest vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._threads = ThreadPoolExecutor(_EMBEDDING_THREADS, thread_name_prefix="embed")
        self._latest: OrderedDict[str, Future[Vectors]] = OrderedDict()

    def submit(self, query: str) -> "Future[Vectors]":
        """Return the vector that will be; every asker of the same query is given the same."""
        vector = self._latest.get(query)
        if vector is None or (vector.done() and vector.exception()):
            vector = self._latest[query] = self._threads.submit(self._embed, query)
        self._latest.move_to_end(query)
        while len(self._latest) > CACHED_QUERIES:
            self._latest.popitem(last=False)
        return vector

    def close(self) -> None:
        """Begin no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _embed(self, query: str) -> Vectors:
        vector: Vectors = self._embedder.embed([query])[0]
        vector.setflags(write=False)  # It is given to several.
        return vector
