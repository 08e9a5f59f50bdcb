"""How long `/retrieve` takes beside what it cannot do without, and whether it finds what is there.

Beside each call, and in turn with it so that all see the same machine: the embedding of the query,
the bare search in PostgreSQL, and searches of others (`peers.py`) over the very same vectors.
"""

import argparse
import asyncio
import http.client
import json
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import httpx
import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql
from sqlalchemy import Engine, create_engine

from app.database import sqlalchemy_url
from app.embedded_postgres import attach
from benchmarks.filled_engines import EngineFiller, FilledEngine, Filter
from benchmarks.generated_chunks import paragraphs, pdf, queries
from benchmarks.peers import (
    CHROMA,
    PLAIN_STORE,
    ChromaServer,
    Search,
    chroma_server,
    plain_store,
)
from benchmarks.report import publish, table
from benchmarks.service import RunningService, answered, running_service, wait_until_processed
from benchmarks.speed_report import (
    CLIENTS,
    TOP_K,
    Answer,
    Beside,
    Case,
    Load,
    Recall,
    beside_table,
    load_table,
    percentiles,
    recall_table,
    summary,
)
from config.settings import Settings, prepare_library_environment
from indexing.embedding import MiniLMEmbedder
from indexing.thread_connections import EF_SEARCH

SIZES = (1_000, 10_000, 100_000)
REAL_VECTORS = 1000
CALLS = 100
WARM_UP_CALLS = 10
CALLS_OF_A_CLIENT = 10
READ_PAGES = 500
PARAGRAPHS_ON_A_PAGE = 3

NEAREST = """
SELECT node_id, text, metadata_, embedding <=> %(vector)s AS distance
FROM {table} ORDER BY embedding <=> %(vector)s LIMIT 20
"""
NEAREST_OF_SOME = """
SELECT * FROM (
    SELECT node_id, text, metadata_, embedding <=> %(vector)s AS distance
    FROM {table} WHERE metadata_ ->> 'ref_doc_id' = ANY(%(data_source_ids)s) OFFSET 0
) AS eligible ORDER BY distance LIMIT 20
"""

HOW = f"""Queries are all different, {TOP_K} chunks are asked for, times are milliseconds. The first
{REAL_VECTORS} vectors of an engine are of its texts; the others are mixed from them with noise, and
all are inserted past the upload by the function that the worker uses, because to embed 100,000
takes an hour. A filter names one data source that holds this share of the chunks, or what several
have in their notes. Recall: how many of the best {TOP_K}, or of all there are if fewer, are among
those returned, by an exact scan of all vectors; for the service after fusion with the same keyword
search. LlamaIndex's PGVectorStore searches the same table, a chroma server (only where `--chroma`
names its program) a copy. Both search by vectors alone, so their recall is that of the nearest;
their times have the query's embedding in them. The clients read an answer whole but do not parse
it; they share the machine with the service."""


class Caller:
    """One client with one connection that is kept open."""

    def __init__(self, service: RunningService, engine_id: str) -> None:
        address = service.client.base_url
        self._connection = http.client.HTTPConnection(address.host, address.port or 80, timeout=60)
        self._path = f"/api/v1/knowledge-engines/{engine_id}/retrieve"
        token = b64encode(f"{service.key}:".encode()).decode()
        self._headers = {"Authorization": f"Basic {token}", "Content-Type": "application/json"}

    def retrieve(self, query: str, wanted: Filter) -> tuple[int, bytes]:
        """Return the status and the body of an answer."""
        body = json.dumps({"query": query, "top_k": TOP_K, **wanted.body}).encode()
        self._connection.request("POST", self._path, body, self._headers)
        response = self._connection.getresponse()
        return response.status, response.read()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@dataclass(frozen=True, slots=True)
