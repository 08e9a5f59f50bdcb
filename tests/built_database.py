"""A database with its tables and nothing in them, made once for all tests of a run."""

import shutil
from functools import cache
from pathlib import Path

from app.database import migrate
from app.embedded_postgres import EmbeddedPostgres
from tests.built_once import built_once


@cache
def built_database() -> Path:
    """Return the folder of the server's files; the server does not run.

    To make it takes two seconds of processor time, in every data directory anew.
    """
    return built_once("database", _build) / "postgres"


def _build(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as server:
        migrate(server.sqlalchemy_url)


def copy_built_database(data_dir: Path) -> None:
    """Put it into a data directory that has none, as if it had been made there."""
    if not (data_dir / "postgres").exists():
        data_dir.mkdir(mode=0o711, exist_ok=True)
        shutil.copytree(built_database(), data_dir / "postgres")
