"""Two API processes on one database: what one has begun, the other goes on with."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests import ke_process
from tests.built_models import link_models
from tests.client import parse_events
from tests.conftest import FILES
from tests.ke_command import ke
from tests.ke_process import (
    COMMAND,
    SECONDS,
    Service,
    environment,
    is_ready,
    wait_for,
)
from tests.postgres_over_tcp import free_port

LEASE = FILES / "warehouse-lease.pdf"


@pytest.fixture(scope="module")
def whole(service: Service) -> Service:
    """The `ke serve` that has the database and the worker."""
    return service


@pytest.fixture(scope="module")
def other(whole: Service) -> Iterator[Service]:
    """A second API process beside it, on the same data directory."""
    port, log = free_port(), whole.data_dir.parent / "other.log"
    command = [*COMMAND, "serve", "--api-only", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--data-dir", str(whole.data_dir)],
            stdout=output,
            stderr=output,
            env=environment({}),
        )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS) as client:
            wait_for(lambda: is_ready(client) or process.poll() is not None)
            client.auth = (whole.key, "")
            yield Service(process, whole.data_dir, client, log)
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def engine(whole: Service, other: Service) -> str:
    """An engine that one process has made, with a lease that was uploaded to the other."""
    engine_id = whole.create_engine()
    assert whole.outcome(other.upload(engine_id, LEASE)) == "ok"
    return engine_id


def test_second_process_has_no_worker_and_prints_no_key(other: Service, engine: str) -> None:
    assert other.worker() is None
    assert other.key == ""


def test_conversation_goes_on_in_another_process(
    whole: Service, other: Service, engine: str
) -> None:
    first = ask(whole, engine, "When does the lease end?")

    second = ask(other, engine, "And when does it begin?", context_id=first["context_id"])

    workflows = [whole.get(f"/workflows/{one['id']}") for one in (first, second)]
    assert {one["context_id"] for one in workflows} == {first["context_id"]}


def test_stream_of_one_process_is_resumed_by_another(
    whole: Service, other: Service, engine: str
) -> None:
    path, body = f"/api/v1/knowledge-engines/{engine}/query", {"name": "q", "query": "Who rents?"}
    sent = whole.client.post(path, json=body)

    resumed = other.client.post(path, headers={"Last-Event-ID": sent.headers["Last-Event-ID"]})

    assert parse_events(sent.text)[-1].event == "done"
    assert parse_events(resumed.text) == parse_events(sent.text)


def test_link_that_one_process_has_signed_is_followed_by_another(
    whole: Service, other: Service, engine: str
) -> None:
    data_source = whole.get(f"/knowledge-engines/{engine}/data-sources")[0]["id"]
    link = whole.get(f"/data-sources/{data_source}/presigned-url")["presigned_url"]

    sent = other.client.get(httpx.URL(link).path)

    assert sent.content == LEASE.read_bytes()


def test_key_that_is_revoked_opens_nothing_in_any_process(whole: Service, other: Service) -> None:
    key = ke("keys", "create", "--name", "short", "--data-dir", whole.data_dir).stdout.strip()
    asked = [(one.client, "/api/v1/knowledge-engines") for one in (whole, other)]
    assert [client.get(path, auth=(key, "")).status_code for client, path in asked] == [200, 200]

    listed = ke("keys", "list", "--data-dir", whole.data_dir).stdout.splitlines()
    rows = [line.split("\t") for line in listed]
    number = next(row[0] for row in rows if row[2] == "short")
    ke("keys", "revoke", number, "--data-dir", whole.data_dir)

    assert [client.get(path, auth=(key, "")).status_code for client, path in asked] == [401, 401]


def test_document_that_one_process_has_deleted_is_found_by_none(
    whole: Service, other: Service, engine: str
) -> None:
    note = whole.data_dir.parent / "note.txt"
    note.write_text("The keys lie under the zymurgy shelf.")
    data_source = whole.upload(engine, note)
    assert other.outcome(data_source) == "ok"
    assert data_source in found(other, engine)

    whole.client.delete(f"/api/v1/data-sources/{data_source}").raise_for_status()

    assert data_source not in found(other, engine)


def test_second_process_stops_alone(whole: Service, other: Service) -> None:
    assert other.stop() == 0

    assert "Stopping" in other.log.read_text()
    assert whole.get("/knowledge-engines") is not None


def test_without_a_database_to_join_it_says_so(tmp_path: Path) -> None:
    link_models(tmp_path)

    refused = ke_process.ke("serve", "--api-only", "--port", "0", "--data-dir", tmp_path)

    assert refused.returncode == 1
    assert refused.stderr.startswith(f"No database runs on {tmp_path}. Start `ke serve` on it")


def ask(service: Service, engine_id: str, query: str, **more: str) -> dict[str, str]:
    question = {"name": "q", "query": query, "type": "query", "knowledge_engine_id": engine_id}
    response = service.client.post("/api/v1/workflows", json=question | more)
    answered: dict[str, str] = response.raise_for_status().json()
    return answered


def found(service: Service, engine_id: str) -> set[str]:
    path, body = f"/api/v1/knowledge-engines/{engine_id}/retrieve", {"query": "zymurgy"}
    chunks = service.client.post(path, json=body).raise_for_status().json()["chunks"]
    return {chunk["data_source_id"] for chunk in chunks}