class Bench:
    """What every measurement works with."""

    service: RunningService
    filler: EngineFiller
    runner: asyncio.Runner
    embedder: MiniLMEmbedder
    as_trained: MiniLMEmbedder
    connection: psycopg.Connection[Any]
    pool: Engine
    chroma: ChromaServer | None
    asked: Iterator[str]  # queries that nobody has asked before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--pages", type=int, default=READ_PAGES, help="of the document read beside")
    parser.add_argument("--chroma", type=Path, help="the program of an environment of its own")
    parser.add_argument("--quick", action="store_true", help="small sizes, few calls; not kept")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.sizes, arguments.calls, arguments.pages = (300, 1000), 20, 30
    prepare_library_environment()
    with (
        tempfile.TemporaryDirectory(prefix="ke-speed-", dir="/tmp") as directory,
        running_service(Path(directory) / "data") as service,
        chroma_server(arguments.chroma, Path(directory) / "chroma") as chroma,
        opened_bench(service, Path(directory) / "data", chroma) as bench,
    ):
        sections = run(bench, arguments.sizes, arguments.calls, arguments.pages)
    if arguments.quick:
        print("\n\n".join(sections))
    else:
        publish("retrieval_speed", "Speed of retrieval", HOW, *sections)


def run(bench: Bench, sizes: Sequence[int], calls: int, pages: int) -> list[str]:
    """Fill an engine of each size and measure it; return the sections of the report."""
    # When a document has been read, the worker has loaded what it needs and leaves us in peace.
    warm = upload(bench.service.client, new_engine(bench), b"Warm.", "warm.md")
    wait_until_processed(bench.service.client, warm)
    real = bench.embedder.embed(list(paragraphs(min(REAL_VECTORS, *sizes))))
    facts = []
    alone: dict[Case, Beside] = {}
    recalls: dict[Case, Recall] = {}
    crowded: dict[Case, Load] = {}
    reading = ""
    for size in sizes:
        engine = bench.runner.run(bench.filler.fill(new_engine(bench), size, real))
        seconds = (f"{engine.seconds:.0f}", f"{engine.graph_seconds:.0f}")
        facts.append((f"{size:,}", *seconds, _vector_index(bench, engine)))
        peers = {PLAIN_STORE: plain_store(bench.pool, engine, TOP_K)}
        if bench.chroma is not None:
            peers[CHROMA] = bench.chroma.search_in(engine, TOP_K)
        for wanted in engine.filters:
            case = size, wanted.name
            alone[case] = measure_beside(bench, engine, peers, wanted, calls)
            recalls[case] = measure_recall(bench, engine, wanted, alone[case].answers)
            crowded[case] = measure_load(bench, engine, wanted)
        if size == sizes[min(1, len(sizes) - 1)]:
            reading = measure_while_reading(bench, engine, pages, 3 * calls)
    tables = (beside_table(alone), recall_table(recalls), load_table(crowded))
    filled = table(("chunks", "s to fill", "s until indexed", "index of the vectors"), facts)
    return [summary(alone, recalls, crowded), filled, *tables, reading]


def measure_beside(
    bench: Bench, engine: FilledEngine, peers: Mapping[str, Search], wanted: Filter, calls: int
) -> Beside:
    """Time calls one after the other, and in turn with them what they cannot do without."""
    caller = Caller(bench.service, engine.id)
    statement = _nearest_statement(engine, wanted)
    beside = Beside()
    for number, query in enumerate(islice(bench.asked, WARM_UP_CALLS + calls)):
        if number == WARM_UP_CALLS:
            beside = Beside()
        whole, (status, body) = timed(partial(caller.retrieve, query, wanted))
        if status != http.HTTPStatus.OK:
            raise SystemExit(f"/retrieve: {status} {body.decode()}")
        embedding, vectors = timed(partial(bench.embedder.embed, [query]))
        values = {"vector": vectors[0], "data_source_ids": wanted.data_source_ids}
        search, _ = timed(partial(_fetch, bench.connection, statement, values))
        beside.service.append(whole)
        beside.embedding.append(embedding)
        beside.search.append(search)
        by_peers = {}
        for name, peer in peers.items():
            milliseconds, by_peers[name] = timed(partial(peer, vectors[0], wanted))
            beside.peers.setdefault(name, []).append(milliseconds)
        found = [chunk["chunk_id"] for chunk in json.loads(body)["chunks"]]
        beside.answers.append(Answer(query, vectors[0], found, by_peers))
    caller.close()
    # Not in turn with the calls: its weights would push everything else out of the caches.
    for answer in beside.answers:
        milliseconds, _ = timed(partial(bench.as_trained.embed, [answer.query]))
        beside.as_trained.append(milliseconds)
    return beside


