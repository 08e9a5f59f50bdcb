"""A real service, and the commands with a key of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app
from app.people.connection import CommandFailed
from knowledge_engine import Client
from tests.conftest import FILES
from tests.ke_process import Service, new_data_dir, serving


@dataclass(frozen=True)
class Done:
    """How a command has ended."""

    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Done]


@pytest.fixture(scope="package")
def service() -> Iterator[Service]:
    """A `ke serve` for all tests of the commands."""
    with new_data_dir() as data_dir, serving(data_dir) as service:
        yield service


@pytest.fixture(scope="package")
def run(service: Service) -> Command:
    """Run a command in this process, as `main` does, at the service."""
    environment = {
        "KE_API_KEY": service.key,
        "KE_BASE_URL": str(service.client.base_url),
        "COLUMNS": "200",
    }

    def command(*arguments: str | Path) -> Done:
        result = CliRunner().invoke(app, [str(one) for one in arguments], env=environment)
        if isinstance(result.exception, CommandFailed):
            failure = result.exception
            return Done(failure.exit_code, result.stdout, f"{result.stderr}{failure}\n")
        assert isinstance(result.exception, SystemExit | None), result.exc_info
        return Done(result.exit_code, result.stdout, result.stderr)

    return command


@pytest.fixture(scope="package")
def client(service: Service) -> Iterator[Client]:
    with Client(service.key, str(service.client.base_url)) as client:
        yield client


@pytest.fixture(scope="package")
def leases(run: Command) -> str:
    """The name of an engine that holds the lease."""
    assert run("ingest", FILES / "warehouse-lease.pdf", "--engine", "Leases").returncode == 0
    return "Leases"
