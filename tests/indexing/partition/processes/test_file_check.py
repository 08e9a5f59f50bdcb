"""Programs that say in a word what an uploaded file is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexing.partition.processes.file_check import TOO_MUCH, ask
from tests.readers import has_landlock

ROOT = Path(__file__).parents[4]


def test_a_program_says_what_it_finds(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("lamp")

    assert _said("say(lambda path: path.read_text())", tmp_path / "file") == "lamp"


def test_one_that_takes_too_much_memory_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    said = _said("say(lambda path: str(len(bytes(2 * MEMORY_BYTES))))", tmp_path / "file")

    assert said == TOO_MUCH


@pytest.mark.parametrize(
    ("end", "said"),
    [
        pytest.param("os.kill(os.getpid(), signal.SIGXCPU)", TOO_MUCH, id="over its time"),
        pytest.param("os.abort()", TOO_MUCH, id="given no more memory"),
        pytest.param("os.kill(os.getpid(), signal.SIGSEGV)", "", id="crashed"),
    ],
)
def test_what_a_program_died_of_is_told_from_taking_too_much(
    end: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dying_program.py").write_text(f"import os, signal\n{end}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    assert ask("dying_program", tmp_path / "file") == said


def test_one_that_computes_for_ever_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = "say(lambda path: str(sum(iter(int, 1))), cpu_seconds=1)"
    program = f"from indexing.partition.processes.file_check import say\n{endless}\n"
    (tmp_path / "busy_program.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))

    assert ask("busy_program", tmp_path / "busy_program.py") == TOO_MUCH


@pytest.mark.skipif(not has_landlock(), reason="this system cannot refuse files to a process")
def test_one_has_no_file_but_that_of_which_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "other").write_text("secret")

    assert _said("say(lambda path: path.with_name('other').read_text())", tmp_path / "file") == ""


def _said(statement: str, path: Path) -> str:
    program = f"from indexing.partition.processes.file_check import MEMORY_BYTES, say; {statement}"
    command = [sys.executable, "-c", program, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
