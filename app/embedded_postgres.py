"""A PostgreSQL server of our own, with pgvector, on the data directory.

It is a child of this process, is reached by a Unix socket only, and outlives a `kill -9` of its
parent: the next start then finds it and goes on with it.

Who may connect: the socket lies in a directory of mode 0700 that belongs to the server's account.
Only that account and root come as far as the socket, and whoever does is trusted. Started by root
that account is one nobody logs in as; started by anyone else it is that user.
"""

import hashlib
import logging
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from app.data_dir_lock import acquire
from app.postgres_programs import (
    DatabaseStartFailed,
    find_postmaster,
    initialise_cluster,
    is_running,
    mark_stale,
    open_programs,
    start_server,
    stop_server,
)
from app.server_account import ServerAccount, choose_account

DATABASE = "knowledge_engine"

_logger = logging.getLogger(__name__)


class DatabaseNotRunning(Exception):
    """No server runs on this data directory."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(f"No database runs on {data_dir}. Start `ke serve` on it first.")


class EmbeddedPostgres:
    """The running server of a data directory, which stays locked until `stop`."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir.resolve()
        self._cluster = self._data_dir / "postgres"
        self._socket_dir = _choose_socket_dir(self._cluster)
        self._process: psutil.Process | None = None
        self._child: subprocess.Popen[bytes] | None = None
        # Others may pass through it, as the server's account has to, but not see what it holds.
        self._data_dir.mkdir(mode=0o711, parents=True, exist_ok=True)
        self._lock = acquire(self._data_dir)

    @classmethod
    def start(cls, data_dir: Path) -> Self:
        """Bring the server up, or go on with the one an earlier process left running."""
        server = cls(data_dir)
        try:
            server.ensure_running()
        except BaseException:
            server.stop()
            raise
        return server

    @property
    def dsn(self) -> str:
        """The database as libpq and asyncpg want it."""
        return _database_url(self._socket_dir, DATABASE)

    @property
    def sqlalchemy_url(self) -> str:
        """The database as SQLAlchemy wants it."""
        return self.dsn.replace("postgresql:", "postgresql+psycopg:", 1)

    def is_alive(self) -> bool:
        """Tell whether the server's process runs."""
        if self._child is not None:
            self._child.poll()  # Else a dead child would stay, as a zombie.
        return self._process is not None and is_running(self._process)

    def ensure_running(self) -> None:
        """Start the server again if it died; quick when it did not."""
        if self.is_alive():
            return
        if not self._adopt():
            self._launch()
        _ensure_database(self._socket_dir)

    def stop(self) -> None:
        """Shut the server down and give the data directory free; a second call does nothing."""
        if self._process is not None:
            stop_server(self._process)
            self._process = None
            if self._socket_dir != self._cluster:
                with suppress(OSError):
                    self._socket_dir.rmdir()
        if self._child is not None:
            self._child.wait()
            self._child = None
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def _adopt(self) -> bool:
        """Go on with a server that runs without us, unless nothing can reach it any more."""
        postmaster = find_postmaster(self._cluster)
        if postmaster is None:
            return False
        process = psutil.Process(postmaster.pid)
        if not (postmaster.socket_dir / ".s.PGSQL.5432").is_socket():
            _logger.warning("The running database has lost its socket and is started again")
            stop_server(process)
            return False
        _logger.info("Going on with the database that is already running, process %d", process.pid)
        self._process, self._socket_dir = process, postmaster.socket_dir
        return True

    def _launch(self) -> None:
        log = self._data_dir / "postgres.log"
        if log.exists():
            log.replace(self._data_dir / "postgres.log.1")
        for leftover in self._data_dir.glob("postgres.new-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        account = choose_account(self._cluster)
        if account is not None:
            open_programs(account)
            account.open_way_to(self._cluster)
        if not (self._cluster / "PG_VERSION").exists():
            with _new_cluster(self._data_dir, account) as directory:
                initialise_cluster(directory, log, account, "--auth=trust")
                directory.rename(self._cluster)
        if account is not None:
            account.own(self._cluster)
        if self._socket_dir != self._cluster:
            _make_private(self._socket_dir, account)
        mark_stale(self._cluster, self._socket_dir)
        # No address and the usual port, which then is only a part of the socket's name.
        options = ("-h", "", "-p", "5432", "-k", str(self._socket_dir))
        self._child = start_server(self._cluster, log, account, *options)
        self._process = psutil.Process(self._child.pid)


def attach(data_dir: Path) -> str:
    """Return the DSN of the database another process runs on this data directory."""
    data_dir = data_dir.resolve()
    postmaster = find_postmaster(data_dir / "postgres")
    if postmaster is None:
        raise DatabaseNotRunning(data_dir)
    return _database_url(postmaster.socket_dir, DATABASE)


def _choose_socket_dir(cluster: Path) -> Path:
    """Return the cluster itself, or a short directory if its path will not do for a socket."""
    # A socket's path has at most 103 bytes on macOS, 107 on Linux. Clients read it as a list of
    # hosts, in which commas and colons are separators.
    if re.fullmatch(r"[\w./-]{1,80}", str(cluster), re.ASCII):
        return cluster
    return Path("/tmp", f"ke-{hashlib.sha256(os.fsencode(cluster)).hexdigest()[:16]}")


def _make_private(directory: Path, account: ServerAccount | None) -> None:
    """Make the directory; one that somebody else made in its place is refused."""
    with suppress(FileExistsError):
        directory.mkdir(mode=0o700)
        if account is not None:
            account.own(directory)
    status = directory.lstat()
    uid = account.uid if account else os.geteuid()
    if status.st_uid != uid or status.st_mode != stat.S_IFDIR | stat.S_IRWXU:
        raise DatabaseStartFailed(
            f"{directory} is not a private directory of user {uid}; remove it"
        )


@contextmanager
def _new_cluster(data_dir: Path, account: ServerAccount | None) -> Iterator[Path]:
    """Yield a directory for a cluster; unless renamed, it is gone afterwards.

    A cluster gets its name only when it is complete, so a first start that was cut short hinders
    no later one.
    """
    directory = Path(tempfile.mkdtemp(prefix="postgres.new-", dir=data_dir))
    try:
        if account is not None:
            account.own(directory)
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _ensure_database(socket_dir: Path) -> None:
    """Create our database with the vector extension, as far as it is not there."""
    with psycopg.connect(_database_url(socket_dir, "postgres"), autocommit=True) as connection:
        found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE])
        if found.rowcount == 0:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
    with psycopg.connect(_database_url(socket_dir, DATABASE)) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")


def _database_url(socket_dir: Path, database: str) -> str:
    # The port is named, for PGPORT in the environment would else make libpq look elsewhere.
    return f"postgresql://postgres@/{database}?host={quote(str(socket_dir), safe='/')}&port=5432"
