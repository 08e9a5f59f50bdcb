"""A small server that embeds and reranks, and fails as it is told to.

It speaks the protocols of OpenAI (`/v1/embeddings`), of Cohere, Jina, Infinity and vLLM
(`…/rerank`), and of Text Embeddings Inference (`/rerank` with `texts`).
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes import HashEmbedder
from tests.openai_server import ERROR_TYPES


@dataclass(frozen=True)
class Fail:
    """Answers with this status, and repeats the key as careless services do."""

    status: int
    retry_after: str = ""


@dataclass(frozen=True)
class Say:
    """Answers with what is no answer."""

    body: Any


@dataclass(frozen=True)
class Hang:
    """Does not answer before the test is over."""


@dataclass
class SearchServer:
    """Gives texts that share words like vectors, and ranks highest what has the `preferred` text.

    The next requests meet the `troubles`, one each.
    """

    address: str = ""
    preferred: str = ""
    longest_text: int = 100_000  # characters; a longer one is refused
    most_texts: int = 1_000
    troubles: list[Fail | Say | Hang] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)

    def answer(self, path: str, key: str, body: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        """Return status, body and further headers of the answer to a request."""
        self.paths.append(path)
        self.keys.append(key)
        self.requests.append(body)
        match self.troubles.pop(0) if self.troubles else None:
            case Fail(status, retry_after):
                headers = {"Retry-After": retry_after} if retry_after else {}
                return status, _error(f"Incorrect API key: {key}", status), headers
            case Say(said):
                return 200, said, {}
            case Hang():
                self.is_over.wait()
        return *(self._ranking(body) if "query" in body else self._embeddings(body)), {}

    def _embeddings(self, body: dict[str, Any]) -> tuple[int, Any]:
        texts = body["input"]
        if len(texts) > self.most_texts:
            return 413, _error(f"at most {self.most_texts} inputs", 413)
        if any(len(text) > self.longest_text for text in texts):
            return 400, _error("This model's input is limited", 400)
        rows = HashEmbedder().embed(texts) * 3  # Not of length 1, as some services do.
        data = [
            {"object": "embedding", "index": number, "embedding": row.tolist()}
            for number, row in enumerate(rows)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        # The order is what the index says, not that of the list.
        answer = {"object": "list", "model": body["model"], "data": data[::-1], "usage": usage}
        return 200, answer

    def _ranking(self, body: dict[str, Any]) -> tuple[int, Any]:
        texts = body.get("documents") or body["texts"]
        scores = [0.9 if self.preferred in text else 0.1 for text in texts]
        if "texts" in body:
            return 200, [{"index": n, "score": score} for n, score in enumerate(scores)]
        results = [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]
        return 200, {"id": "1", "results": results, "usage": {"total_tokens": 1}}


@contextmanager
def search_server() -> Iterator[SearchServer]:
    """Run a server, in threads of its own."""
    server = SearchServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            status, answer, headers = server.answer(self.path, key, body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        server.address = f"http://127.0.0.1:{listening.server_port}"
        yield server
        server.is_over.set()
        listening.shutdown()


def _error(message: str, status: int) -> dict[str, Any]:
    kind = ERROR_TYPES.get(status, "error")
    return {"error": {"message": message, "type": kind, "code": kind}}
