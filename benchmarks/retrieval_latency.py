"""How long `/retrieve` takes beside the two things it cannot do without.

These are the embedding of the query and one exact search in PostgreSQL, both done here with
nothing around them, and in turn with the calls, so that all three see the same machine.
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any

import docx
import httpx
import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql

from app.embedded_postgres import attach
from benchmarks.report import publish, table
from benchmarks.service import answered, running_service, wait_until_processed
from config.settings import Settings, prepare_library_environment
from indexing.embedding import MiniLMEmbedder

CHUNKS = 1000
DOCUMENTS = 10
CALLS = 300
TOP_K = 20
PARAGRAPH_CHARACTERS = 700

NEAREST = """
SELECT node_id, text, metadata_, embedding <=> %(query)s AS distance
FROM {table} ORDER BY embedding <=> %(query)s LIMIT 20
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--calls", type=int, default=CALLS)
    arguments = parser.parse_args()
    prepare_library_environment()
    with tempfile.TemporaryDirectory(prefix="ke-latency-", dir="/tmp") as directory:
        data_dir = Path(directory) / "data"
        with running_service(data_dir, port=arguments.port) as service:
            engine_id, chunks = fill_engine(service.client)
            report(measure(service.client, engine_id, data_dir, arguments.calls), chunks)


def fill_engine(client: httpx.Client) -> tuple[str, int]:
    """Upload the generated documents; return the engine's id and how many chunks it has."""
    engine_id = answered(client.post("/api/v1/knowledge-engines", json={"name": "Latency"}))["id"]
    all_paragraphs = paragraphs(CHUNKS)
    chunks = 0
    for number in range(DOCUMENTS):
        name = f"topics-{number}.docx"
        data = {"name": name, "type": "file", "knowledge_engine_id": engine_id}
        files = {"file": (name, document(all_paragraphs[number::DOCUMENTS]))}
        form = {"data": json.dumps(data)}
        uploaded = answered(client.post("/api/v1/data-sources", data=form, files=files))
        chunks += wait_until_processed(client, uploaded["id"])["chunk_count"]
    return engine_id, chunks


def measure(
    client: httpx.Client, engine_id: str, data_dir: Path, calls: int
) -> dict[str, list[float]]:
    """Return the milliseconds of each call, and of its two parts done bare."""
    embedder = MiniLMEmbedder(data_dir / "models", threads=Settings().embedding_threads)
    statement = sql.SQL(NEAREST).format(table=sql.Identifier(f"data_{engine_id}"))
    path = f"/api/v1/knowledge-engines/{engine_id}/retrieve"
    warm_up, *asked = np.array_split(queries(calls + 30), [30])
    times: dict[str, list[float]] = {"retrieve": [], "embedding": [], "search": []}
    with psycopg.connect(attach(data_dir), prepare_threshold=0, autocommit=True) as connection:
        register_vector(connection)
        for query in [*warm_up, *asked[0]]:
            body = {"query": str(query), "top_k": TOP_K}
            call, _ = timed(lambda body=body: answered(client.post(path, json=body)))
            embedding, vector = timed(lambda query=query: embedder.embed([str(query)])[0])
            search, rows = timed(
                lambda vector=vector: connection.execute(
                    statement, {"query": vector}, binary=True
                ).fetchall()
            )
            assert len(rows) == TOP_K
            for name, milliseconds in zip(times, (call, embedding, search), strict=True):
                times[name].append(milliseconds)
    return {name: values[len(warm_up) :] for name, values in times.items()}


def report(times: dict[str, list[float]], chunks: int) -> None:
    """Print the percentiles and how the whole compares with its parts."""
    bare = [sum(pair) for pair in zip(times["embedding"], times["search"], strict=True)]
    rows = [
        ("`/retrieve` over HTTP", *percentiles(times["retrieve"])),
        ("the query's embedding, bare", *percentiles(times["embedding"])),
        (f"exact top {TOP_K} in PostgreSQL, bare", *percentiles(times["search"])),
        ("embedding and search, bare", *percentiles(bare)),
    ]
    p50, p95 = (
        whole / parts
        for whole, parts in zip(percentiles(times["retrieve"]), percentiles(bare), strict=True)
    )
    publish(
        "retrieval_latency",
        "Latency of retrieval",
        f"{len(bare)} distinct queries in a row over {chunks} chunks, top {TOP_K}; milliseconds.",
        table(("", "p50", "p95"), [(name, f"{a:.2f}", f"{b:.2f}") for name, a, b in rows]),
        f"`/retrieve` takes {p50:.2f} times (p50) and {p95:.2f} times (p95) its bare parts.",
    )


def percentiles(milliseconds: Sequence[float]) -> tuple[float, float]:
    return float(np.percentile(milliseconds, 50)), float(np.percentile(milliseconds, 95))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return 1000 * (time.perf_counter() - began), result


def paragraphs(count: int) -> list[str]:
    """Mix texts of a chunk's size from the sentences of the help texts that Python carries."""
    text = " ".join(" ".join(topics[name].split()) for name in sorted(topics))
    sentences = text.split(". ")
    chosen = random.Random(1)
    mixed = []
    while len(mixed) < count:
        paragraph = ""
        while len(paragraph) < PARAGRAPH_CHARACTERS:
            paragraph += f"{chosen.choice(sentences)[: PARAGRAPH_CHARACTERS // 3]}. "
        mixed.append(paragraph)
    return mixed


def document(texts: Sequence[str]) -> bytes:
    """Write a Word document with a heading above each text, so that each becomes a chunk."""
    written = docx.Document()
    for number, text in enumerate(texts, 1):
        written.add_heading(f"Topic {number}")
        written.add_paragraph(text)
    content = BytesIO()
    written.save(content)
    return content.getvalue()


def queries(count: int) -> list[str]:
    """Return distinct queries: a few words as they stand in the texts, the same in every run."""
    chosen = random.Random(1)
    words = " ".join(paragraphs(CHUNKS)).split()
    found: dict[str, None] = {}
    while len(found) < count:
        start = chosen.randrange(len(words) - 10)
        found[" ".join(words[start : start + chosen.randint(4, 10)])] = None
    return list(found)


if __name__ == "__main__":
    main()
