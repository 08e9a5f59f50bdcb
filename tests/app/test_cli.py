"""What a person sees who gives `ke` something it cannot do: one line, and an exit status."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ke_command
from tests.ke_process import ke


def test_help_names_the_commands() -> None:
    shown = ke("--help").stdout

    assert all(name in shown for name in ("serve", "worker", "demo", "keys", "models"))
    assert all(name in shown for name in ("ingest", "ask", "search", "extract", "status"))


def test_help_and_completion_load_nothing_heavy() -> None:
    code = "import sys, app.cli; print({'httpx', 'sqlalchemy', 'psycopg'} & sys.modules.keys())"

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert loaded.stdout == b"set()\n"


def test_shell_is_told_the_commands() -> None:
    asked = {"_KE_COMPLETE": "complete_bash", "COMP_WORDS": "ke in", "COMP_CWORD": "1"}

    completed = subprocess.run(
        [Path(sys.executable).with_name("ke")],
        capture_output=True,
        env=os.environ | asked,
        check=True,
    )

    assert completed.stdout == b"ingest\n"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        pytest.param({"KE_PORT": "x"}, "KE_PORT: Input should be a valid integer", id="port"),
        pytest.param({"KE_WORKER_CONCURRENCY": "0"}, "KE_WORKER_CONCURRENCY: ", id="range"),
    ],
)
def test_bad_setting_is_one_line(settings: dict[str, str], message: str) -> None:
    refused = ke("serve", **settings)
    refused_here = ke_command.ke("serve", **settings)

    assert refused.returncode == refused_here.returncode == 1
    assert refused.stderr.startswith(message)
    assert len(refused.stderr.splitlines()) == 1
    assert refused.stderr == refused_here.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["--data-dir", "/dev/null/data"], "Cannot use /dev/null/data: ", id="directory"
        ),
        pytest.param(
            ["--host", "192.0.2.1", "--data-dir", "/dev/null/data"],
            "Cannot listen at 192.0.2.1:0: Cannot assign requested address.",
            id="address",
        ),
    ],
)
def test_serving_that_cannot_start_is_one_line(arguments: list[str], message: str) -> None:
    refused = ke("serve", "--port", "0", *arguments)

    assert refused.returncode == 1
    assert refused.stderr.startswith(message)
    assert len(refused.stderr.splitlines()) == 1


def test_worker_without_a_service_says_what_to_start(tmp_path: Path) -> None:
    refused = ke("worker", "--data-dir", tmp_path)

    assert refused.returncode == 1
    assert refused.stderr == f"No database runs on {tmp_path}. Start `ke serve` on it first.\n"
