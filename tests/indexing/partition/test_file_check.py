"""Programs that say in a word what an uploaded file is."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.readers import has_landlock


def test_a_program_says_what_it_finds(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("lamp")

    assert _said("say(lambda path: path.read_text())", tmp_path / "file") == "lamp"


def test_one_that_takes_too_much_memory_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert _said("say(lambda path: str(len(bytes(2 * MEMORY_BYTES))))", tmp_path / "file") == ""


@pytest.mark.skipif(not has_landlock(), reason="this system cannot refuse files to a process")
def test_one_has_no_file_but_that_of_which_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "other").write_text("secret")

    assert _said("say(lambda path: path.with_name('other').read_text())", tmp_path / "file") == ""


def _said(statement: str, path: Path) -> str:
    program = f"from indexing.partition.file_check import MEMORY_BYTES, say; {statement}"
    command = [sys.executable, "-c", program, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
