"""`ke backup` and `ke restore` without a running service, and how they say no."""

import json
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.built_database import copy_built_database
from tests.ke_command import ke
from tests.ke_process import (
    COMMAND,
    environment,
    kill_leftovers,
    new_data_dir,
    processes_of,
    wait_for,
)


@dataclass(frozen=True)
class Stopped:
    """A service that does not run and has a key, its backup, and what was said of that."""

    data_dir: Path
    backup: Path
    written: dict[str, Any]


@pytest.fixture(scope="module")
def stopped() -> Iterator[Stopped]:
    with new_data_dir() as data_dir:
        backup = data_dir.parent / "backup.zip"
        copy_built_database(data_dir)
        ke("keys", "create", "--name", "laptop", "--data-dir", data_dir)
        written = json.loads(ke("backup", backup, "--data-dir", data_dir, "--json").stdout)
        yield Stopped(data_dir, backup, written)


@pytest.fixture
def other() -> Iterator[Path]:
    """The path of a directory that is still to be made."""
    with new_data_dir() as data_dir:
        yield data_dir


def test_stopped_service_is_backed_up_and_restored(stopped: Stopped, other: Path) -> None:
    restored = json.loads(ke("restore", stopped.backup, "--data-dir", other, "--json").stdout)
    listed = json.loads(ke("keys", "list", "--data-dir", other, "--json").stdout)

    assert stopped.written["counts"]["api_key"] == 1
    assert stopped.written == restored
    assert [one["name"] for one in listed] == ["laptop"]
    wait_for(lambda: processes_of(stopped.data_dir) + processes_of(other) == [])


def test_restore_that_was_killed_is_repeated(stopped: Stopped, other: Path) -> None:
    kill_when_its_database_runs(stopped.backup, other)
    assert not (other / "postgres").exists()
    restored = ke("restore", stopped.backup, "--data-dir", other)

    assert restored.returncode == 0, restored.stderr
    assert not (other / "restoring").exists()
    wait_for(lambda: processes_of(other) == [])


def test_place_with_a_database_is_refused(stopped: Stopped) -> None:
    refused = ke("restore", stopped.backup, "--data-dir", stopped.data_dir)

    assert refused.returncode == 1
    assert refused.stderr == (
        f"{stopped.data_dir} has a database already; restore to another directory.\n"
    )


def test_nothing_to_back_up_is_said_and_nothing_made(tmp_path: Path) -> None:
    refused = ke("backup", tmp_path / "backup.zip", "--data-dir", tmp_path / "data")

    assert refused.returncode == 1
    assert refused.stderr == f"There is no database in {tmp_path / 'data'}.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_database_that_is_away_is_one_line(stopped: Stopped, tmp_path: Path, command: str) -> None:
    url = "postgresql://ke:hidden@127.0.0.1:1/ke"
    file = tmp_path / "backup.zip" if command == "backup" else stopped.backup

    refused = ke(command, file, "--data-dir", tmp_path / "data", KE_DATABASE_URL=url)

    assert refused.returncode == 1
    assert refused.stderr.startswith("The database cannot be used: ")
    assert "hidden" not in refused.stderr
    assert not list(tmp_path.glob("*.partial"))


def kill_when_its_database_runs(backup: Path, data_dir: Path) -> None:
    """Leave what a restore does that is killed: a half-filled database, with its server running."""
    command = [*COMMAND, "restore", str(backup), "--data-dir", str(data_dir)]
    process = subprocess.Popen(command, env=environment({}))
    try:
        wait_for(lambda: (data_dir / "restoring" / "postgres" / "postmaster.pid").exists())
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert processes_of(data_dir) != []
    except AssertionError:
        kill_leftovers(data_dir)
        raise
