"""What the clients do themselves, at a real service: streamed answers and searches."""

from typing import Any

import pytest

from knowledge_engine import (
    AsyncClient,
    Client,
    ConnectionFailed,
    Done,
    EngineNotReady,
    InvalidRequest,
    Message,
    Retries,
    Unauthorized,
)
from tests.ke_process import Service
from tests.postgres_over_tcp import free_port
from tests.sdk.conftest import LEASE


def test_words_of_an_answer_come_one_after_the_other(
    client: Any, engine_id: str, lease_id: str
) -> None:
    *messages, done = client.query(engine_id, "How much is the deposit?")

    assert all(isinstance(message, Message) for message in messages)
    assert isinstance(done, Done)
    assert "".join(message.text for message in messages) == done.response
    assert done.citations[0].source == LEASE.name


def test_question_that_is_refused_is_an_error(client: Any, engine_id: str) -> None:
    with pytest.raises(InvalidRequest, match="no active data sources"):
        list(client.query(engine_id, "Anything?"))


def test_engine_that_reads_is_told_from_other_refusals(
    client: Any, engine_id: str, service: Service
) -> None:
    with service.at_rest():
        client.data_sources.upload(LEASE, engine_id, wait=False)

        with pytest.raises(EngineNotReady):
            list(client.query(engine_id, "Anything?"))


def test_search_returns_passages(client: Any, engine_id: str, lease_id: str) -> None:
    found = client.retrieve(engine_id, "deposit", top_k=2, data_source_id=lease_id)

    assert found.total_chunks == len(found.chunks)
    assert found.chunks[0].filename == LEASE.name
    assert found.chunks[0].page_number == 2


def test_wrong_key_is_told(service: Service) -> None:
    with (
        Client("ke-" + "x" * 40, str(service.client.base_url)) as client,
        pytest.raises(Unauthorized),
    ):
        client.engines.get("kng_aaaaaaaaaaaaaa")


def test_address_may_end_with_the_path_of_the_api(service: Service) -> None:
    with Client(service.key, f"{service.client.base_url}/api/v1/") as client:
        assert list(client.engines.list()) is not None


async def test_service_that_is_not_there_is_named() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    quick = Retries(delay_seconds=0.001)

    async with AsyncClient("ke-none", address, retries=quick) as client:
        with pytest.raises(ConnectionFailed, match=address):
            await client.engines.get("kng_aaaaaaaaaaaaaa")
