"""The HTTP server: how long it waits for those who are slow to say what they want."""

from granian.constants import HTTPModes, Interfaces
from granian.server.common import HTTP1Settings
from granian.server.embed import Server
from quart import Quart

HEAD_SECONDS = 30.0
"""How long the head of a request may take, and a connection wait without one."""


def http_server(
    app: Quart, ip_address: str, port: int, *, head_seconds: float = HEAD_SECONDS
) -> Server:
    """Return a server for the application; it listens as soon as it serves."""
    return Server(
        app,
        address=ip_address,
        port=port,
        interface=Interfaces.ASGINL,
        # Where HTTP/2 is spoken too, nothing bounds how long a connection may say nothing.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=round(head_seconds * 1000)),
        websockets=False,
        log_enabled=False,
        backlog=1024,
    )
