"""`ke engines move`, beside a running service; what a move does is in test_vector_move.py."""

import json
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from app.engine_commands import move_vectors
from app.services import Services
from config.errors import ServingFailed
from config.settings import VectorStoreName
from tests.client import Client
from tests.conftest import FILES
from tests.ke_command import ke
from tests.ke_process import Service, new_data_dir, serving
from tests.milvus_server import MilvusServer


@pytest.fixture(scope="module")
def service(milvus: MilvusServer) -> Iterator[Service]:
    with new_data_dir() as data_dir, serving(data_dir, KE_MILVUS_URI=milvus.uri) as service:
        yield service


def test_engine_moves_and_back_while_it_answers(service: Service, milvus: MilvusServer) -> None:
    engine_id = service.create_engine()
    service.outcome(service.upload(engine_id, FILES / "warehouse-lease.pdf"))
    before = retrieved(service, engine_id)

    for to in ("milvus", "postgres"):
        made = move(service, engine_id, "--to", to, "--json", milvus=milvus.uri)

        assert json.loads(made.stdout) == {
            "id": engine_id,
            "vector_store": to,
            "copied": len(before),
        }
        assert [one["chunk_id"] for one in retrieved(service, engine_id)] == [
            one["chunk_id"] for one in before
        ]


def test_engine_that_is_not_there_is_told(service: Service, milvus: MilvusServer) -> None:
    unknown = move(service, "kng_0123456789abcd", "--to", "milvus", milvus=milvus.uri)
    malformed = move(service, "nonsense", "--to", "milvus", milvus=milvus.uri)

    assert (unknown.returncode, malformed.returncode) == (1, 1)
    assert "There is no knowledge engine kng_0123456789abcd." in unknown.stderr
    assert "Invalid knowledge engine ID" in malformed.stderr


def test_milvus_that_is_away_is_told(service: Service) -> None:
    engine_id = service.create_engine()
    service.outcome(service.upload(engine_id, FILES / "delivery.eml"))

    away = move(service, engine_id, "--to", "milvus", milvus="http://127.0.0.1:1")

    assert away.returncode == 1
    assert "the same command goes on behind what is copied" in away.stderr
    assert retrieved(service, engine_id)


async def test_move_is_noted_for_the_owner_before_anything_of_it_can_fail(
    services: Services, client: Client, stranger: Client
) -> None:
    assert client.key  # The engine is not that of the first account.
    engine_id = await stranger.create_engine()

    with pytest.raises(ServingFailed, match="Milvus does not answer"):
        await move_vectors(services, engine_id, VectorStoreName.MILVUS, print)
    await move_vectors(services, engine_id, VectorStoreName.POSTGRES, print)

    command_line = ("command line", engine_id, "done")
    assert await noted(services, engine_id) == [
        ("knowledge_engine.move_to_milvus_begun", *command_line),
        ("knowledge_engine.move_to_postgres_begun", *command_line),
    ]


async def noted(services: Services, engine_id: str) -> list[tuple[str, str, str, str]]:
    """Return what the log of the engine's owner has of the command line."""
    statement = text(
        "SELECT action, actor, resource_id, outcome"
        " FROM audit_entry JOIN knowledge_engine USING (account_id)"
        " WHERE knowledge_engine.id = :engine AND actor = 'command line'"
        " ORDER BY audit_entry.created_at"
    )
    async with services.database.engine.connect() as connection:
        rows = await connection.execute(statement, {"engine": engine_id})
        return [tuple(row) for row in rows]


def move(service: Service, *arguments: str, milvus: str):  # type: ignore[no-untyped-def]  # of ke
    directory = ("--data-dir", service.data_dir)
    return ke("engines", "move", *arguments, *directory, KE_MILVUS_URI=milvus)


def retrieved(service: Service, engine_id: str) -> list[dict[str, object]]:
    path = f"/api/v1/knowledge-engines/{engine_id}/retrieve"
    query = {"query": "When does the lease end?", "top_k": 20}
    answer = service.client.post(path, json=query).raise_for_status().json()
    chunks: list[dict[str, object]] = answer["chunks"]
    return chunks
