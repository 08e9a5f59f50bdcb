"""A small server that speaks OpenAI's protocol, and does what the test scripts, faults included."""

import asyncio
import json
import re
import socket
import struct
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

ERROR_TYPES = {401: "invalid_api_key", 429: "rate_limit_exceeded", 500: "server_error"}

PROMPT_TOKENS = 10
"""What it counts for every prompt."""


@dataclass(frozen=True)
class Fail:
    """Answers with this status, and repeats the key as careless providers do."""

    status: int
    retry_after: str = ""
    message: str = ""


@dataclass(frozen=True)
class Page:
    """Answers with a web page, as proxies do."""

    status: int


@dataclass(frozen=True)
class Garbage:
    """Says what is no part of an answer."""

    data: str = '{"id": "chatcmpl-1", "choi'


@dataclass(frozen=True)
class Wait:
    """Says nothing for a while."""

    seconds: float


@dataclass(frozen=True)
class Hang:
    """Says nothing more, until the caller goes away."""


@dataclass(frozen=True)
class Die:
    """Resets the connection."""


@dataclass(frozen=True)
class Stop:
    """Ends the response in good order, but before its end."""


Step = str | Fail | Page | Garbage | Wait | Hang | Die | Stop


@dataclass
class OpenAIServer:
    """Answers each request with the next script; the last one is repeated.

    It counts one token for each word it says, unless it `counts_tokens` not at all.
    """

    address: str = ""
    scripts: list[Sequence[Step]] = field(default_factory=list)
    counts_tokens: bool = True
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    was_asked: asyncio.Event = field(default_factory=asyncio.Event)
    caller_went_away: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle the one request of a connection."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        body = json.loads(await reader.readexactly(int(_header(head, "content-length"))))
        self.requests.append(body)
        self.was_asked.set()
        self.keys.append(_header(head, "authorization").removeprefix("Bearer "))
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        answering = asyncio.create_task(self._answer(writer, body, script))
        leaving = asyncio.create_task(reader.read())
        await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            self.caller_went_away.set()
            answering.cancel()
        leaving.cancel()
        writer.close()

    async def _answer(
        self, writer: asyncio.StreamWriter, body: dict[str, Any], script: Sequence[Step]
    ) -> None:
        match script:
            case [Fail() as fault]:
                writer.write(_failure(fault, self.keys[-1]))
            case [Page(status)]:
                writer.write(_response(status, "text/html", b"<html>Please log in</html>"))
            case _ if body.get("stream"):
                writer.write(_head(200, "text/event-stream"))
                await self._stream(writer, body, script)
            case _:
                await self._whole(writer, body["model"], script)

    async def _stream(
        self, writer: asyncio.StreamWriter, body: dict[str, Any], script: Sequence[Step]
    ) -> None:
        model = body["model"]
        for step in script:
            match step:
                case str():
                    writer.write(_line(_part(model, {"content": step}, None)))
                case Garbage(data):
                    writer.write(f"data: {data}\n\n".encode())
                case Stop():
                    return
                case _:
                    await _pause_or_die(writer, step)
        writer.write(_line(_part(model, {}, "stop")))
        if self.counts_tokens and body.get("stream_options", {}).get("include_usage"):
            writer.write(_line(_part(model, {}, None) | {"choices": [], "usage": _usage(script)}))
        writer.write(b"data: [DONE]\n\n")

    async def _whole(
        self, writer: asyncio.StreamWriter, model: str, script: Sequence[Step]
    ) -> None:
        answer = _whole(model, script)
        if not self.counts_tokens:
            del answer["usage"]
        content = json.dumps(answer)
        for step in script:
            match step:
                case str():
                    pass
                case Garbage(data):
                    content = data
                case Stop():
                    content = content[: len(content) // 2]
                case _:
                    await _pause_or_die(writer, step)
        writer.write(_response(200, "application/json", content.encode()))


@asynccontextmanager
async def openai_server() -> AsyncIterator[OpenAIServer]:
    """Run a server; what it says is put into its `scripts`."""
    server = OpenAIServer()
    async with await asyncio.start_server(server.serve, "127.0.0.1", 0) as listening:
        host, port = listening.sockets[0].getsockname()
        server.address = f"http://{host}:{port}/v1"
        yield server


def sse_lines(words: Sequence[str]) -> Iterator[bytes]:
    """Write an answer as a provider streams it."""
    for word in words:
        yield _line(_part("gpt-4.1", {"content": word}, None))
    yield _line(_part("gpt-4.1", {}, "stop"))
    yield b"data: [DONE]\n\n"


async def _pause_or_die(writer: asyncio.StreamWriter, step: Step) -> None:
    await writer.drain()
    match step:
        case Wait(seconds):
            await asyncio.sleep(seconds)
        case Hang():
            await asyncio.Event().wait()
        case Die():
            # Without lingering a closed connection is a reset one.
            writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
            )
            writer.transport.abort()
            await asyncio.sleep(0)


def _header(head: str, name: str) -> str:
    match = re.search(rf"^{name}: *(.*?)\r$", head, re.IGNORECASE | re.MULTILINE)
    return match[1] if match else ""


def _head(status: int, content_type: str, *headers: str) -> bytes:
    lines = (f"HTTP/1.1 {status} -", f"Content-Type: {content_type}", "Connection: close", *headers)
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def _response(status: int, content_type: str, content: bytes, *headers: str) -> bytes:
    length = f"Content-Length: {len(content)}"
    return _head(status, content_type, length, *headers) + content


def _failure(fault: Fail, key: str) -> bytes:
    kind = ERROR_TYPES.get(fault.status, "error")
    message = f"{fault.message} Incorrect API key: {key}"
    error = {"message": message, "type": kind, "code": kind}
    headers = [f"Retry-After: {fault.retry_after}"] if fault.retry_after else []
    return _response(
        fault.status, "application/json", json.dumps({"error": error}).encode(), *headers
    )


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


def _whole(model: str, script: Sequence[Step]) -> dict[str, Any]:
    message = {"role": "assistant", "content": "".join(_words(script))}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": _usage(script),
    }


def _usage(script: Sequence[Step]) -> dict[str, int]:
    said = len(_words(script))
    total = PROMPT_TOKENS + said
    return {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": said, "total_tokens": total}


def _words(script: Sequence[Step]) -> list[str]:
    return [step for step in script if isinstance(step, str)]
