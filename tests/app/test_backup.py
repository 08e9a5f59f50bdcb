"""A service is backed up while it is used, and restored elsewhere: it answers as it did."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FILES
from tests.ke_command import ke
from tests.ke_process import Service, new_data_dir, serving

QUESTIONS = ("When does the lease end?", "How much is the security deposit?")
DOCUMENTS = ("warehouse-lease.pdf", "delivery.eml")


@dataclass
class Copy:
    """A service that was restored, and what the one that it is a copy of has said."""

    service: Service
    engine: str
    said: dict[str, Any]
    backup: Path


@pytest.fixture(scope="module")
def copy() -> Iterator[Copy]:
    with new_data_dir() as data_dir:
        backup, elsewhere = data_dir.parent / "backup.zip", data_dir.parent / "elsewhere"
        with serving(data_dir) as service:
            engine = service.create_engine()
            given = [service.upload(engine, FILES / name) for name in DOCUMENTS]
            assert [service.outcome(one) for one in given] == ["ok", "ok"]
            said = what_it_says(service, engine)
            with in_use(service):
                backed_up = ke("backup", backup, "--data-dir", data_dir)
        restored = ke("restore", backup, "--data-dir", elsewhere)
        assert (backed_up.returncode, restored.returncode) == (0, 0), restored.stderr
        with serving(elsewhere, key=service.key) as other:
            yield Copy(other, engine, said, backup)


def test_restored_service_says_the_same_to_the_same_key(copy: Copy) -> None:
    assert what_it_says(copy.service, copy.engine) == copy.said
    assert all(answer["citations"] for answer in copy.said["answers"])


def test_rows_and_files_of_a_busy_service_fit_together(copy: Copy) -> None:
    data_sources = all_data_sources(copy.service)

    assert {one["name"] for one in data_sources} >= set(DOCUMENTS)
    for one in data_sources:
        assert file_of(copy.service, one["id"]).startswith(start_of(one["name"]))


def test_restored_service_reads_on(copy: Copy) -> None:
    outcomes = {copy.service.outcome(one["id"]) for one in all_data_sources(copy.service)}

    assert outcomes == {"ok"}


@contextmanager
def in_use(service: Service) -> Iterator[None]:
    """Upload and delete all the time: documents, and engines with what is in them."""
    begun, over = threading.Event(), threading.Event()

    def use() -> None:
        for number in count():
            if over.is_set():
                return
            engine = service.create_engine()
            upload_text(service, engine, f"{number} kept.txt")
            gone = upload_text(service, engine, f"{number} deleted.txt")
            delete(service, f"/data-sources/{gone}")
            if number % 3 == 0:
                delete(service, f"/knowledge-engines/{engine}")
            begun.set()

    users = [threading.Thread(target=use) for _ in range(2)]
    for user in users:
        user.start()
    assert begun.wait(60)
    yield
    over.set()
    for user in users:
        user.join()


def what_it_says(service: Service, engine: str) -> dict[str, Any]:
    """Return what a service finds and answers, but for what differs each time."""
    asked = {"name": "test", "type": "query", "knowledge_engine_id": engine}
    workflows = [post(service, "/workflows", query=one, **asked) for one in QUESTIONS]
    path = f"/knowledge-engines/{engine}/retrieve"
    return {
        "found": [post(service, path, query=one)["chunks"] for one in QUESTIONS],
        "answers": [{name: one[name] for name in ("response", "citations")} for one in workflows],
        "files": [
            file_of(service, one["id"])
            for one in service.get(f"/knowledge-engines/{engine}/data-sources")
        ],
    }


def all_data_sources(service: Service) -> list[dict[str, Any]]:
    engines = service.get("/knowledge-engines")
    return [
        data_source
        for engine in engines
        for data_source in service.get(f"/knowledge-engines/{engine['id']}/data-sources")
    ]


def start_of(name: str) -> bytes:
    """Return what a file of this name begins with."""
    return (FILES / name).read_bytes()[:1000] if name in DOCUMENTS else name.encode()


def file_of(service: Service, data_source_id: str) -> bytes:
    link = service.get(f"/data-sources/{data_source_id}/presigned-url")["presigned_url"]
    return service.client.get(link).raise_for_status().content


def upload_text(service: Service, engine: str, text: str) -> str:
    file = service.data_dir.parent / f"{threading.get_ident()} {text}"
    file.write_text(f"{file.name} is what it says.")
    return service.upload(engine, file)


def post(service: Service, path: str, **body: Any) -> Any:
    return service.client.post(f"/api/v1{path}", json=body).raise_for_status().json()


def delete(service: Service, path: str) -> None:
    service.client.delete(f"/api/v1{path}").raise_for_status()
