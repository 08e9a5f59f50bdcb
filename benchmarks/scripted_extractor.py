"""A loopback model server of OpenAI's protocol that fills in forms as it was told to.

It finds the fields it is asked for in the prompt, by their names, and says of each what its script
has. As a real model it sees no more than its prompt: what it is told to have read on a page it says
only when that page is before it.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

_ASKED = re.compile(r'^(field_\d+): ("(?:[^"\\]|\\.)*")', re.MULTILINE)
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Saying:
    """What the model says of a field."""

    value: Any
    quote: str = ""  # "" if it stands nowhere: then it is said to every prompt


@dataclass
class ScriptedExtractor:
    """Answers by its script; it counts its requests and the seconds it took for them."""

    address: str = ""
    sayings: Mapping[str, Saying] = field(default_factory=dict)  # by the name of the field
    requests: int = 0
    seconds: float = 0.0  # in which it was busy, with one request or several
    processor_seconds: float = 0.0  # of this process meanwhile
    thinks_seconds: float = 0.0  # before it answers
    _busy_with: int = 0
    _busy_since: tuple[float, float] = (0.0, 0.0)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle the one request of a connection."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        raw = await reader.readexactly(int(length[1]) if length else 0)
        self._begin()
        await asyncio.sleep(self.thinks_seconds)
        body = json.loads(raw)
        writer.write(_response(body, json.dumps(self._filled_in(_prompt(body)))))
        self._end()
        await writer.drain()
        writer.close()

    def _begin(self) -> None:
        if not self._busy_with:
            self._busy_since = time.perf_counter(), time.process_time()
        self._busy_with += 1

    def _end(self) -> None:
        self._busy_with -= 1
        if not self._busy_with:
            self.seconds += time.perf_counter() - self._busy_since[0]
            self.processor_seconds += time.process_time() - self._busy_since[1]
        self.requests += 1

    def _filled_in(self, prompt: str) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        for attribute, name in _ASKED.findall(prompt):
            saying = self.sayings.get(json.loads(name))
            is_seen = saying and saying.quote in prompt
            answer[attribute] = (
                {"value": saying.value, "quote": saying.quote} if saying and is_seen else None
            )
        return answer


@asynccontextmanager
async def scripted_extractor() -> AsyncIterator[ScriptedExtractor]:
    """Run a server; what it says is put into its `sayings`."""
    server = ScriptedExtractor()
    async with await asyncio.start_server(server.serve, "127.0.0.1", 0) as listening:
        host, port = listening.sockets[0].getsockname()
        server.address = f"http://{host}:{port}/v1"
        yield server


def _prompt(body: dict[str, Any]) -> str:
    return "\n".join(str(message.get("content") or "") for message in body["messages"])


def _response(body: dict[str, Any], answer: str) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": answer}
    if tools := body.get("tools"):
        call = {"name": tools[0]["function"]["name"], "arguments": answer}
        tool_call = {"index": 0, "id": "call_1", "type": "function", "function": call}
        message = {"role": "assistant", "content": None, "tool_calls": [tool_call]}
    whole = {"id": "chatcmpl-1", "created": 1, "model": body["model"]}
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    finish = "tool_calls" if body.get("tools") else "stop"
    if body.get("stream"):
        parts = [({"delta": message, "finish_reason": None}, {})]
        parts.append(({"delta": {}, "finish_reason": finish}, {"usage": usage}))
        lines = [
            json.dumps(
                whole
                | {"object": "chat.completion.chunk", "choices": [{"index": 0, **choice}]}
                | more
            )
            for choice, more in parts
        ]
        content = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
        return _head("text/event-stream", len(content)) + content
    choice = {"index": 0, "message": message, "finish_reason": finish}
    content = json.dumps(
        whole | {"object": "chat.completion", "choices": [choice], "usage": usage}
    ).encode()
    return _head("application/json", len(content)) + content


def _head(content_type: str, length: int) -> bytes:
    return (
        f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {length}\r\nConnection: close\r\n\r\n"
    ).encode()