def measure_recall(
    bench: Bench, engine: FilledEngine, wanted: Filter, answers: Sequence[Answer]
) -> Recall:
    """Compare answers with an exact scan; done when no time is taken, for it is work."""
    eligible = min(TOP_K, len(engine.eligible(wanted)))
    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in answers[0].by_peers}
    for one in answers:
        exact = bench.filler.rank_exactly(engine, one.query, one.vector, wanted)
        ours.append(_share(one.found, bench.runner.run(exact)[:TOP_K]))
        nearest = [engine.chunk_ids[at] for at in engine.nearest(one.vector, wanted, TOP_K)]
        for name, found in one.by_peers.items():
            theirs[name].append(_share(found, nearest))
    short = sum(len(one.found) < eligible for one in answers)
    return Recall(fmean(ours), {name: fmean(own) for name, own in theirs.items()}, short)


def measure_load(bench: Bench, engine: FilledEngine, wanted: Filter) -> Load:
    """Let several clients call at once, each its next as soon as its last is answered."""
    asked = [list(islice(bench.asked, CALLS_OF_A_CLIENT)) for _ in range(CLIENTS)]
    began = time.monotonic()
    with ThreadPoolExecutor(CLIENTS) as threads:
        outcomes = threads.map(lambda own: _call_in_turn(bench, engine, wanted, own), asked)
        results = [result for own in outcomes for result in own]
    seconds = time.monotonic() - began
    errors = sum(status != http.HTTPStatus.OK for _, status in results)
    return Load([milliseconds for milliseconds, _ in results], errors, seconds)


def measure_while_reading(bench: Bench, engine: FilledEngine, pages: int, calls: int) -> str:
    """Time calls while nothing else is done, and while the engine reads a long document."""
    idle = measure_load_of_one(bench, engine, calls)
    texts = list(paragraphs(pages * PARAGRAPHS_ON_A_PAGE))
    content = pdf([" ".join(texts[n::pages]) for n in range(pages)])
    client = bench.service.client
    data_source_id = upload(client, engine.id, content, "long.pdf")
    began = time.monotonic()
    busy: list[tuple[float, int]] = []
    caller = Caller(bench.service, engine.id)
    while (source := _data_source(client, data_source_id))["status"] == "processing":
        # Looking how far the reading is is no call of the measurement, so it is done seldom.
        for query in islice(bench.asked, 20):
            milliseconds, (status, _) = timed(partial(caller.retrieve, query, engine.filters[0]))
            busy.append((milliseconds, status))
    caller.close()
    seconds = time.monotonic() - began
    times = [milliseconds for milliseconds, _ in busy]
    errors = sum(status != http.HTTPStatus.OK for _, status in busy)
    rows = [("idle", len(idle), *percentiles(idle), 0)]
    rows.append(("while reading", len(times), *percentiles(times), errors))
    ratio = np.percentile(times, 99) / np.percentile(idle, 99)
    return "\n\n".join(
        (
            f"One client, an engine of {len(engine.owners):,} chunks, while it reads and embeds a "
            f"PDF of {pages} pages ({source['chunk_count']} chunks, {seconds:.0f} s, outcome "
            f"`{source['outcome']}`):",
            table(("", "calls", "p50", "p95", "p99", "errors"), rows),
            f"p99 while reading is **{ratio:.2f}** times that of idle (target 3).",
        )
    )


