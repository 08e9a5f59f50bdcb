"""The settings of Milvus, and uploads, deletions and questions of engines that live there."""

from typing import Any

import pytest

from app.milvus import discard_vectors, open_milvus
from app.receipts import complete_pending_receipts
from app.services import Services
from config.settings import InvalidSettings, Settings, VectorStoreName
from indexing.milvus import Milvus, MilvusAway
from tests.client import Client
from tests.conftest import FILES
from tests.indexing.engines_in_stores import use_milvus
from tests.milvus_server import MilvusServer

LEASE = FILES / "warehouse-lease.pdf"


@pytest.fixture
async def engine_in_milvus(client: Client, services: Services, milvus: MilvusServer) -> str:
    """An engine with the lease, made while new ones are to live in Milvus."""
    use_milvus(services, milvus)
    services.settings.vector_store = VectorStoreName.MILVUS
    engine_id = await client.create_engine()
    await client.add(engine_id, LEASE)
    return engine_id


async def test_uploaded_document_has_its_vectors_in_milvus_and_is_found(
    client: Client, services: Services, engine_in_milvus: str
) -> None:
    (lease,) = await client.get(f"/knowledge-engines/{engine_in_milvus}/data-sources")

    found = await retrieved(client, engine_in_milvus)

    assert lease["outcome"] == "ok"
    assert services.indexes.milvus.count(engine_in_milvus) == lease["chunk_count"] == len(found)


async def test_deleted_document_is_gone_from_milvus_and_its_receipt_says_so(
    client: Client, services: Services, engine_in_milvus: str
) -> None:
    (lease,) = await client.get(f"/knowledge-engines/{engine_in_milvus}/data-sources")

    receipt = await deleted(client, f"data-sources/{lease['id']}")

    assert services.indexes.milvus.count(engine_in_milvus) == 0
    assert receipt["status"] == "signed"
    assert receipt["content"]["erased"]["vectors"] == lease["chunk_count"]
    assert receipt["content"]["found"]["vectors"] == 0


async def test_deletion_waits_for_nobody_and_its_receipt_for_milvus(
    client: Client, services: Services, engine_in_milvus: str, milvus: MilvusServer
) -> None:
    there, away = services.indexes.milvus, Milvus("http://127.0.0.1:1", dimensions=1)
    services.indexes.milvus = away
    receipt = await deleted(client, f"knowledge-engines/{engine_in_milvus}")
    await complete_pending_receipts(services)
    services.indexes.milvus = there
    held = there.count(engine_in_milvus)

    await discard_vectors(services)
    await complete_pending_receipts(services)

    assert receipt["status"] == "pending"
    assert (held > 0, there.count(engine_in_milvus)) == (True, 0)
    again = await client.get(f"/deletion-receipts/{receipt['id']}")
    assert again["status"] == "signed"


async def test_question_is_answered_by_words_while_milvus_is_away(
    client: Client, services: Services, engine_in_milvus: str
) -> None:
    before = await retrieved(client, engine_in_milvus)
    services.indexes.milvus = Milvus("http://127.0.0.1:1", dimensions=1)

    without = await retrieved(client, engine_in_milvus)

    assert {one["content"] for one in without} == {one["content"] for one in before}
    assert [one["score"] for one in without] != [one["score"] for one in before]


async def test_document_waits_for_its_vectors_until_milvus_is_back(
    client: Client, services: Services, milvus: MilvusServer
) -> None:
    services.settings.vector_store = VectorStoreName.MILVUS
    services.indexes.milvus = Milvus("http://127.0.0.1:1", dimensions=1)
    engine_id = await client.create_engine()
    await client.upload(engine_id, LEASE)
    with pytest.raises(MilvusAway):
        await client.read_all(engine_id)
    use_milvus(services, milvus)

    await client.read_all(engine_id)

    (lease,) = await client.get(f"/knowledge-engines/{engine_id}/data-sources")
    assert lease["outcome"] == "ok"
    assert services.indexes.milvus.count(engine_id) == lease["chunk_count"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        pytest.param({"vector_store": "milvus"}, "needs KE_MILVUS_URI", id="no address"),
        pytest.param({"milvus_uri": "./milvus.db"}, "only the address of a server", id="a file"),
        pytest.param({"milvus_uri": "milvus:19530"}, "only the address of a server", id="no http"),
    ],
)
def test_milvus_that_cannot_be_used_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSettings, match=said):
        open_milvus(Settings(**given), 3)


def test_installation_without_milvus_needs_none() -> None:
    assert not open_milvus(Settings(), 3).is_set


async def retrieved(client: Client, engine_id: str) -> Any:
    query = {"query": "When does the lease end?", "top_k": 20}
    answer = await client.post(f"/knowledge-engines/{engine_id}/retrieve", **query)
    return answer["chunks"]


async def deleted(client: Client, path: str) -> Any:
    response = await client.call("DELETE", f"/api/v1/{path}?receipt=true")
    assert response.status_code == 200
    return (await response.get_json())["receipt"]
