"""docs/cli.md is held to the commands: every option is there, and what it shows runs."""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from app.cli import app
from app.people.connection import ExitCode
from tests.app.people.conftest import Command

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "cli.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
LINES = [
    line
    for language, text in BLOCKS
    for line in text.splitlines()
    if language == "sh" and line.startswith("ke ") and "--install" not in line
]


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the commands below one, by their whole names."""
    for inner, one in getattr(command, "commands", {}).items():
        yield from commands(one, f"{name} {inner}")
    if not hasattr(command, "commands"):
        yield name, command


COMMANDS = dict(commands(typer.main.get_command(app), "ke"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    assert re.search(rf"(^### |\| `){name}\b", PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", ["ke ingest", "ke ask", "ke search", "ke extract", "ke status"])
def test_every_option_for_people_is_documented(name: str) -> None:
    section = PAGE.partition(f"### {name}\n")[2].partition("\n#")[0]
    options = {option for one in COMMANDS[name].params for option in one.opts if option[0] == "-"}

    assert "--json" in options
    assert {one for one in options if one not in section} <= {"--json", "--engine"}


def test_every_exit_code_is_documented() -> None:
    documented = {int(code) for code in re.findall(r"^\| (\d) \|", PAGE, re.MULTILINE)}

    assert documented == {0, 2, *ExitCode}


@pytest.mark.parametrize("line", LINES)
def test_what_is_shown_runs(
    run: Command, leases: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    (tmp_path / "contracts").mkdir()
    shutil.copy(ROOT / "app" / "samples" / "warehouse-lease.pdf", tmp_path)
    (tmp_path / "letter.pdf").write_bytes((tmp_path / "warehouse-lease.pdf").read_bytes())
    (fields,) = (text for language, text in BLOCKS if language == "yaml")
    (tmp_path / "fields.yaml").write_text(fields)
    monkeypatch.chdir(tmp_path)

    done = run(*shlex.split(line)[1:])

    assert done.returncode == 0, done.stderr
