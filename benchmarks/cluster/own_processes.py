"""A PostgreSQL with processes of the service on it, without hosts: for costs and rates."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
import psycopg

from app.postgres_programs import find_postmaster
from benchmarks.cluster.members import wait_until
from tests.postgres_over_tcp import free_port, postgres_over_tcp

FILES = Path(__file__).parents[2] / "tests" / "files"


@dataclass
class Processes:
    """API processes and others that share a database and a data directory."""

    folder: Path
    dsn: str
    apis: list[psutil.Process] = field(default_factory=list)
    clients: list[httpx.Client] = field(default_factory=list)
    others: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def postgres(self) -> psutil.Process:
        postmaster = find_postmaster(self.folder / "cluster")
        assert postmaster is not None
        return psutil.Process(postmaster.pid)

    @property
    def database_log(self) -> Path:
        return self.folder / "log"

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        """Execute a statement and return its rows, if it has any."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def start(self, module: str, *arguments: str, **settings: str) -> subprocess.Popen[bytes]:
        """Start a module of ours; it is ended with the others."""
        inherited = {name: text for name, text in os.environ.items() if not name.startswith("KE_")}
        own = {
            "KE_DATABASE_URL": self.dsn,
            "KE_DATA_DIR": str(self.folder / "data"),
            "KE_LOG_LEVEL": "WARNING",
        }
        with (self.folder / "processes.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                stdout=log,
                stderr=log,
                env=inherited | own | settings,
                start_new_session=True,
            )
        self.others.append(process)
        return process

    def start_apis(self, count: int) -> None:
        """Start API processes, and make a client of each with a key."""
        ports = [free_port() for _ in range(count)]
        for port in ports:
            process = self.start("app.cli", "serve", "--api-only", "--port", str(port))
            self.apis.append(psutil.Process(process.pid))
            self.clients.append(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120))
        wait_until(lambda: all(map(_is_ready, self.clients)), "the API processes")
        printed = (self.folder / "processes.log").read_text()
        for client in self.clients:
            client.auth = (re.findall(r"ke-[0-9A-Za-z]{32,}", printed)[0], "")

    def create_engine(self) -> str:
        """Make an engine and return its id."""
        response = self.clients[0].post("/api/v1/knowledge-engines", json={"name": "Costs"})
        return str(response.raise_for_status().json()["id"])

    def count_processing(self) -> int:
        """Return how many documents are still to be read."""
        statement = "SELECT count(*) FROM data_source WHERE status = 'processing'"
        return int(str(self.execute(statement)[0][0]))

    def end(self, processes: Sequence[subprocess.Popen[bytes]]) -> None:
        """Stop processes as systemd does."""
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(60)
            process.kill()
            self.others.remove(process)


@contextmanager
def own_processes(folder: Path) -> Iterator[Processes]:
    """Run a PostgreSQL in a new folder; it and all that is started on it end with the block."""
    folder.mkdir(mode=0o711)
    with ExitStack() as at_the_end:
        processes = Processes(folder, at_the_end.enter_context(postgres_over_tcp(folder)))
        at_the_end.callback(lambda: processes.end([*processes.others]))
        yield processes


def _is_ready(client: httpx.Client) -> bool:
    with suppress(httpx.TransportError):
        return client.get("/readyz").is_success
    return False
