"""A streaming replica of a test's PostgreSQL, in a directory of its own."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psutil

from app.postgres_programs import find_programs, start_server, stop_server
from app.server_account import choose_account


@contextmanager
def replica_of(primary_dsn: str, directory: Path) -> Iterator[str]:
    """Copy the server's cluster and run it as its replica; yield the address of the database."""
    cluster, log = directory / "replica", directory / "replica.log"
    account = choose_account(cluster)
    cluster.mkdir(mode=0o700)
    command = [find_programs() / "pg_basebackup", "-d", primary_dsn, "-D", cluster]
    subprocess.run([*command, "--write-recovery-conf", "--checkpoint=fast"], check=True)
    if account is not None:
        account.open_way_to(cluster)
        account.own(cluster)
    child = start_server(cluster, log, account, "-h", "", "-p", "5433", "-k", str(cluster))
    try:
        yield f"postgresql://postgres@/postgres?host={quote(str(cluster))}&port=5433"
    finally:
        stop_server(psutil.Process(child.pid))
        child.wait()
