"""A Milvus on loopback: milvus-lite's own server, in a process of its own."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.postgres_over_tcp import free_port

SECONDS = 120


@dataclass
class MilvusServer:
    """A server of milvus-lite; what it keeps outlives its process."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        """What `KE_MILVUS_URI` is set to."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "milvus_lite", "server", "--max-workers", "4"]
        command += ["--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--data-dir", str(self.folder / "data")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + SECONDS
        while not self.answers():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, "milvus-lite did not start"
            time.sleep(0.1)

    def answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@contextmanager
def milvus_server(folder: Path) -> Iterator[MilvusServer]:
    """Run a server, or skip the test where milvus-lite is not installed."""
    if not (find_spec("milvus_lite") and find_spec("pymilvus")):
        pytest.skip("milvus-lite is not installed: it comes with the extra `milvus`")
    server = MilvusServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
