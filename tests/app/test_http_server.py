import asyncio

import pytest
from quart import Quart

from app.http_server import HEAD_SECONDS
from tests.loopback import served

HTTP_2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"G", id="one letter"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\n", id="half a head"),
        pytest.param(HTTP_2, id="HTTP/2"),
    ],
)
async def test_who_does_not_say_what_it_wants_is_left(app: Quart, said: bytes) -> None:
    async with served(app, head_seconds=0.2) as address:
        assert await left_after(address, said, drip=b"") == b""


async def test_head_that_never_ends_is_left(app: Quart) -> None:
    assert HEAD_SECONDS == 30
    async with served(app, head_seconds=0.2) as address:
        assert await left_after(address, b"GET / HTTP/1.1\r\nHost: a\r\n", drip=b"a: b\r\n") == b""


async def test_connection_that_wants_nothing_more_is_left(app: Quart) -> None:
    async with served(app, head_seconds=0.2) as address:
        answer = await left_after(address, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", drip=b"")

    assert answer.startswith(b"HTTP/1.1 200")


async def test_head_has_an_end(app: Quart) -> None:
    async with served(app) as address:
        answer = await left_after(
            address, b"GET /healthz HTTP/1.1\r\nHost: a\r\na: " + b"b" * 2**20, drip=b""
        )

    assert b" 200 " not in answer


async def left_after(address: str, said: bytes, drip: bytes) -> bytes:
    """Say this and go on dripping; return what comes until the server closes the connection."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))

    async def go_on() -> None:
        while drip:
            await asyncio.sleep(0.05)
            writer.write(drip)

    writer.write(said)
    dripping = asyncio.create_task(go_on())
    try:
        return await asyncio.wait_for(reader.read(), 20)
    except ConnectionResetError:
        return b""
    finally:
        dripping.cancel()
        writer.close()
