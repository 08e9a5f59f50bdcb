"""What tests of streams need: a model that speaks when told, and clients on real connections."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from quart.wrappers import Response
from sqlalchemy import text

from app.api_keys import key_hint
from app.models.api_key import select_live_keys
from app.services import Services
from config.errors import ServiceError
from tests.client import Client
from tests.fakes import ScriptedLLM

SECONDS = 60
"""No wait may take longer."""


@dataclass
class PromptedLLM(ScriptedLLM):
    """Says each word when the test lets it, and ends its answer at None."""

    words: asyncio.Queue[str | ServiceError | None] = field(default_factory=asyncio.Queue)
    was_stopped: asyncio.Event = field(default_factory=asyncio.Event)

    async def stream(self, *_: Any, **__: Any) -> AsyncIterator[str]:
        try:
            while (word := await self.words.get()) is not None:
                if isinstance(word, ServiceError):
                    raise word
                yield word
        except asyncio.CancelledError:
            self.was_stopped.set()
            raise

    def say(self, *words: str | ServiceError | None) -> None:
        for word in words:
            self.words.put_nowait(word)


@dataclass
class DeletingLLM(ScriptedLLM):
    """Deletes the engine that it is asked about amid its answer."""

    client: Client = field(kw_only=True)
    engine_id: str = field(kw_only=True)

    async def stream(self, *_: Any, **__: Any) -> AsyncIterator[str]:
        yield "In March."
        await self.client.call("DELETE", f"/api/v1/knowledge-engines/{self.engine_id}")


@dataclass
class Reader:
    """A client on a real connection, and all that it has received."""

    response: httpx.Response
    received: bytes = b""

    def __post_init__(self) -> None:
        self._parts = self.response.aiter_raw()

    async def read(self, *, events: int) -> bytes:
        """Read until so many events are there."""
        async with asyncio.timeout(SECONDS):
            while self.received.count(b"\nevent: ") < events:
                self.received += await anext(self._parts)
        return self.received

    async def read_all(self) -> bytes:
        async with asyncio.timeout(SECONDS):
            async for part in self._parts:
                self.received += part
        return self.received


async def ask(client: Client, engine: str) -> Response:
    body = {"name": "test", "query": "When does the lease end?"}
    return await client.call("POST", f"/api/v1/knowledge-engines/{engine}/query", json=body)


async def whole(client: Client, engine: str) -> bytes:
    """Ask, and return the whole stream."""
    return await body_of(await ask(client, engine))


async def body_of(response: Response) -> bytes:
    return await response.get_data(as_text=False)


async def resumed(client: Client, engine: str, last_event_id: str) -> bytes:
    """Return the rest of a stream."""
    headers = {"Last-Event-ID": last_event_id}
    path = f"/api/v1/knowledge-engines/{engine}/query"
    async with asyncio.timeout(SECONDS):
        response = await client.call("POST", path, headers=headers)
        return await body_of(response)


@asynccontextmanager
async def streaming(
    client: Client, address: str, engine: str, last_event_id: str = ""
) -> AsyncIterator[Reader]:
    """Ask or resume over a connection of its own, which is closed at the end."""
    url = f"{address}/api/v1/knowledge-engines/{engine}/query"
    body = {"name": "test", "query": "When does the lease end?"}
    headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
    # The system would take ten megabytes in for a client that reads nothing.
    transport = httpx.AsyncHTTPTransport(
        socket_options=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)]
    )
    async with (
        httpx.AsyncClient(auth=(client.key, ""), timeout=SECONDS, transport=transport) as http,
        http.stream("POST", url, json=body, headers=headers) as response,
    ):
        yield Reader(response)


def event_id(stream: bytes, number: int) -> str:
    """Return the id that the event of this number has in a stream."""
    found = re.search(rb"^id: (strm_\w+)-", stream, re.M)
    assert found is not None
    return f"{found[1].decode()}-{number}"


async def stands_still(llm: PromptedLLM) -> bool:
    """Wait until the model is let say nothing more, though it has words left."""
    left = -1
    while left != llm.words.qsize():
        left = llm.words.qsize()
        await asyncio.sleep(0.5)
    return left > 0


async def begin_of_record(services: Services) -> None:
    """Wait until something of a stream is recorded."""
    for _ in range(SECONDS * 50):
        if await count(services, "stream_part"):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("nothing was recorded")


async def all_done(services: Services) -> None:
    """Wait until nothing goes on in the background.

    Not by awaiting one task: one that is done, and not yet forgotten, would be awaited for ever.
    """
    while services.background:
        await asyncio.wait(services.background)


async def key_id_of(client: Client) -> int:
    """Return the number of the key that a client calls with."""
    async with client.services.database.transaction() as session:
        ((api_key, _),) = await select_live_keys(session, key_hint(client.key))
    assert api_key.id is not None
    return api_key.id


async def execute(services: Services, *statements: str) -> None:
    async with services.database.transaction() as session:
        for statement in statements:
            await (await session.connection()).execute(text(statement))


async def record_in_one_part(services: Services) -> None:
    """Put the parts of the one recorded stream together, however many there are."""
    await execute(
        services,
        "WITH parts AS (DELETE FROM stream_part RETURNING *) INSERT INTO stream_part "
        "SELECT stream_id, max(last_event), string_agg(events, ''::bytea ORDER BY last_event) "
        "FROM parts GROUP BY stream_id",
    )


async def count(services: Services, table: str) -> int:
    async with services.database.engine.connect() as connection:
        found = await connection.execute(text(f"SELECT count(*) FROM {table}"))
        return int(found.scalar_one())
