"""A small server that speaks OpenAI's protocol, and does what the test scripts."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from quart import Quart, Response, request

from tests.loopback import served

ERROR_TYPES = {401: "invalid_api_key", 429: "rate_limit_exceeded", 500: "server_error"}


@dataclass(frozen=True)
class Fail:
    """Answers with this status, and repeats the key as careless providers do."""

    status: int


@dataclass(frozen=True)
class Hang:
    """Says nothing more, until the caller goes away."""


@dataclass(frozen=True)
class Die:
    """Breaks the connection off."""


Step = str | Fail | Hang | Die


@dataclass
class OpenAIServer:
    """Answers each request with the next script; the last one is repeated."""

    address: str = ""
    scripts: list[Sequence[Step]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    caller_went_away: asyncio.Event = field(default_factory=asyncio.Event)

    async def complete(self) -> Response | tuple[dict[str, Any], int]:
        """Handle one request."""
        body = await request.get_json()
        self.requests.append(body)
        self.keys.append(request.headers.get("Authorization", "").removeprefix("Bearer "))
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        if script and isinstance(script[0], Fail):
            return _failure(script[0].status, self.keys[-1]), script[0].status
        if not body.get("stream"):
            return _whole(body["model"], "".join(map(str, script))), 200
        response = Response(self._stream(body["model"], script), content_type="text/event-stream")
        response.timeout = None
        return response

    async def _stream(self, model: str, script: Sequence[Step]) -> AsyncIterator[bytes]:
        try:
            for step in script:
                match step:
                    case str():
                        yield _line(_part(model, {"content": step}, None))
                    case Hang():
                        await asyncio.Event().wait()
                    case Die():
                        raise ConnectionAbortedError
            yield _line(_part(model, {}, "stop"))
            yield b"data: [DONE]\n\n"
        except (asyncio.CancelledError, GeneratorExit):
            self.caller_went_away.set()
            raise


@asynccontextmanager
async def openai_server() -> AsyncIterator[OpenAIServer]:
    """Run a server; what it says is put into its `scripts`."""
    server = OpenAIServer()
    app = Quart(__name__)
    app.post("/v1/chat/completions")(server.complete)
    async with served(app) as address:
        server.address = f"{address}/v1"
        yield server


def sse_lines(words: Sequence[str]) -> Iterator[bytes]:
    """Write an answer as a provider streams it."""
    for word in words:
        yield _line(_part("gpt-4.1", {"content": word}, None))
    yield _line(_part("gpt-4.1", {}, "stop"))
    yield b"data: [DONE]\n\n"


def _line(value: Any) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def _part(model: str, delta: dict[str, str], finish_reason: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": model,
        "choices": [choice],
    }


def _whole(model: str, content: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _failure(status: int, key: str) -> dict[str, Any]:
    kind = ERROR_TYPES.get(status, "error")
    return {"error": {"message": f"Incorrect API key: {key}", "type": kind, "code": kind}}
