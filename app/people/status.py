"""`ke status`: whether the service lives, what it holds, and who works for it."""

import re
from collections import Counter
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.people.connection import CommandFailed, ExitCode
from app.people.writing import printable, say, say_json
from config.model_table import ModelTable
from knowledge_engine import Client, KnowledgeEngine

_ANSWER_SECONDS = 10.0
_WORKERS = re.compile(r"^ke_queue_workers ([0-9]+)", re.MULTILINE)
_WORKER = {
    True: "runs",
    False: "none runs, so nothing is read; start one with `ke worker`",
    None: "not known from here",
}
_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


class EngineStatus(BaseModel):
    """An engine, and how many of its documents are in which state."""

    id: str
    name: str
    status: str
    documents: int
    processing: int
    partial: int
    failed: int

    @classmethod
    def of(cls, client: Client, engine: KnowledgeEngine) -> "EngineStatus":
        states = Counter(one.outcome for one in client.engines.data_sources(engine.id))
        return cls(
            id=engine.id,
            name=engine.name,
            status=engine.status,
            documents=states.total(),
            processing=states[None],
            partial=states["partial"],
            failed=states["failed"],
        )


class ServiceStatus(BaseModel):
    """All that `ke status` shows; None where it cannot be known from here."""

    address: str
    worker_runs: bool | None
    enabled_models: list[str] | None
    engines: list[EngineStatus]


def check_ready(address: str) -> None:
    """Make sure that the service answers and can serve.

    Raises:
        CommandFailed: it does not, or cannot.
    """
    try:
        response = httpx.get(f"{address}/readyz", timeout=_ANSWER_SECONDS)
    except httpx.TransportError as error:
        message = f"No service answers at {address}: {error}"
        raise CommandFailed(message, ExitCode.UNREACHABLE) from error
    if not response.is_success:
        raise CommandFailed(f"The service at {address} lives, but cannot serve: {response.text}")


def read_status(client: Client, models: ModelTable) -> ServiceStatus:
    """Ask a service for its state; `models` is the routing file of this machine."""
    metrics = httpx.get(f"{client.base_url}/metrics", timeout=_ANSWER_SECONDS)
    workers = _WORKERS.search(metrics.text)
    is_here = urlsplit(client.base_url).hostname in _THIS_MACHINE
    enabled = [one.identifier for one in models.models.values() if one.is_enabled]
    return ServiceStatus(
        address=client.base_url,
        worker_runs=int(workers[1]) > 0 if workers else None,
        enabled_models=enabled if is_here else None,
        engines=[EngineStatus.of(client, engine) for engine in client.engines.list()],
    )


def show_status(status: ServiceStatus, *, as_json: bool) -> None:
    """Write a state."""
    if as_json:
        say_json(status)
        return
    say(f"The service at {status.address} is ready.")
    say(f"Worker: {_WORKER[status.worker_runs]}")
    say(f"Models: {_models(status.enabled_models)}")
    if status.engines:
        Console().print(_as_table(status.engines))
    else:
        say("There are no engines.")


def _models(enabled: list[str] | None) -> str:
    if enabled is None:
        return "not known from here"
    return ", ".join(enabled) or "none is enabled, so the built-in answerer answers"


def _as_table(engines: list[EngineStatus]) -> Table:
    table = Table()
    for heading in ("Engine", "Id", "Status"):
        table.add_column(heading, overflow="fold")
    for heading in ("Documents", "Processing", "Partial", "Failed"):
        table.add_column(heading, justify="right")
    for one in engines:
        counts = (one.documents, one.processing, one.partial, one.failed)
        # As Text, for in the name of an engine brackets are no markup.
        cells = (one.name, one.id, one.status, *map(str, counts))
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table
