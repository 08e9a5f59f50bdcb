"""What runs on the hosts: a primary and its replica, an S3 server, API processes and workers."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
from psycopg.rows import dict_row

from app.postgres_programs import SETTINGS, find_programs, initialise_cluster, open_programs
from app.server_account import ServerAccount, choose_account
from benchmarks.cluster.hosts import NETWORK, Host, network
from indexing.minilm import ensure_model

DATABASE_ADDRESS = f"{NETWORK}.10"
"""Where the database is; it moves to the replica when that takes over."""

API_PORT = 8080
S3_PORT = 9000
BUCKET = "cluster"
UP_SECONDS = 120.0
RESTART_SECONDS = 2.0  # as `RestartSec` of the units in deploy/systemd
_APIS = ("api1", "api2", "api3")
_WORKERS = ("worker1", "worker2", "worker3", "worker4")


class Members:
    """The members of the cluster, started, watched and restarted as systemd would."""

    def __init__(self, hosts: dict[str, Host], folder: Path) -> None:
        self.apis = [hosts[name] for name in _APIS]
        self.workers = [hosts[name] for name in _WORKERS]
        self.primary, self.replica, self.storage = hosts["db1"], hosts["db2"], hosts["s3"]
        self.restarts: list[str] = []  # of processes that ended by themselves
        self._folder = folder
        self._account = choose_account(folder / "db1")
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, daemon=True)

    @property
    def dsn(self) -> str:
        return f"postgresql://postgres@{DATABASE_ADDRESS}:5432/postgres"

    @property
    def replica_dsn(self) -> str:
        return f"postgresql://postgres@{self.replica.address}:5432/postgres"

    @property
    def s3_address(self) -> str:
        return f"http://{self.storage.address}:{S3_PORT}"

    def start(self) -> str:
        """Start everything, and return the first key."""
        self._start_storage()
        self._start_primary()
        self._start_replica()
        models = self._folder / "models"
        ensure_model(models)
        for host in (*self.apis, *self.workers):
            (self._folder / host.name).mkdir()
            (self._folder / host.name / "models").symlink_to(models)
            self.boot(host)
        self._supervisor.start()
        wait_until(lambda: all(is_ready(host) for host in self.apis), "the API hosts")
        wait_until(lambda: self.worker_count() >= len(self.workers), "the workers")
        logs = "".join((self._folder / f"{host.name}.log").read_text() for host in self.apis)
        return re.findall(r"ke-[0-9A-Za-z]{32,}", logs)[0]

    def boot(self, host: Host) -> None:
        """Start what the host is for."""
        options = ["--api-only", "--host", "0.0.0.0", "--port", str(API_PORT)]
        command = ["serve", *options] if host in self.apis else ["worker"]
        with self._lock:
            host.run([sys.executable, "-m", "app.cli", *command], self._environment(host))
            host.is_up = True

    def crash(self, host: Host) -> None:
        """Let the host fail, until it is booted again."""
        with self._lock:
            host.is_up = False
            host.kill()

    def fail_over(self) -> None:
        """Lose the primary's host for good, and let the replica take its place and address."""
        self.crash(self.primary)
        self.primary.drop_address(DATABASE_ADDRESS)
        with psycopg.connect(self.replica_dsn, autocommit=True) as replica:
            replica.execute("SELECT pg_promote()")
        self.replica.take_address(DATABASE_ADDRESS)

    def worker_count(self) -> int:
        """Return how many worker processes were heard of lately; each has two queues."""
        with suppress(psycopg.Error), self.database() as database:
            row = database.execute(
                "SELECT count(*) / 2 AS count FROM procrastinate_workers"
                " WHERE last_heartbeat > now() - interval '10 s'"
            ).fetchone()
            return int(row["count"]) if row else 0
        return 0

    def stop(self) -> list[str]:
        """Stop API processes and workers as systemd does; return what went wrong with it."""
        self._stopped.set()
        self._supervisor.join()
        wrong = []
        running = [
            (host, one) for host in (*self.apis, *self.workers) for one in host.processes.values()
        ]
        for _, process in running:
            process.terminate()
        for host, process in running:
            try:
                code: object = process.wait(30)
            except subprocess.TimeoutExpired:
                code = "nothing within 30 s"
            if code != 0:
                wrong.append(f"{host.name} ended with {code} at SIGTERM")
        return wrong

    @contextmanager
    def database(self) -> Iterator[psycopg.Connection[dict[str, Any]]]:
        """Yield a connection to whatever is the primary now."""
        with psycopg.connect(self.dsn, row_factory=dict_row, connect_timeout=5) as database:
            yield database

    def _environment(self, host: Host) -> dict[str, str]:
        inherited = {name: text for name, text in os.environ.items() if not name.startswith("KE_")}
        return inherited | {
            "KE_DATABASE_URL": self.dsn,
            "KE_DATABASE_READ_URL": self.replica_dsn,
            "KE_BLOB_URL": f"s3://{BUCKET}/files",
            "KE_DATA_DIR": str(self._folder / host.name),
            "KE_ENGINE_READY_WHEN": "any_processed",
            "KE_LOG_LEVEL": "WARNING",
            "KE_EMBEDDING_THREADS": "1",
            **storage_environment(self.s3_address),
        }

    def _start_storage(self) -> None:
        command = [sys.executable, "-m", "moto.server", "-H", "0.0.0.0", "-p", str(S3_PORT)]
        self.storage.run(command, dict(os.environ))

        def is_made() -> bool:
            with suppress(httpx.TransportError):
                return httpx.put(f"{self.s3_address}/{BUCKET}").is_success
            return False

        wait_until(is_made, "the S3 server")

    def _start_primary(self) -> None:
        cluster = self._folder / "db1"
        cluster.mkdir(mode=0o700)
        if self._account is not None:
            open_programs(self._account)
            self._account.own(cluster)
        initialise_cluster(cluster, self._folder / "initdb.log", self._account, "--auth=trust")
        with (cluster / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {NETWORK}.0/24 trust\n")
            rules.write(f"host replication all {NETWORK}.0/24 trust\n")
        # Only this one waits for a second server: its replica has none when it takes over.
        self._start_server(self.primary, cluster, "synchronous_standby_names=*")
        self.primary.take_address(DATABASE_ADDRESS)
        wait_until(lambda: takes_connections(self.dsn), "the primary")

    def _start_replica(self) -> None:
        cluster = self._folder / "db2"
        address = f"postgresql://postgres@{self.primary.address}:5432/postgres"
        copy = [find_programs() / "pg_basebackup", "-d", address, "-D", cluster, "-R", "-c", "fast"]
        subprocess.run(copy, check=True)
        if self._account is not None:
            self._account.own(cluster)
        self._start_server(self.replica, cluster)
        wait_until(lambda: takes_connections(self.replica_dsn), "the replica")

    def _start_server(self, host: Host, cluster: Path, *more: str) -> None:
        settings = SETTINGS | {"listen_addresses": "*", "unix_socket_directories": ""}
        options = [word for name, text in settings.items() for word in ("-c", f"{name}={text}")]
        options += [word for setting in more for word in ("-c", setting)]
        program = [find_programs() / "postgres", "-D", cluster, *options]
        host.run([*_as(self._account), *program], {"PATH": os.defpath, "LC_ALL": "C"})

    def _supervise(self) -> None:
        """Start again what ended by itself on a host that is up."""
        while not self._stopped.wait(RESTART_SECONDS):
            for host in (*self.apis, *self.workers):
                with self._lock:
                    codes = [one.poll() for one in host.processes.values()]
                    has_ended = host.is_up and codes != [None]
                if has_ended:
                    self.restarts.append(f"{host.name} with {codes}")
                    print(f"{time.strftime('%X')} {host.name} ended by itself: {codes}", flush=True)
                    self.boot(host)


@contextmanager
def running_cluster(folder: Path) -> Iterator[tuple[Members, str]]:
    """Run a cluster as long as the block lasts; yield it, and a key."""
    with network(folder, (*_APIS, *_WORKERS, "db1", "db2", "s3")) as hosts:
        members = Members(hosts, folder)
        yield members, members.start()


def storage_environment(address: str) -> dict[str, str]:
    """Return what the user of the S3 server has in its environment."""
    return {
        "AWS_ENDPOINT_URL": address,
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",  # Of no account anywhere.
        "AWS_REGION": "us-east-1",
    }


def is_ready(host: Host) -> bool:
    """Tell whether an API host answers, and its database too."""
    with suppress(httpx.TransportError):
        return httpx.get(f"http://{host.address}:{API_PORT}/readyz", timeout=2).is_success
    return False


def takes_connections(dsn: str) -> bool:
    """Tell whether a server is there."""
    with suppress(psycopg.OperationalError):
        psycopg.connect(dsn, connect_timeout=2).close()
        return True
    return False


def wait_until(condition: Callable[[], bool], what: str, seconds: float = UP_SECONDS) -> None:
    """Wait for something that must come about; else the run ends."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"Not there after {seconds:.0f} s: {what}")
        time.sleep(0.2)


def _as(account: ServerAccount | None) -> Sequence[str]:
    if account is None:
        return ()
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise SystemExit("This needs setpriv, of util-linux.")
    return (setpriv, f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups")
