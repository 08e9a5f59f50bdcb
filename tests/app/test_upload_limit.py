import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from quart import Quart

from app.upload_limit import BODY_BYTES, SIGN_IN_BYTES, UploadLimit
from tests.client import Client
from tests.loopback import served

# A form that is given up leaves its temporary file to be collected, which Python warns about.
abandons_a_form = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

TOO_LARGE = {"error": "the upload exceeds the limit of 2 MB"}
FORM = "Content-Type: application/x-www-form-urlencoded"
BOUNDARY = "multipart/form-data; boundary=x"


async def pieces(count: int) -> AsyncIterator[bytes]:
    yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    for _ in range(count):
        yield b"a" * 2**19


async def test_declared_length_over_the_limit_is_refused(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()

    response = await onlooker.upload(engine_id, b"a" * (3 * 2**20))

    assert (response.status_code, await response.get_json()) == (413, TOO_LARGE)


@abandons_a_form
async def test_undeclared_length_over_the_limit_is_refused(app: Quart, client: Client) -> None:
    async with served(app) as address, httpx.AsyncClient(auth=(client.key, "")) as http:
        response = await http.post(
            f"{address}/api/v1/data-sources",
            content=pieces(12),
            headers={"Content-Type": BOUNDARY},
        )
    gc.collect()

    assert (response.status_code, response.json()) == (413, TOO_LARGE)


@pytest.mark.parametrize("path", ["knowledge-engines", "data-sources"])
async def test_what_brings_no_file_has_a_limit_of_its_own(onlooker: Client, path: str) -> None:
    body = {"name": "n", "description": "d" * BODY_BYTES}

    refused = await onlooker.error("POST", f"/{path}", json=body)

    assert refused == (413, "the upload exceeds the limit of 4 MB")


@pytest.mark.parametrize("path", ["/sign-in", "/welcome"])
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "not declared"])
async def test_nobody_sends_much_before_signing_in(app: Quart, path: str, declared: bool) -> None:
    async def many_fields() -> AsyncIterator[bytes]:
        yield b"a&" * SIGN_IN_BYTES

    content = b"a&" * SIGN_IN_BYTES if declared else many_fields()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    async with served(app) as address, httpx.AsyncClient() as http:
        response = await http.post(f"{address}{path}", content=content, headers=headers)

    assert response.status_code == 413


async def test_slow_body_is_given_up(app: Quart, client: Client) -> None:
    assert app.config["BODY_TIMEOUT"] == 60
    app.config["BODY_TIMEOUT"] = 0.1

    async with served(app) as address:
        known = f"Authorization: Bearer {client.key}\r\nContent-Type: application/json"
        for path, head in (("/sign-in", FORM), ("/api/v1/knowledge-engines", known)):
            answer = await begin(address, f"POST {path}", head)

            assert b" 408 " in answer, path


async def test_file_may_come_slowly(app: Quart, client: Client) -> None:
    app.config["BODY_TIMEOUT"] = 0.1
    engine_id = await client.create_engine()
    data = f'{{"name": "n", "type": "file", "knowledge_engine_id": "{engine_id}"}}'

    async def slowly() -> AsyncIterator[bytes]:
        yield f'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{data}\r\n'.encode()
        await asyncio.sleep(0.3)
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        yield b"The lamp is lit.\r\n--x--\r\n"

    async with served(app) as address, httpx.AsyncClient(auth=(client.key, "")) as http:
        response = await http.post(
            f"{address}/api/v1/data-sources", content=slowly(), headers={"Content-Type": BOUNDARY}
        )

    assert response.status_code == 201


@abandons_a_form
async def test_data_part_has_a_limit_of_its_own(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()

    response = await onlooker.upload(engine_id, b"a", notes={"long": "n" * 2**20})
    gc.collect()

    assert (response.status_code, await response.get_json()) == (413, TOO_LARGE)


@pytest.mark.parametrize(
    ("sizes", "status"),
    [
        pytest.param([4, 6], 200, id="at the limit"),
        pytest.param([4, 7], 413, id="one byte over"),
        pytest.param([], 200, id="no body"),
    ],
)
async def test_bytes_are_counted_as_they_come(sizes: list[int], status: int) -> None:
    sent = await call(UploadLimit(read_all, file_bytes=7, form_bytes=3), sizes)

    assert sent[0]["status"] == status


async def test_answer_that_has_begun_is_not_followed_by_another() -> None:
    async def answers_early(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 202})
        await read_all(scope, receive, send)

    sent = await call(UploadLimit(answers_early, file_bytes=7, form_bytes=3), [11])

    assert [message["status"] for message in sent] == [202]


async def begin(address: str, request_line: str, head: str) -> bytes:
    """Begin a request without ever ending it; return what comes until it is given up."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = f"{request_line} HTTP/1.1\r\nHost: {host}\r\n{head}\r\nContent-Length: 9\r\n\r\na"
    writer.write(lines.encode())
    try:
        return await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    finally:
        writer.close()
        await writer.wait_closed()


async def read_all(scope: Any, receive: Any, send: Any) -> None:
    """Answer 200 when the whole body is there."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200})


async def call(app: UploadLimit, sizes: list[int]) -> list[Any]:
    """Send a body in pieces of these sizes; return what the application sends."""
    pieces = [{"body": b"a" * size, "more_body": True} for size in sizes] + [{"body": b""}]
    sent: list[Any] = []

    async def receive() -> Any:
        return pieces.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", BOUNDARY.encode())]
    scope = {"type": "http", "path": "/api/v1/data-sources", "headers": headers}
    await app(scope, receive, send)
    return sent
