"""Engines with any number of chunks, filled past the upload, and searched without any index."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import psycopg
from numpy.typing import NDArray
from sqlmodel import select

from app.database import Database, sqlalchemy_url
from app.ids import DATA_SOURCE, new_id
from app.models.data_source import DataSource, DataSourceStatus, Outcome, Stage
from app.models.knowledge_engine import KnowledgeEngine
from benchmarks.generated_chunks import paragraphs, resampled
from indexing.chunk_ids import chunk_id
from indexing.embedding import Embedder, Vectors
from indexing.engine_index import EngineIndexes, Source
from indexing.fusion import fuse
from indexing.hybrid_search import CANDIDATES, LARGE_ENGINE_CHUNKS
from indexing.lexical_search import LexicalResult, LexicalSearch
from indexing.types import Chunk, Passage

SHARES = (0.1, 0.01, 0.001)
"""Of an engine's chunks: for each there is a data source that holds so many of them."""

NOTED_SHARE = 0.1
NOTES = {"shelf": "upper"}
"""What stands in the notes of several data sources that together hold that share."""

GRAPH_SECONDS = 900
HAS_GRAPH = """
SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
WHERE indrelid = to_regclass(%s) AND amname = 'hnsw' AND indisvalid
"""

OTHER_SOURCES = 90
LARGEST_SOURCE = 1000


@dataclass(frozen=True, slots=True)
class Filter:
    """What a search is to look at."""

    name: str
    body: Mapping[str, object]  # what a request says besides the query
    data_source_ids: Sequence[str] | None  # None: all there are


@dataclass(frozen=True, slots=True)
class FilledEngine:
    """An engine, and all that is in it."""

    id: str
    filters: Sequence[Filter]
    owners: NDArray[np.str_]  # of each chunk, its data source
    chunk_ids: Sequence[str]
    contents: Sequence[str]
    vectors: Vectors
    seconds: float  # of inserting and merging
    graph_seconds: float  # of waiting for the worker to build the graph of a large engine

    def eligible(self, wanted: Filter) -> NDArray[np.intp]:
        """Return the places of the chunks that a search may find."""
        if wanted.data_source_ids is None:
            return np.arange(len(self.owners))
        return np.flatnonzero(np.isin(self.owners, wanted.data_source_ids))

    def nearest(self, vector: Vectors, wanted: Filter, limit: int) -> list[int]:
        """Return the places of the nearest chunks, by an exact scan."""
        places = self.eligible(wanted)
        order = np.argsort(-(self.vectors[places] @ vector), kind="stable")[:limit]
        nearest: list[int] = places[order].tolist()
        return nearest


