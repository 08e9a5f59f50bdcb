"""Milvus, as this service uses it: the vectors of engines, found and kept by the ids of chunks.

Only ids that we made go into its expressions. Whatever it fails with is `MilvusAway`, within
seconds. LlamaIndex's store is imported with the first use: an installation without does well.
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from indexing.embedding import Vectors

if TYPE_CHECKING:
    from indexing.milvus_collection import BoundedClient, EngineCollection

REST_SECONDS = 5.0
"""How long searches leave a Milvus alone that has failed, for each try may cost its time."""

MOST_AT_ONCE = 16_384
"""The most that Milvus returns of a search."""

_OWN_ID = re.compile(r"[A-Za-z0-9_]{1,100}")

# Milvus's codes.
_NO_COLLECTION = 100
_NOT_LOADED = 101

_logger = logging.getLogger(__name__)

T = TypeVar("T")


class MilvusAway(ConnectionError):
    """Milvus does not answer, or refuses us: searches do without it, and others try again."""


class Milvus:
    """The Milvus of this installation; without an address it is always away."""

    def __init__(self, uri: str = "", token: str = "", dimensions: int = 0) -> None:
        self._uri, self._token, self._dimensions = uri, token, dimensions
        self._client: BoundedClient | None = None
        self._connecting = threading.Lock()
        self._rests_until = 0.0

    @property
    def is_set(self) -> bool:
        """Tell whether the installation has a Milvus at all."""
        return bool(self._uri)

    def nearest(
        self,
        engine_id: str,
        vector: Vectors,
        limit: int,
        *,
        data_source_ids: Sequence[str] = (),
        chunk_ids: Sequence[str] = (),
    ) -> dict[str, float]:
        """Return the nearest chunks, of these data sources and ids if any, with their cosines.

        Raises:
            MilvusAway: it does not answer, or did not a moment ago.
        """
        _check(*data_source_ids, *chunk_ids)
        if time.monotonic() < self._rests_until:
            raise MilvusAway

        def search(collection: "EngineCollection") -> dict[str, float]:
            return collection.nearest(vector, limit, doc_ids=data_source_ids, node_ids=chunk_ids)

        try:
            return self._ask(engine_id, search, {})
        except MilvusAway:
            self._rests_until = time.monotonic() + REST_SECONDS
            raise

    def put(self, engine_id: str, vectors: Iterable[tuple[str, str, Vectors]]) -> None:
        """Store vectors, each with the ids of its chunk and data source, or replace them.

        The first ones make the collection of the engine.

        Raises:
            MilvusAway: it does not answer; some may be stored.
        """
        given = list(vectors)
        _check(*(one for chunk, data_source, _ in given for one in (chunk, data_source)))

        def store(collection: "EngineCollection") -> bool:
            collection.put(given)
            return True

        def create_and_store(collection: "EngineCollection") -> bool:
            collection.create()
            return store(collection)

        if not self._ask(engine_id, store, False):
            self._ask(engine_id, create_and_store, False)

    def fetch(self, engine_id: str, chunk_ids: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors of chunks by their ids, as far as there are any.

        Raises:
            MilvusAway: it does not answer.
        """
        _check(*chunk_ids)
        return self._ask(engine_id, lambda collection: collection.fetch(chunk_ids), {})

    def delete(self, engine_id: str, data_source_id: str = "") -> None:
        """Delete the vectors of a data source, or with "" all of the engine.

        Raises:
            MilvusAway: it does not answer.
        """
        _check(*filter(None, [data_source_id]))

        def delete(collection: "EngineCollection") -> None:
            if data_source_id:
                collection.delete_of(data_source_id)
            else:
                collection.clear()

        self._ask(engine_id, delete, None)

    def count(self, engine_id: str, data_source_id: str = "") -> int:
        """Return how many vectors there are of a data source, or with "" of the engine.

        Raises:
            MilvusAway: it does not answer.
        """
        _check(*filter(None, [data_source_id]))
        return self._ask(engine_id, lambda collection: collection.count(data_source_id), 0)

    def _ask(self, engine_id: str, work: Callable[["EngineCollection"], T], absent: T) -> T:
        """Do something with the collection of an engine; where there is none, return `absent`."""
        _check(engine_id)
        if not self.is_set:
            _logger.warning("%s has vectors in Milvus, but KE_MILVUS_URI is not set", engine_id)
            raise MilvusAway
        import grpc  # type: ignore[import-untyped]
        from pymilvus import MilvusException  # type: ignore[import-untyped]

        from indexing.milvus_collection import EngineCollection

        # It logs each failure with its traceback; ours is one line.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        try:
            collection = EngineCollection(self._connect(), engine_id, self._dimensions)
            try:
                return work(collection)
            except MilvusException as error:
                if error.code != _NOT_LOADED:
                    raise
                # Of milvus-lite, after each of its starts.
                collection.client.load_collection(engine_id)
                return work(collection)
        except (MilvusException, grpc.RpcError) as error:
            if getattr(error, "code", None) == _NO_COLLECTION:
                return absent
            _logger.warning("Milvus does not answer, or refuses: %s", _first_line(error))
            raise MilvusAway from error

    def _connect(self) -> "BoundedClient":
        from indexing.milvus_collection import BoundedClient

        with self._connecting:
            if self._client is None:
                self._client = BoundedClient(self._uri, self._token)
            return self._client


def _check(*ids: str) -> None:
    """Refuse what is no id of ours, for ids are written into expressions."""
    for one in ids:
        if not _OWN_ID.fullmatch(one):
            raise ValueError(f"{one!r} cannot be part of an expression")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