def measure_load_of_one(bench: Bench, engine: FilledEngine, calls: int) -> list[float]:
    """Return the milliseconds of calls one after the other, with nothing between them."""
    results = _call_in_turn(bench, engine, engine.filters[0], list(islice(bench.asked, calls)))
    return [milliseconds for milliseconds, _ in results]


@contextmanager
def opened_bench(
    service: RunningService, data_dir: Path, chroma: ChromaServer | None
) -> Iterator[Bench]:
    """Open what the measurements work with, beside the service."""
    address = attach(data_dir)
    embedder = MiniLMEmbedder(data_dir / "models", threads=Settings().embedding_threads)
    as_trained = MiniLMEmbedder(data_dir / "models", threads=1, quantized=False)
    with (
        asyncio.Runner() as runner,
        psycopg.connect(address, prepare_threshold=0, autocommit=True) as connection,
    ):
        register_vector(connection)
        connection.execute(f"SET hnsw.ef_search = {EF_SEARCH}")
        pool = create_engine(sqlalchemy_url(address))
        filler = EngineFiller(address, embedder)
        yield Bench(
            service, filler, runner, embedder, as_trained, connection, pool, chroma, queries()
        )
        runner.run(filler.close())
        pool.dispose()


def new_engine(bench: Bench) -> str:
    body = {"name": "Speed"}
    engine = answered(bench.service.client.post("/api/v1/knowledge-engines", json=body))
    engine_id: str = engine["id"]
    return engine_id


def upload(client: httpx.Client, engine_id: str, content: bytes, file_name: str) -> str:
    data = {"name": file_name, "type": "file", "knowledge_engine_id": engine_id}
    response = client.post(
        "/api/v1/data-sources",
        data={"data": json.dumps(data)},
        files={"file": (file_name, content)},
    )
    data_source_id: str = answered(response)["id"]
    return data_source_id


def _data_source(client: httpx.Client, data_source_id: str) -> Any:
    return answered(client.get(f"/api/v1/data-sources/{data_source_id}"))


def _call_in_turn(
    bench: Bench, engine: FilledEngine, wanted: Filter, asked: Sequence[str]
) -> list[tuple[float, int]]:
    """Return (milliseconds, status) of each call; 0 where there was no answer."""
    caller = Caller(bench.service, engine.id)
    results = []
    for query in asked:
        began = time.perf_counter()
        try:
            status, _ = caller.retrieve(query, wanted)
        except (OSError, http.client.HTTPException):
            caller.close()
            status = 0
        results.append((1000 * (time.perf_counter() - began), status))
    caller.close()
    return results


def _nearest_statement(engine: FilledEngine, wanted: Filter) -> sql.Composed:
    nearest = NEAREST if wanted.data_source_ids is None else NEAREST_OF_SOME
    return sql.SQL(nearest).format(table=sql.Identifier(f"data_{engine.id}"))


def _vector_index(bench: Bench, engine: FilledEngine) -> str:
    """Return how the vectors of an engine are indexed."""
    statement = (
        "SELECT indexdef FROM pg_indexes WHERE tablename = %s AND indexdef LIKE '%%vector%%'"
    )
    rows = bench.connection.execute(statement, (f"data_{engine.id}",)).fetchall()
    return "; ".join(definition.partition(" USING ")[2] for (definition,) in rows) or "none: exact"


def _fetch(
    connection: psycopg.Connection[Any], statement: sql.Composed, values: dict[str, object]
) -> list[Any]:
    return connection.execute(statement, values, binary=True).fetchall()


def _share(found: Sequence[str], exact: Sequence[str]) -> float:
    return len(set(found) & set(exact)) / len(exact)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return 1000 * (time.perf_counter() - began), result


if __name__ == "__main__":
    main()
