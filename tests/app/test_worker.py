"""Workers as processes; what they do with a document is tested beside the reading."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from app.services import Services
from tests.client import Client
from tests.conftest import FILES
from tests.ke_process import COMMAND, SECONDS, environment, has_fork_server, processes_of, wait_for

AS_CHILD = [sys.executable, "-m", "app.worker"]


@pytest.fixture
def settings(services: Services, tmp_path: Path) -> dict[str, str]:
    return environment({"KE_DATABASE_URL": services.database.url, "KE_DATA_DIR": str(tmp_path)})


async def test_worker_reads_what_is_queued_and_ends_when_told(
    client: Client, settings: dict[str, str], tmp_path: Path
) -> None:
    engine = await client.create_engine()
    response = await client.upload(engine, FILES / "warehouse-lease.pdf")
    path = f"/data-sources/{(await response.get_json())['id']}"

    worker = start([*COMMAND, "worker"], settings)
    async with asyncio.timeout(SECONDS):
        while (await client.get(path))["status"] != "processed":
            await asyncio.sleep(0.05)
    worker.terminate()

    assert worker.wait(SECONDS) == 0
    assert (await client.get(path))["outcome"] == "ok"
    assert processes_of(tmp_path) == []


def test_worker_of_a_service_ends_with_it(settings: dict[str, str], tmp_path: Path) -> None:
    worker = start(AS_CHILD, settings)
    wait_for(lambda: has_fork_server(tmp_path))
    assert worker.stdin is not None

    worker.stdin.close()

    assert worker.wait(SECONDS) == 0
    wait_for(lambda: processes_of(tmp_path) == [])


def start(command: list[str], settings: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, env=settings, stdin=subprocess.PIPE)
