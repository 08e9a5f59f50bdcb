"""The server of production, on loopback: for what only a real connection can show."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from quart import Quart

from app.http_server import HEAD_SECONDS, http_server
from tests.postgres_over_tcp import free_port


@asynccontextmanager
async def served(app: Quart, *, head_seconds: float = HEAD_SECONDS) -> AsyncIterator[str]:
    """Serve the application in this process; yield its address."""
    port = free_port()
    server = http_server(app, "127.0.0.1", port, head_seconds=head_seconds)
    serving = asyncio.create_task(server.serve())
    await _wait_for(port)
    yield f"http://127.0.0.1:{port}"
    server.stop()
    await serving


async def _wait_for(port: int) -> None:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)
        else:
            writer.close()
            await writer.wait_closed()
            return
