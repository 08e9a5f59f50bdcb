"""A receiver of webhooks on loopback: it keeps what it is sent, and answers as the test says."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from standardwebhooks import Webhook

ENDLESS = "endless"
"""As the answer: a body that goes on until the caller goes away."""

SILENT = "silent"
"""As the answer: none before the test sets `goes_on`, and then a 204."""


@dataclass(frozen=True)
class Received:
    """A request, its headers in small letters."""

    path: str
    headers: dict[str, str]
    body: bytes

    def verified(self, secret: str) -> Any:
        """Return the payload, checked as receivers are told to check it."""
        return Webhook(secret).verify(self.body, self.headers)


@dataclass
class Receiver:
    """Answers each request with the next status, the last one is repeated; 302 leads to itself."""

    port: int = 0
    answers: list[int | str] = field(default_factory=lambda: [204])
    requests: list[Received] = field(default_factory=list)
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)
    arrivals: asyncio.Queue[None] = field(default_factory=asyncio.Queue)

    async def received(self, count: int) -> None:
        """Wait for so many more requests."""
        async with asyncio.timeout(60):
            for _ in range(count):
                await self.arrivals.get()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?token=1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle the one request of a connection."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except asyncio.IncompleteReadError:  # Somebody only connected.
            writer.close()
            return
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(headers["content-length"]))
        self.requests.append(Received(first.split()[1], headers, body))
        self.arrivals.put_nowait(None)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        with suppress(ConnectionError):
            await self._answer(writer, answer)
        writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, answer: int | str) -> None:
        if answer == ENDLESS:
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                writer.write(b"x" * 4096)
                await writer.drain()
        if answer == SILENT:
            await self.goes_on.wait()
            answer = 204
        head = f"HTTP/1.1 {answer} Said\r\nLocation: http://127.0.0.1:{self.port}/elsewhere\r\n"
        length = "" if answer == 204 else "Content-Length: 0\r\n"
        writer.write(f"{head}{length}Connection: close\r\n\r\n".encode())
        await writer.drain()


@asynccontextmanager
async def receiving(tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """Receive on a port of its own."""
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    async with server:
        yield receiver
        receiver.goes_on.set()
