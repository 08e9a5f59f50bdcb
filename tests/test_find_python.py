"""`scripts/find-python`: which Python the environment is made of."""

import os
import subprocess
import sys
from pathlib import Path

FIND_PYTHON = Path(__file__).parents[1] / "scripts" / "find-python"
TOOLS = ("awk", "sh")  # that it needs beside a Python

PLAIN = f'exec "{sys.executable}" "$@"'
SLOW = f'PYTHONMALLOC=debug exec "{sys.executable}" -X tracemalloc=1 "$@"'
TOO_OLD = "exit 1"


def find_python(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command with a path of this folder's folders alone."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    for name in TOOLS:
        (tools / name).unlink(missing_ok=True)
        (tools / name).symlink_to(next(filter(Path.exists, _places(name))))
    path = ":".join(str(one) for one in sorted(folder.iterdir()))
    environment = {"PATH": path, **variables}
    return subprocess.run([FIND_PYTHON], env=environment, text=True, capture_output=True)


def python(folder: Path, name: str, does: str) -> Path:
    folder.mkdir(exist_ok=True)
    command = folder / name
    command.write_text(f"#!/bin/sh\n{does}\n")
    command.chmod(0o755)
    return command


def test_a_slow_python_is_passed_over_for_a_fast_one(tmp_path: Path) -> None:
    python(tmp_path / "first", "python3.12", SLOW)
    fast = python(tmp_path / "second", "python3.11", PLAIN)

    assert find_python(tmp_path).stdout == f"{fast}\n"


def test_the_same_name_is_looked_for_in_all_folders(tmp_path: Path) -> None:
    python(tmp_path / "first", "python3.11", SLOW)
    fast = python(tmp_path / "second folder", "python3.11", PLAIN)

    assert find_python(tmp_path).stdout == f"{fast}\n"


def test_a_python_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    python(tmp_path / "first", "python3.13", TOO_OLD)
    other = python(tmp_path / "second", "python3", PLAIN)

    assert find_python(tmp_path).stdout == f"{other}\n"


def test_the_one_that_is_named_is_taken_however_slow(tmp_path: Path) -> None:
    python(tmp_path / "first", "python3.12", PLAIN)
    named = python(tmp_path / "other", "python", SLOW)

    assert find_python(tmp_path, KE_PYTHON=str(named)).stdout == f"{named}\n"


def test_without_a_python_it_says_what_to_do(tmp_path: Path) -> None:
    python(tmp_path / "first", "python3.12", TOO_OLD)

    said = find_python(tmp_path)

    assert said.returncode == 1
    assert "python3.13 python3.12 python3.11 python3" in said.stderr
    assert "KE_PYTHON=/path/to/python3" in said.stderr


def test_a_named_python_that_is_not_suitable_is_told(tmp_path: Path) -> None:
    said = find_python(tmp_path, KE_PYTHON="python9")

    assert said.returncode == 1
    assert "tried: python9." in said.stderr


def _places(name: str) -> list[Path]:
    return [Path(folder) / name for folder in os.get_exec_path()]
