"""How the commands reach the service, and what they say when they do not."""

from pathlib import Path

import pytest

from knowledge_engine import Client
from tests.app.people.conftest import Command
from tests.ke_command import ke
from tests.ke_process import Service
from tests.postgres_over_tcp import free_port


def test_without_a_key_a_service_on_this_machine_is_pointed_to(service: Service) -> None:
    refused = ke("search", "x", KE_DATA_DIR=str(service.data_dir))

    assert refused.returncode == 4
    assert f"A service runs on {service.data_dir}; make a key:" in refused.stderr
    command = f"export KE_API_KEY=$(ke keys create --name me --data-dir {service.data_dir})"
    assert command in refused.stderr


def test_without_a_key_and_a_service_it_is_said_how_to_get_both(tmp_path: Path) -> None:
    refused = ke("search", "x", KE_DATA_DIR=str(tmp_path))

    assert refused.returncode == 4
    assert "Start a service with `ke serve`" in refused.stderr


def test_key_that_is_refused_is_told_from_one_that_is_missing(service: Service) -> None:
    address = str(service.client.base_url)

    refused = ke("search", "x", KE_API_KEY="ke-" + "x" * 40, KE_BASE_URL=address)

    assert refused.returncode == 4
    assert refused.stderr.startswith("The service refuses the key in KE_API_KEY")


def test_service_that_is_not_there_is_named_with_its_address() -> None:
    address = f"http://127.0.0.1:{free_port()}"

    refused = ke("search", "x", KE_API_KEY="ke-x", KE_BASE_URL=address)

    assert refused.returncode == 3
    assert refused.stderr.startswith(f"The service cannot be reached ({address}: ")
    assert len(refused.stderr.splitlines()) == 1


def test_engine_can_be_left_out_only_if_there_is_one(
    run: Command, client: Client, leases: str
) -> None:
    client.engines.create("Second")

    refused = run("search", "deposit")

    assert refused.returncode == 1
    assert refused.stderr.startswith("Name the engine with --engine. There are: ")
    assert "Leases" in refused.stderr


@pytest.mark.parametrize("as_id", [True, False], ids=["id", "name"])
def test_engine_goes_by_its_id_or_name(
    run: Command, client: Client, leases: str, as_id: bool
) -> None:
    engine_id = next(one.id for one in client.engines.list() if one.name == leases)

    assert run("search", "rent", "--engine", engine_id if as_id else leases).returncode == 0


def test_engine_that_is_not_there_is_said_with_those_that_are(run: Command, leases: str) -> None:
    refused = run("search", "rent", "--engine", "Lease")

    assert refused.stderr.startswith("There is no engine 'Lease'. There are: ")


def test_two_engines_of_a_name_are_told_apart_by_their_ids(run: Command, client: Client) -> None:
    twins = [client.engines.create("Twin").id for _ in range(2)]

    refused = run("ingest", "x.pdf", "--engine", "Twin")

    assert refused.stderr == f"2 engines have the name 'Twin': {', '.join(twins)}\n"


def test_wrong_use_has_an_exit_code_of_its_own(run: Command) -> None:
    assert run("ask").returncode == 2
