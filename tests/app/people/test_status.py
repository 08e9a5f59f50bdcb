"""`ke status` at a real service, and without one."""

import json

import pytest

from app.people.status import ServiceStatus, show_status
from knowledge_engine import Client
from tests.app.people.conftest import Command
from tests.ke_command import ke
from tests.ke_process import Service
from tests.postgres_over_tcp import free_port


def test_engines_are_shown_with_their_documents(run: Command, client: Client) -> None:
    engine_id = client.engines.create("Tickets").id
    ticket = client.data_sources.create_ticket("Leak", engine_id)
    client.data_sources.wait(ticket.id)

    shown = run("status")
    status = json.loads(run("status", "--json").stdout)

    assert shown.stdout.startswith("The service at http://127.0.0.1:")
    (row,) = (line for line in shown.stdout.splitlines() if engine_id in line)
    assert [cell.strip() for cell in row.split("│")[3:-1]] == ["ready", "1", "0", "0", "0"]
    (engine,) = (one for one in status["engines"] if one["id"] == engine_id)
    assert (engine["documents"], engine["processing"]) == (1, 0)
    assert status["enabled_models"] == []


def test_service_that_is_not_there_has_an_exit_code_of_its_own() -> None:
    address = f"http://127.0.0.1:{free_port()}"

    refused = ke("status", KE_BASE_URL=address)

    assert refused.returncode == 3
    assert refused.stderr.startswith(f"No service answers at {address}: ")


def test_what_cannot_be_known_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    status = ServiceStatus(
        address="https://far.example", worker_runs=None, enabled_models=None, engines=[]
    )

    show_status(status, as_json=False)

    assert capsys.readouterr().out.splitlines() == [
        "The service at https://far.example is ready.",
        "Worker: not known from here",
        "Models: not known from here",
        "There are no engines.",
    ]


def test_status_needs_a_key_for_what_is_in_the_engines(service: Service) -> None:
    refused = ke("status", KE_BASE_URL=str(service.client.base_url))

    assert refused.returncode == 4