class EngineFiller:
    """Hands the database of a running service to the library functions that it uses itself."""

    def __init__(self, address: str, embedder: Embedder) -> None:
        self._address = address
        self._database = Database(sqlalchemy_url(address), pool_size=4)
        self._indexes = EngineIndexes(self._database.engine, embedder)
        self._lexical_search = LexicalSearch()

    async def close(self) -> None:
        """Give the connections back."""
        await self._indexes.close()
        await self._database.close()

    async def fill(self, engine_id: str, size: int, real: Vectors) -> FilledEngine:
        """Give an engine the data sources that the filters name, and others."""
        # It brings LlamaIndex, which must find the environment of the libraries set.

        texts, vectors = list(paragraphs(size)), resampled(real, size)
        planned = _plan(size)
        began = time.monotonic()
        data_source_ids = []
        first = 0
        for one in planned:
            stop = first + one.count
            own = list(zip(texts[first:stop], vectors[first:stop], strict=True))
            data_source_ids.append(await self.add_source(engine_id, one.notes, own))
            first = stop
        await self.merge(engine_id)
        with psycopg.connect(self._address, autocommit=True) as connection:
            # PostgreSQL does so by itself after a while; it must not begin while we measure.
            connection.execute("VACUUM ANALYZE")
        seconds = time.monotonic() - began
        await self.wait_for_graph(engine_id, size)
        return FilledEngine(
            engine_id,
            _filters(planned, data_source_ids),
            np.repeat(data_source_ids, [one.count for one in planned]),
            [
                chunk_id(data_source_id, position)
                for one, data_source_id in zip(planned, data_source_ids, strict=True)
                for position in range(one.count)
            ],
            texts,
            vectors,
            seconds,
            time.monotonic() - began - seconds,
        )

    async def merge(self, engine_id: str) -> None:
        """Merge what the keyword index of an engine has gathered, as the worker does."""
        await self._indexes.merge_segments(engine_id)

    async def rank_exactly(
        self, engine: FilledEngine, query: str, vector: Vectors, wanted: Filter
    ) -> list[str]:
        """Return the ids of all chunks that come into the fusion, best first; no index is asked."""
        with psycopg.connect(self._address) as connection:
            found = self._lexical_search.score(
                connection, engine.id, query, CANDIDATES, wanted.data_source_ids
            )
        chunks = _candidates(engine, found, vector, wanted)
        return [chunk.chunk_id for chunk in fuse(query, chunks, found, len(chunks))]

    async def wait_for_graph(self, engine_id: str, size: int) -> None:
        """Wait until the worker has built the graph that an engine of this size gets, if any."""
        if size < LARGE_ENGINE_CHUNKS:
            return
        deadline = time.monotonic() + GRAPH_SECONDS
        with psycopg.connect(self._address, autocommit=True) as connection:
            while not connection.execute(HAS_GRAPH, (f"data_{engine_id}",)).fetchone():
                if time.monotonic() > deadline:
                    raise SystemExit(f"{engine_id} has no graph after {GRAPH_SECONDS} s")
                await asyncio.sleep(0.5)

    async def add_source(
        self, engine_id: str, notes: dict[str, str], texts: Sequence[tuple[str, Vectors]]
    ) -> str:
        """Store a data source as the worker does, and return its id."""
        data_source_id = new_id(DATA_SOURCE)
        source = Source(data_source_id, "generated.md", "generated")
        passages = [
            (Passage(position, position // 3 + 1, "", text), vector)
            for position, (text, vector) in enumerate(texts)
        ]
        packed = await self._indexes.pack(source, passages)
        async with self._database.transaction() as session:
            statement = select(KnowledgeEngine.account_id).where(KnowledgeEngine.id == engine_id)
            row = DataSource(
                id=data_source_id,
                account_id=(await session.exec(statement)).one(),
                knowledge_engine_id=engine_id,
                name=source.name,
                notes=notes,
                file_name=source.file_name,
                file_format="md",
                size_bytes=0,
                sha256=data_source_id,
                blob_key=f"{engine_id}/{data_source_id}",
                status=DataSourceStatus.PROCESSED,
                stage=Stage.DONE,
                progress=1.0,
                outcome=Outcome.OK,
                chunk_count=len(texts),
            )
            session.add(row)
            await session.flush()
            await self._indexes.insert(await session.connection(), engine_id, packed)
        return data_source_id


@dataclass(frozen=True, slots=True)
class _Planned:
    """A data source to be made."""

    count: int
    share: float | None = None  # where a filter names it alone
    notes: dict[str, str] = field(default_factory=dict)


def _plan(size: int) -> list[_Planned]:
    """Divide an engine's chunks over data sources."""
    planned = [_Planned(max(1, round(size * share)), share) for share in SHARES]
    rest = size - sum(one.count for one in planned)
    each = max(1, min(LARGEST_SOURCE, rest // OTHER_SOURCES))
    noted = round(size * NOTED_SHARE)
    while rest:
        count = min(each, rest)
        planned.append(_Planned(count, notes=NOTES if noted >= count else {}))
        noted -= count
        rest -= count
    return planned


def _filters(planned: Sequence[_Planned], data_source_ids: Sequence[str]) -> list[Filter]:
    pairs = list(zip(planned, data_source_ids, strict=True))
    named = [
        Filter(f"{one.share:.1%}", {"data_source_id": data_source_id}, [data_source_id])
        for one, data_source_id in pairs
        if one.share
    ]
    noted = [data_source_id for one, data_source_id in pairs if one.notes]
    by_notes = Filter(f"{NOTED_SHARE:.1%} by notes", {"filter": NOTES}, noted)
    return [Filter("none", {}, None), *named, by_notes]


def _candidates(
    engine: FilledEngine, found: LexicalResult, vector: Vectors, wanted: Filter
) -> list[Chunk]:
    """Return what comes into the fusion: the nearest chunks, and those that the words found."""
    by_words = {chunk_id(hit.data_source_id, hit.position) for hit in found.hits}
    places = [at for at, one in enumerate(engine.chunk_ids) if one in by_words]
    return [
        Chunk(
            chunk_id=engine.chunk_ids[at],
            data_source_id=str(engine.owners[at]),
            filename="",
            page_number=0,
            content=engine.contents[at],
            score=float(engine.vectors[at] @ vector),
        )
        for at in {*engine.nearest(vector, wanted, CANDIDATES), *places}
    ]
