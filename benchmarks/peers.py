"""Other searches over the vectors of a filled engine, as their makers ship them."""

import http.client
import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from benchmarks.filled_engines import FilledEngine, Filter
from indexing.embedding import Vectors

Search = Callable[[Vectors, Filter], list[str]]
"""Returns the ids of the chunks nearest to a vector."""

PLAIN_STORE = "plain PGVectorStore"
CHROMA = "chroma server"

START_SECONDS = 60
ADDED_AT_ONCE = 1000


def plain_store(pool: Engine, engine: FilledEngine, top_k: int) -> Search:
    """Search by LlamaIndex's own PGVectorStore, as it comes, in the engine's table."""
    from llama_index.core.vector_stores import (
        FilterCondition,
        MetadataFilter,
        MetadataFilters,
        VectorStoreQuery,
    )
    from llama_index.vector_stores.postgres import PGVectorStore

    store = PGVectorStore(
        connection_string="",
        async_connection_string="",
        engine=pool,
        async_engine=pool,  # asked for, but used by asynchronous calls only
        table_name=engine.id,
        embed_dim=engine.vectors.shape[1],
        use_jsonb=True,
        perform_setup=False,
    )

    def search(vector: Vectors, wanted: Filter) -> list[str]:
        filters = None
        if wanted.data_source_ids is not None:
            own = [MetadataFilter(key="ref_doc_id", value=one) for one in wanted.data_source_ids]
            filters = MetadataFilters(filters=own, condition=FilterCondition.OR)
        query = VectorStoreQuery(
            query_embedding=vector.tolist(), similarity_top_k=top_k, filters=filters
        )
        found: list[str] = store.query(query).ids
        return found

    return search


class ChromaServer:
    """A chroma server, spoken to over HTTP."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._collections = "/api/v2/tenants/default_tenant/databases/default_database/collections"

    def search_in(self, engine: FilledEngine, top_k: int) -> Search:
        """Load the chunks of an engine into a collection, and search there."""
        settings = {"hnsw": {"space": "cosine"}}
        collection = self._post("", {"name": engine.id, "configuration": settings})["id"]
        for first in range(0, len(engine.chunk_ids), ADDED_AT_ONCE):
            part = slice(first, first + ADDED_AT_ONCE)
            rows = {
                "ids": engine.chunk_ids[part],
                "embeddings": engine.vectors[part].tolist(),
                "documents": engine.contents[part],
                "metadatas": [{"source": owner} for owner in engine.owners[part].tolist()],
            }
            self._post(f"/{collection}/add", rows)

        def search(vector: Vectors, wanted: Filter) -> list[str]:
            body: dict[str, Any] = {"query_embeddings": [vector.tolist()], "n_results": top_k}
            if wanted.data_source_ids is not None:
                body["where"] = {"source": {"$in": wanted.data_source_ids}}
            found: list[str] = self._post(f"/{collection}/query", body)["ids"][0]
            return found

        return search

    def is_up(self) -> bool:
        """Tell whether it answers."""
        try:
            self._connection.request("GET", "/api/v2/heartbeat")
            response = self._connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return False
        return response.status == http.HTTPStatus.OK

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        content = json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        self._connection.request("POST", self._collections + path, content, headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status >= http.HTTPStatus.BAD_REQUEST:
            raise SystemExit(f"chroma{path}: {response.status} {answer.decode()}")
        return json.loads(answer)


@contextmanager
def chroma_server(program: Path | None, folder: Path) -> Iterator[ChromaServer | None]:
    """Run a chroma server as long as the block lasts, where its program is given."""
    if program is None:
        yield None
        return
    port = _free_port()
    command: Sequence[str] = (str(program), "run", "--path", str(folder), "--port", str(port))
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"ANONYMIZED_TELEMETRY": "False"},
    )
    try:
        server = ChromaServer(port)
        deadline = time.monotonic() + START_SECONDS
        while not server.is_up():
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"{program} did not start")
            time.sleep(0.1)
        yield server
    finally:
        process.terminate()
        process.wait(60)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
