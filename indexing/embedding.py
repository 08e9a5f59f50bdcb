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

# With batches of 8 texts of 180 tokens the whole model is no faster, and takes 55 MB more.
BATCH_SIZE = 4

# Alone, a text is embedded as fast by the quantised model as in a batch of two, a tenth faster
# than in one of eight, in 200 MB less. And its vector does not depend on its neighbours, by which
# the states of a batch would be scaled. As many texts at once as there are processors, each on one,
# take two thirds of the time of one after the other on all of them (4.0 s for 6.3, two cores).
QUANTIZED_BATCH_SIZE = 1
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

    Quantised, for documents, it takes 0.4 of the time; its vectors have a cosine of 0.99 to those
    of the whole model, and documents embedded so are found as well by queries of the whole one
    (`benchmarks/README.md`).
    """

    dimensions = minilm.DIMENSIONS

    def __init__(self, cache_dir: Path, *, threads: int, quantized: bool = False) -> None:
        self._tokenizer = Tokenizer.from_file(str(minilm.TOKENIZER_FILE))
        self._tokenizer.enable_truncation(minilm.MAXIMUM_TOKENS)
        self._tokenizer.no_padding()
        self._batch_size = QUANTIZED_BATCH_SIZE if quantized else BATCH_SIZE
        self._session = InferenceSession(
            minilm.ensure_model(cache_dir, quantized=quantized),
            _session_options(1 if quantized else threads),
            providers=["CPUExecutionProvider"],
        )
        # Documents: a batch for each thread. A question: all threads for it, so there is no pool.
        self._pool = ThreadPoolExecutor(threads, "embedder") if quantized else None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 per text; it holds no lock while it computes."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        # Texts of like length share a batch, for padding costs as much as text. The longest come
        # first, so that the memory taken for them serves all others.
        order = sorted(range(len(tokens)), key=lambda number: -len(tokens[number]))
        batches = [
            order[start : start + self._batch_size]
            for start in range(0, len(order), self._batch_size)
        ]
        vectors = np.empty((len(tokens), self.dimensions), dtype=np.float32)
        inputs = ([tokens[number] for number in batch] for batch in batches)
        embedded = (self._pool.map if self._pool else map)(self._embed_batch, inputs)
        for batch, rows in zip(batches, embedded, strict=True):
            vectors[batch] = rows
        return vectors

    def _embed_batch(self, tokens: list[list[int]]) -> Vectors:
        lengths = np.array([len(ids) for ids in tokens])
        mask = np.arange(lengths.max()) < lengths[:, None]
        padded = np.zeros(mask.shape, dtype=np.int64)
        padded[mask] = np.concatenate(tokens)
        inputs = {"input_ids": padded, "attention_mask": mask.astype(np.int64)}
        (vectors,) = self._session.run(["embeddings"], inputs)
        return np.asarray(vectors, dtype=np.float32)


def _session_options(threads: int) -> SessionOptions:
    """Choose by what was measured, on two cores.

    Prepacked weights cost 40 MB a process and make a short question twice as fast (1.9 ms for
    2.9 with two threads, 2.7 for 5.0 with one); batches do not care. The memory arena is kept:
    without it, batches are slower by a quarter and take more memory, not less. Of 120 MB resident
    after a question and 240 after batches, 77 and 158 are the process's own; the rest is mapped.
    """
    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that spin while they wait take the processor from the other processes.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
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
