"""What it costs an engine to have very many data sources, such as all tickets of a company.

Engines are filled past the upload by the function that the worker uses; a file is laid beside each
data source. Each call is timed on an engine with few of them, and on one with very many.
"""

import argparse
import asyncio
import itertools
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import numpy as np

from benchmarks.filled_engines import Filter
from benchmarks.generated_chunks import paragraphs, resampled
from benchmarks.report import publish, table
from benchmarks.retrieval_speed import Bench, Caller, new_engine, opened_bench, timed, upload
from benchmarks.service import answered, running_service, wait_until_processed
from config.settings import prepare_library_environment

SIZES = (100, 20_000)
CHUNKS = 2
SHELVES = 10
AT_ONCE = 3
CALLS = 50
REAL_VECTORS = 300

NONE = Filter("none", {}, None)
SHELF = Filter("a tenth, by notes", {"filter": {"shelf": "3"}}, None)

HOW = f"""Data sources of {CHUNKS} chunks each, stored as the worker stores them, with a file each;
one client, queries that are all different, {CALLS} calls of each kind after the first ten; p50 in
milliseconds. The clients share the machine with the service. While the engine is deleted, another
connection asks `/livez` without a pause: the longest it waits is how long nobody was served."""


@dataclass(frozen=True, slots=True)
class Filled:
    """An engine and how it came about."""

    id: str
    size: int
    fill_seconds: float
    merge_seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    sizes = parser.parse_args().sizes
    prepare_library_environment()
    columns: list[dict[str, str]] = []
    with (
        tempfile.TemporaryDirectory(prefix="ke-many-", dir="/tmp") as directory,
        running_service(Path(directory) / "data") as service,
        opened_bench(service, Path(directory) / "data", None) as bench,
    ):
        # When a document has been read, the worker has loaded what it needs and leaves us in peace.
        warm = upload(service.client, new_engine(bench), b"Warm.", "warm.md")
        wait_until_processed(service.client, warm)
        for size in sizes:
            engine = fill(bench, size, Path(directory) / "data" / "files")
            columns.append(measure(bench, engine) | delete(bench, engine))
    rows = [(name, *(column[name] for column in columns)) for name in columns[0]]
    header = ("", *(f"{size:,} data sources" for size in sizes))
    publish("many_sources", "Many data sources", HOW, table(header, rows))


def fill(bench: Bench, size: int, files: Path) -> Filled:
    """Give a new engine so many data sources, with their files."""
    engine_id = new_engine(bench)
    real = bench.embedder.embed(list(paragraphs(REAL_VECTORS)))
    chunks = list(zip(paragraphs(size * CHUNKS), resampled(real, size * CHUNKS), strict=True))
    numbers = itertools.count()

    async def add_some() -> None:
        while (number := next(numbers)) < size:
            own = chunks[number * CHUNKS : (number + 1) * CHUNKS]
            notes = {"shelf": str(number % SHELVES)}
            file = files / engine_id / await bench.filler.add_source(engine_id, notes, own)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(own[0][0])

    async def add_all() -> None:
        await asyncio.gather(*(add_some() for _ in range(AT_ONCE)))

    fill_ms, _ = timed(lambda: bench.runner.run(add_all()))
    merge_ms, _ = timed(lambda: bench.runner.run(bench.filler.merge(engine_id)))
    bench.connection.execute("VACUUM ANALYZE")
    bench.runner.run(bench.filler.wait_for_graph(engine_id, size * CHUNKS))
    return Filled(engine_id, size, fill_ms / 1000, merge_ms / 1000)


def measure(bench: Bench, engine: Filled) -> dict[str, str]:
    """Time the calls that may grow with the data sources of an engine."""
    client, path = bench.service.client, f"/api/v1/knowledge-engines/{engine.id}"
    caller = Caller(bench.service, engine.id)
    question = {"name": "many", "type": "query", "knowledge_engine_id": engine.id, "model": "auto"}

    def ask() -> None:
        answered(client.post("/api/v1/workflows", json=question | {"query": next(bench.asked)}))

    calls: dict[str, Callable[[], object]] = {
        "`/retrieve`": lambda: _found(caller.retrieve(next(bench.asked), NONE)),
        "`/retrieve` in a tenth, by notes": lambda: _found(
            caller.retrieve(next(bench.asked), SHELF)
        ),
        "`/workflows`, the built-in answerer": ask,
        "the engine": lambda: answered(client.get(path)),
        "a page of 50 of its data sources": lambda: answered(
            client.get(f"{path}/data-sources?limit=50")
        ),
    }
    figures = {name: f"{_p50(call):.1f}" for name, call in calls.items()}
    caller.close()
    one_more, _ = timed(lambda: _add_one(bench, engine.id))
    rate = engine.size / engine.fill_seconds
    return {
        "stored a second": f"{rate:.0f}",
        "merging all segments, s": f"{engine.merge_seconds:.1f}",
        **figures,
        "one more, until it is read, s": f"{one_more / 1000:.2f}",
    }


def delete(bench: Bench, engine: Filled) -> dict[str, str]:
    """Delete the engine, and look how long nobody was served meanwhile."""
    longest, is_over = [0.0], Event()

    def look() -> None:
        with httpx.Client(base_url=bench.service.client.base_url, timeout=600) as client:
            while not is_over.is_set():
                longest[0] = max(longest[0], timed(lambda: client.get("/livez"))[0])

    watcher = Thread(target=look)
    watcher.start()
    path = f"/api/v1/knowledge-engines/{engine.id}"
    try:
        whole, _ = timed(lambda: answered(bench.service.client.delete(path, timeout=600)))
    finally:
        is_over.set()
        watcher.join()
    return {
        "deleting the engine, s": f"{whole / 1000:.2f}",
        "nobody served meanwhile, ms": f"{longest[0]:.0f}",
    }


def _found(answer: tuple[int, bytes]) -> None:
    status, body = answer
    if status != httpx.codes.OK:
        raise SystemExit(f"/retrieve: {status} {body.decode()}")


def _p50(call: Callable[[], object]) -> float:
    times = [timed(call)[0] for _ in range(10 + CALLS)]
    return float(np.median(times[10:]))


def _add_one(bench: Bench, engine_id: str) -> Any:
    content = f"One more, of {time.monotonic_ns()}".encode()
    return wait_until_processed(
        bench.service.client, upload(bench.service.client, engine_id, content, "more.md")
    )


if __name__ == "__main__":
    main()
