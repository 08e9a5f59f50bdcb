"""A loopback model server of OpenAI's protocol whose every token says when it was sent.

The question says how many tokens it wants, and how often: see `wish`.
"""

import asyncio
import json
import re
import sys
import time

_WISH = re.compile(r"Say (\d+) tokens, one every (\d+) ms")
_TOKEN = re.compile(r"t(\d+)@(\d+) ")

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def wish(count: int, interval_ms: int) -> str:
    """Return the question that makes the server say so many tokens."""
    return f"Say {count} tokens, one every {interval_ms} ms"


def tokens_in(text: str, arrived_ns: int) -> list[tuple[int, float]]:
    """Return the tokens of a text that arrived at this moment of the monotonic clock.

    Of each its number, and how many milliseconds ago it was sent.
    """
    return [
        (int(number), (arrived_ns - int(sent_ns)) / 1e6) for number, sent_ns in _TOKEN.findall(text)
    ]


async def _serve(port: int) -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", port, backlog=1024)
    async with server:
        await server.serve_forever()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    body = await reader.readexactly(int(length[1]) if length else 0)
    # The question comes last, behind the documents.
    found = _WISH.findall(body.decode())
    count, interval_ms = map(int, found[-1]) if found else (1, 0)
    writer.write(_HEAD)
    next_at = time.monotonic()
    for number in range(count):
        await asyncio.sleep(max(next_at - time.monotonic(), 0))
        next_at += interval_ms / 1000
        writer.write(_part({"content": f"t{number}@{time.monotonic_ns()} "}, None))
    writer.write(_part({}, "stop"))
    if json.loads(body).get("stream_options", {}).get("include_usage"):
        writer.write(_usage(count))
    writer.write(b"data: [DONE]\n\n")
    await writer.drain()
    writer.close()


def _part(delta: dict[str, str], finish_reason: str | None) -> bytes:
    return _line({"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]})


def _usage(count: int) -> bytes:
    usage = {"prompt_tokens": 1, "completion_tokens": count, "total_tokens": 1 + count}
    return _line({"choices": [], "usage": usage})


def _line(content: dict[str, object]) -> bytes:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1}
    return f"data: {json.dumps(head | {'model': 'loopback'} | content)}\n\n".encode()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
