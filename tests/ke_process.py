"""`ke` as people run it: real processes, on free ports and data directories of their own."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import psutil

from tests.built_database import copy_built_database
from tests.built_models import link_models
from tests.postgres_over_tcp import free_port

COMMAND = [sys.executable, "-m", "app.cli"]
SECONDS = 120
"""No step may take longer."""


@dataclass
class Service:
    """A `ke serve` that answers."""

    process: subprocess.Popen[bytes]
    data_dir: Path
    client: httpx.Client
    log: Path  # all that it has printed

    @property
    def key(self) -> str:
        """The key that it has printed, or ""."""
        printed = re.search(r"ke-[0-9A-Za-z]{32,}", self.log.read_text())
        return printed.group() if printed else ""

    def worker(self) -> psutil.Process | None:
        """Return its worker, or None in the moment between two."""
        children = psutil.Process(self.process.pid).children()
        return next((one for one in children if "app.worker" in words_of(one)), None)

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Let its worker take nothing up for a while: what is uploaded stays in processing."""
        worker = self.worker()
        assert worker is not None
        worker.suspend()
        try:
            yield
        finally:
            worker.resume()

    def upload(self, engine_id: str, file: Path) -> str:
        """Upload a file and return the id of its data source."""
        data = {"name": file.name, "type": "file", "knowledge_engine_id": engine_id}
        form, files = {"data": json.dumps(data)}, {"file": (file.name, file.read_bytes())}
        response = self.client.post("/api/v1/data-sources", data=form, files=files)
        return str(response.raise_for_status().json()["id"])

    def create_engine(self) -> str:
        response = self.client.post("/api/v1/knowledge-engines", json={"name": "Leases"})
        return str(response.raise_for_status().json()["id"])

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1{path}").raise_for_status().json()

    def outcome(self, data_source_id: str) -> str | None:
        """Wait until a data source is processed, and return its outcome."""
        path = f"/data-sources/{data_source_id}"
        wait_for(lambda: self.get(path)["status"] == "processed")
        outcome: str | None = self.get(path)["outcome"]
        return outcome

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it as `kill` does, or for SIGINT as a terminal does, and return its exit status."""
        if number is signal.SIGINT:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        return self.process.wait(SECONDS)


@contextmanager
def serving(data_dir: Path, *, key: str = "", **settings: str) -> Iterator[Service]:
    """Run `ke serve` until it is ended, at the latest here; what it leaves behind is killed.

    It finds the models and its database built; that a first start builds them is shown by what
    docs/ tell to run.
    """
    link_models(data_dir)
    if "KE_DATABASE_URL" not in settings:
        copy_built_database(data_dir)
    port = free_port()
    log = data_dir.parent / f"{port}.log"
    process = start_serving(data_dir, port, log, **settings)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS) as client:
            wait_for(lambda: is_ready(client) or process.poll() is not None)
            assert process.poll() is None, log.read_text()
            service = Service(process, data_dir, client, log)
            client.auth = (key or service.key, "")
            yield service
            service.stop()
    finally:
        process.kill()
        process.wait()
        kill_leftovers(data_dir)


def start_serving(data_dir: Path, port: int, log: Path, **settings: str) -> subprocess.Popen[bytes]:
    """Start `ke serve`, without waiting for it."""
    with log.open("wb") as output:
        return subprocess.Popen(
            [*COMMAND, "serve", "--port", str(port), "--data-dir", str(data_dir)],
            stdout=output,
            stderr=output,
            env=environment(settings),
            start_new_session=True,  # Its group is then that of a terminal's job.
        )


def ke(*arguments: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command of `ke` to its end."""
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment(settings), timeout=SECONDS
    )


def processes_of(data_dir: Path) -> list[psutil.Process]:
    """Return all processes that work on a data directory, by command line or environment."""
    return [
        process
        for process in psutil.process_iter()
        if any(word.startswith(str(data_dir)) for word in words_of(process))
    ]


def words_of(process: psutil.Process) -> list[str]:
    """Return a process's command line and its data directory; nothing of one that has ended."""
    try:
        return [*process.cmdline(), process.environ().get("KE_DATA_DIR", "")]
    except psutil.Error:
        return []


def has_fork_server(data_dir: Path) -> bool:
    """Tell whether the worker has started the process that its readers come from."""
    return any("forkserver" in " ".join(words_of(one)) for one in processes_of(data_dir))


def kill_leftovers(data_dir: Path) -> None:
    for process in processes_of(data_dir):
        process.kill()


def environment(settings: dict[str, str]) -> dict[str, str]:
    """Return the environment without settings of whoever runs the tests."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("KE_")}
    return inherited | settings


def is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").is_success
    except httpx.TransportError:
        return False


def wait_for(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    deadline = time.monotonic() + seconds
    began = time.monotonic()
    while not condition():
        looked = time.monotonic()
        assert looked < deadline, "it did not come about"
        # To look through all processes takes the time that what is waited for is in need of.
        time.sleep(min(max(0.02, 4 * (looked - began)), 0.2))
        began = time.monotonic()


@contextmanager
def new_data_dir() -> Iterator[Path]:
    """Yield the path of a data directory that is still to be made."""
    with TemporaryDirectory(prefix="ke-test-", dir="/tmp") as folder:
        # Or the service would, and say so: its database server has to get through.
        Path(folder).chmod(0o711)
        yield Path(folder) / "data"
