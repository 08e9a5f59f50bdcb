"""A PostgreSQL of one's own, as `KE_DATABASE_URL` names it: over TCP and with a password."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from app.postgres_programs import (
    initialise_cluster,
    open_programs,
    start_server,
    stop_server,
)
from app.server_account import choose_account

PASSWORD = "p@ss:word"


@contextmanager
def postgres_over_tcp(directory: Path) -> Iterator[str]:
    """Run a server in the empty directory; yield the URL of its database `postgres`."""
    cluster, log, password_file = directory / "cluster", directory / "log", directory / "password"
    account = choose_account(cluster)
    cluster.mkdir(mode=0o700)
    password_file.write_text(PASSWORD)
    if account is not None:
        open_programs(account)
        account.open_way_to(cluster)
        account.own(cluster)
    options = ("--auth=scram-sha-256", f"--pwfile={password_file}")
    initialise_cluster(cluster, log, account, *options)
    port = free_port()
    child = start_server(cluster, log, account, "-h", "127.0.0.1", "-p", str(port), "-k", "")
    yield f"postgresql://postgres:p%40ss%3Aword@127.0.0.1:{port}/postgres"
    stop_server(psutil.Process(child.pid))
    child.wait()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
