"""A `ke serve` for the benchmarks: started on a data directory, measured, and stopped."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

START_SECONDS = 120
READ_SECONDS = 1800

_KEY = re.compile(rb"ke-[0-9A-Za-z]{32,}")


@dataclass(frozen=True, slots=True)
class RunningService:
    """A service that answers, and what there is to know about it."""

    process: subprocess.Popen[bytes]
    client: httpx.Client  # with the key, where the start has printed one
    key: str
    start_seconds: float  # from the command to the first 200 of /readyz


@contextmanager
def running_service(data_dir: Path, *, port: int = 0, key: str = "") -> Iterator[RunningService]:
    """Run `ke serve` as long as the block lasts; its log goes to `serve.log` beside its data."""
    port = port or _free_port()
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
    with (data_dir.parent / f"{data_dir.name}.serve.log").open("ab") as log:
        log_start = log.tell()
        began = time.monotonic()
        process = subprocess.Popen(
            [*command, "--data-dir", str(data_dir)],
            stdout=log,
            stderr=log,
            env=os.environ | {"KE_LOG_LEVEL": "WARNING"},
            start_new_session=True,
        )
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
                _wait_until_ready(process, client)
                seconds = time.monotonic() - began
                printed = _KEY.search(Path(log.name).read_bytes()[log_start:])
                key = printed.group().decode() if printed else key
                client.auth = (key, "")
                yield RunningService(process, client, key, seconds)
        finally:
            process.terminate()
            process.wait(60)


def answered(response: httpx.Response) -> Any:
    """Return the body of an answer that must be a success."""
    if not response.is_success:
        raise SystemExit(f"{response.request.url}: {response.status_code} {response.text}")
    return response.json()


def wait_until_processed(client: httpx.Client, data_source_id: str) -> Any:
    """Return a data source when it has its outcome."""
    deadline = time.monotonic() + READ_SECONDS
    while time.monotonic() < deadline:
        data_source = answered(client.get(f"/api/v1/data-sources/{data_source_id}"))
        if data_source["status"] == "processed":
            return data_source
        time.sleep(0.2)  # Asking costs time as well.
    raise SystemExit(f"{data_source_id} was not read within {READ_SECONDS} s")


def _wait_until_ready(process: subprocess.Popen[bytes], client: httpx.Client) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if client.get("/readyz").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.01)
    raise SystemExit("The service did not start; see its serve.log.")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
