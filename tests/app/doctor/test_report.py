"""`ke doctor` as a whole, beside a service, without one, and with what is broken."""

import json
from pathlib import Path

from rich.console import Console

from app.doctor.findings import ok, problem, warning
from app.doctor.report import has_problem, render_findings
from tests.built_models import link_models
from tests.ke_command import ke
from tests.ke_process import Service, wait_for

SUBJECTS = {
    "database",
    "file store",
    "disk",
    "memory",
    "limits",
    "models",
    "embedding",
    "text recognition",
    "LibreOffice",
    "Tesseract",
    "jemalloc",
    "calls of PDFium",
}


def test_running_service_is_looked_at(service: Service) -> None:
    wait_for(lambda: "ke_queue_workers 3.0" in service.client.get("/metrics").text)

    done = ke("doctor", "--data-dir", service.data_dir, "--json")

    found = {one["subject"]: one for one in json.loads(done.stdout)}
    assert done.returncode == 0, done.stdout
    assert found.keys() == SUBJECTS | {
        *("pgvector", "tables", "connections", "clock", "workers", "documents", "engines")
    }
    assert found["workers"]["level"] == "ok"


def test_nothing_has_to_run(tmp_path: Path) -> None:
    done = ke("doctor", "--data-dir", tmp_path / "data", "--json")

    found = {one["subject"]: one for one in json.loads(done.stdout)}
    assert done.returncode == 0
    assert found.keys() == SUBJECTS
    assert found["database"]["advice"]


def test_problem_is_shown_with_what_to_do_and_ends_with_1(tmp_path: Path) -> None:
    link_models(tmp_path)

    done = ke("doctor", "--data-dir", tmp_path, KE_DATABASE_URL="nonsense")

    assert done.returncode == 1
    assert "KE_DATABASE_URL: not of the form postgresql://…" in done.stdout
    assert "Set KE_DATABASE_URL" in done.stdout


def test_only_a_problem_is_one() -> None:
    warned = [ok("disk", "much"), warning("clock", "late", "set it")]

    assert not has_problem(warned)
    assert has_problem([*warned, problem("database", "away", "start it")])


def test_what_others_said_gives_the_terminal_no_orders() -> None:
    console = Console(width=100)
    with console.capture() as capture:
        console.print(render_findings([problem("database", "[red]no\x1b[2J[/red]", "")]))

    assert "[red]no[2J[/red]" in capture.get()
