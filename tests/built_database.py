"""A database with its tables and nothing in them, made once for all tests of this process."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from app.database import migrate
from app.embedded_postgres import EmbeddedPostgres


@cache
def built_database() -> Path:
    """Return the folder of the server's files; the server does not run.

    To make it takes two seconds of processor time, in every data directory anew.
    """
    data_dir = Path(tempfile.mkdtemp(prefix="ke-test-database-", dir="/tmp"))
    atexit.register(shutil.rmtree, data_dir)
    with EmbeddedPostgres.start(data_dir) as server:
        migrate(server.sqlalchemy_url)
    return data_dir / "postgres"


def copy_built_database(data_dir: Path) -> None:
    """Put it into a data directory that has none, as if it had been made there."""
    if not (data_dir / "postgres").exists():
        data_dir.mkdir(mode=0o711, exist_ok=True)
        shutil.copytree(built_database(), data_dir / "postgres")
