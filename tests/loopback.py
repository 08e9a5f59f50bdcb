"""The server of production, on loopback: for what only a real connection can show."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from granian.constants import Interfaces
from granian.server.embed import Server
from quart import Quart

from tests.postgres_over_tcp import free_port


@asynccontextmanager
async def served(app: Quart) -> AsyncIterator[str]:
    """Serve the application in this process; yield its address."""
    port = free_port()
    server = Server(
        app,
        address="127.0.0.1",
        port=port,
        interface=Interfaces.ASGI,
        websockets=False,
        log_enabled=False,
    )
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
