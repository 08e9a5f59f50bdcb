"""Vectors of engines that are not large, kept in memory from one search to the next.

To compare those of 10,000 chunks takes PostgreSQL most of a search; here it takes a tenth of that.
What is kept of an engine serves only searches that find the engine as it was when its vectors were
read, so none shows anything else than the database would. It stays as it was while its keyword
index does: chunks come and go in the transactions that write their postings, and a chunk that has
its vector never gets another one. Engines of which a chunk still waits for its own are not kept.
"""

import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
import psycopg
from numpy.typing import NDArray

from indexing.chunk_ids import data_source_of
from indexing.chunk_search import ChunkSearch
from indexing.embedding import Vectors
from indexing.lexical_search import select_contents
from indexing.span_layout import EngineContents

SHARE_OF_TIME = 0.05
"""How much of its time a process may read vectors, be it that engines change all the time, or that
more of them are searched than there is room for."""


@dataclass(frozen=True, slots=True)
class HeldVectors:
    """The vectors of all chunks of an engine."""

    contents: EngineContents  # of the engine when they were read
    chunk_ids: Sequence[str]
    rows: Mapping[str, int]  # by chunk id
    rows_of: Mapping[str, NDArray[np.int64]]  # by data source
    directions: Vectors  # a row of length 1 per chunk; of zeros where a vector has no direction

    def cosines(
        self,
        vector: Vectors,
        limit: int,
        further: Sequence[str],
        data_source_ids: Sequence[str] | None = None,
    ) -> dict[str, float]:
        """Return the cosines of the nearest chunks, and of further ones, by their ids.

        The nearest are the `limit` of these data sources, or of the whole engine.
        """
        direction = _directions(vector[np.newaxis])[0]
        if data_source_ids is None:
            nearest = _highest(self.directions @ direction, limit)
        else:
            of_some = [self.rows_of[one] for one in data_source_ids if one in self.rows_of]
            eligible = np.concatenate([np.empty(0, np.int64), *of_some])
            nearest = eligible[_highest(self.directions[eligible] @ direction, limit)]
        rows = [*nearest.tolist(), *(self.rows[one] for one in further)]
        cosines = (self.directions[rows] @ direction).tolist()
        return {self.chunk_ids[row]: cosine for row, cosine in zip(rows, cosines, strict=True)}


class VectorCache:
    """The vectors of the engines that were searched last; any thread may ask."""

    def __init__(self, most_bytes: int, dimensions: int) -> None:
        self._most_bytes = most_bytes
        self._dimensions = dimensions
        self._held: OrderedDict[str, HeldVectors] = OrderedDict()
        self._lock = threading.Lock()
        self._began_at = self._may_begin_at = 0.0

    def get(self, engine_id: str) -> HeldVectors | None:
        """Return what is held of an engine; whether it is of use, its contents say."""
        with self._lock:
            if engine_id in self._held:
                self._held.move_to_end(engine_id)
            return self._held.get(engine_id)

    def begin_reading(self, engine_id: str, contents: EngineContents) -> bool:
        """Forget an engine that is no longer as it was; tell whether it is time to read it.

        Then `read` should follow, and `end_reading` must: one is read after the other.
        """
        size = contents.chunk_count * self._dimensions * np.dtype(np.float32).itemsize
        now = time.monotonic()
        with self._lock:
            self._held.pop(engine_id, None)
            if not 0 < size <= self._most_bytes or now < self._may_begin_at:
                return False
            self._began_at, self._may_begin_at = now, inf
            return True

    def end_reading(self) -> None:
        """Let others be read, once this one has had its share of the time."""
        now = time.monotonic()
        with self._lock:
            self._may_begin_at = self._began_at + (now - self._began_at) / SHARE_OF_TIME

    def read(self, connection: psycopg.Connection, table: ChunkSearch) -> None:
        """Keep the vectors of an engine, if each of its chunks has one."""
        held = _read(connection, table)
        if held is None:
            return
        with self._lock:
            self._held[table.engine_id] = held
            while sum(one.directions.nbytes for one in self._held.values()) > self._most_bytes:
                self._held.popitem(last=False)


def _read(connection: psycopg.Connection, table: ChunkSearch) -> HeldVectors | None:
    with connection.transaction():
        # All statements show one moment.
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        # The chunks before their index, as who drops them: the other order could wait in a circle.
        found = table.select_vectors(connection)
        if found is None:
            return None
        contents = select_contents(connection, table.engine_id)
    chunk_ids, vectors = found
    rows_of = defaultdict(list)
    for row, chunk_id in enumerate(chunk_ids):
        rows_of[data_source_of(chunk_id)].append(row)
    return HeldVectors(
        contents,
        chunk_ids,
        rows={chunk_id: row for row, chunk_id in enumerate(chunk_ids)},
        rows_of={one: np.array(rows, np.int64) for one, rows in rows_of.items()},
        directions=_directions(vectors),
    )


def _directions(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    directions: Vectors = vectors / np.maximum(lengths, np.finfo(vectors.dtype).tiny)
    return directions


def _highest(cosines: Vectors, limit: int) -> NDArray[np.int64]:
    """Return where the highest are, in any order."""
    if len(cosines) <= limit:
        return np.arange(len(cosines))
    return np.argpartition(cosines, -limit)[-limit:]
