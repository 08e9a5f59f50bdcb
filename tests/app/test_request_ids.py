import asyncio
import logging
from collections.abc import Iterator

import pytest
from quart import Quart

from app.services import Services
from config.logs import request_id
from tests.client import Client

_logger = logging.getLogger(__name__)


class Records(logging.Handler):
    """Keeps the request that each record of this module goes back to."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.requests.append(request_id.get())


@pytest.fixture
def records() -> Iterator[Records]:
    handler = Records()
    _logger.addHandler(handler)
    yield handler
    _logger.removeHandler(handler)


@pytest.mark.parametrize("given", ["a", "req-2026/11:42_x+y=@.", "9" * 128])
async def test_id_that_a_client_gives_is_answered(onlooker: Client, given: str) -> None:
    response = await onlooker.call("GET", "/healthz", headers={"X-Request-ID": given})

    assert response.headers.getlist("X-Request-ID") == [given]


@pytest.mark.parametrize("given", ["", "a b", "ä", "<script>", '"', "x" * 129])
async def test_malformed_id_is_replaced(onlooker: Client, given: str) -> None:
    response = await onlooker.call("GET", "/healthz", headers={"X-Request-ID": given})

    assert len(response.headers["X-Request-ID"]) == 32


async def test_each_request_without_an_id_has_its_own(onlooker: Client) -> None:
    answers = [await onlooker.call("GET", "/healthz") for _ in range(2)]

    assert len({answer.headers["X-Request-ID"] for answer in answers}) == 2


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nowhere", 404), ("GET", "/api/v1/workflows", 401)],
)
async def test_refusal_has_an_id_too(client: Client, method: str, path: str, status: int) -> None:
    client.key = ""

    response = await client.call(method, path)

    assert response.status_code == status
    assert len(response.headers["X-Request-ID"]) == 32


async def test_upload_over_the_limit_has_an_id_too(client: Client) -> None:
    engine_id = await client.create_engine()

    response = await client.upload(engine_id, b"x" * 4 * 2**20)

    assert response.status_code == 413
    assert response.headers["X-Request-ID"]


async def test_records_of_a_request_and_of_what_it_starts_carry_its_id(
    app: Quart, client: Client, services: Services, records: Records
) -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        _logger.warning("in the background")

    @app.get("/healthz/work")
    async def start() -> str:
        _logger.warning("in the request")
        services.in_background(work())
        return ""

    await client.call("GET", "/healthz/work", headers={"X-Request-ID": "req-1"})
    await asyncio.gather(*services.background)
    _logger.warning("after it")

    assert records.requests == ["req-1", "req-1", ""]
