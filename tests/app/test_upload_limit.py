import gc
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from quart import Quart

from app.upload_limit import UploadLimit
from tests.client import Client
from tests.loopback import served

# A form that is given up leaves its temporary file to be collected, which Python warns about.
abandons_a_form = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

TOO_LARGE = {"error": "the upload exceeds the limit of 2 MB"}
BOUNDARY = "multipart/form-data; boundary=x"


async def pieces(count: int) -> AsyncIterator[bytes]:
    yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    for _ in range(count):
        yield b"a" * 2**19


async def test_declared_length_over_the_limit_is_refused(client: Client) -> None:
    engine_id = await client.create_engine()

    response = await client.upload(engine_id, b"a" * (3 * 2**20))

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


async def test_json_over_the_limit_is_refused(client: Client) -> None:
    body = {"name": "n", "description": "d" * (3 * 2**20)}

    response = await client.call("POST", "/api/v1/knowledge-engines", json=body)

    assert (response.status_code, await response.get_json()) == (413, TOO_LARGE)


@abandons_a_form
async def test_data_part_has_a_limit_of_its_own(client: Client) -> None:
    engine_id = await client.create_engine()

    response = await client.upload(engine_id, b"a", notes={"long": "n" * 2**20})
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

    await app({"type": "http"}, receive, send)
    return sent
