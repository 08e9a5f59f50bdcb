"""`ke keys`, beside a running service and without one."""

import json
import re

import httpx
import pytest

from tests.ke_command import ke
from tests.ke_process import Service, new_data_dir, processes_of, wait_for

METHODS = ("GET", "POST")
KEY_ALONE = re.compile(r"ke-[0-9A-Za-z]{32,}\n")


def test_key_made_beside_a_service_is_all_that_is_printed_and_works_at_once(
    service: Service,
) -> None:
    made = ke("keys", "create", "--name", "laptop", "--data-dir", service.data_dir)

    assert made.returncode == 0
    assert KEY_ALONE.fullmatch(made.stdout)
    assert status(service, made.stdout.strip()) == 200


def test_revoked_key_is_refused_at_once(service: Service) -> None:
    directory = ("--data-dir", service.data_dir)
    key = ke("keys", "create", "--name", "lost", *directory).stdout.strip()
    listed = ke("keys", "list", *directory).stdout.splitlines()
    number = next(line.split("\t")[0] for line in listed if "\tlost\t" in line)

    assert ke("keys", "revoke", number, *directory).stdout == f"Key {number} is revoked.\n"

    assert status(service, key) == 401
    (line,) = (one for one in ke("keys", "list", *directory).stdout.splitlines() if "lost" in one)
    assert "\trevoked " in line
    assert key not in line


def test_key_that_is_not_there_cannot_be_revoked(service: Service) -> None:
    refused = ke("keys", "revoke", "4711", "--data-dir", service.data_dir)

    assert refused.returncode == 1
    assert refused.stderr == "There is no live key with the number 4711.\n"


def test_console_link_opens_the_console(service: Service) -> None:
    port = str(service.client.base_url.port)

    made = ke("console-link", "--port", port, "--data-dir", service.data_dir)

    assert made.returncode == 0
    assert made.stdout.startswith(f"http://127.0.0.1:{port}/welcome?token=")
    assert "New password" in httpx.get(made.stdout.strip()).raise_for_status().text


def test_key_of_a_scope_and_an_engine_is_listed_as_one(service: Service) -> None:
    engine = service.create_engine()
    options = ("--data-dir", service.data_dir)

    made = ke("keys", "create", "--name", "mouse", "--scope", "read", "--engine", engine, *options)

    (line,) = (one for one in ke("keys", "list", *options).stdout.splitlines() if "mouse" in one)
    assert line.endswith(f"\tlive\tread\t{engine}")
    url = service.client.base_url.join("/api/v1/knowledge-engines")
    answers = [httpx.request(method, url, auth=(made.stdout.strip(), "")) for method in METHODS]
    assert [one["id"] for one in answers[0].json()] == [engine]
    assert answers[1].json() == {"error": "this key has the scope read, this takes one with admin"}


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("kng_0123456789", "The first account has no knowledge engine kng_0123456789.\n"),
        ("nonsense", "Invalid knowledge engine ID\n"),
    ],
)
def test_key_of_an_engine_that_is_not_there_is_not_made(
    service: Service, engine: str, said: str
) -> None:
    options = ("--engine", engine, "--data-dir", service.data_dir)

    refused = ke("keys", "create", "--name", "ghost", *options)

    assert (refused.returncode, refused.stdout, refused.stderr) == (1, "", said)
    assert "ghost" not in ke("keys", "list", "--data-dir", service.data_dir).stdout


def test_what_is_done_at_the_command_line_is_noted(service: Service) -> None:
    key = ke("keys", "create", "--name", "noted", "--data-dir", service.data_dir).stdout.strip()

    log = service.client.get("/api/v1/audit-log", params={"action": "key.created"}).json()

    assert (log[0]["actor"], log[0]["resource_id"]) == ("command line", key[:9])
    assert len(log) >= 2  # the first key of the service


def test_json_says_the_same(service: Service) -> None:
    options = ("--data-dir", service.data_dir, "--json")

    made = json.loads(ke("keys", "create", "--name", "robot", *options).stdout)
    listed = json.loads(ke("keys", "list", *options).stdout)
    (key,) = (one for one in listed if one["name"] == "robot")
    revoked = json.loads(ke("keys", "revoke", key["id"], *options).stdout)

    assert made["key"].startswith(key["hint"])
    assert key["revoked_at"] is None
    assert (key["scope"], key["knowledge_engine_id"]) == ("admin", None)
    assert "digest" not in key
    assert revoked == {"id": key["id"], "revoked": True}


def test_keys_can_be_made_and_listed_without_a_service() -> None:
    with new_data_dir() as data_dir:
        made = ke("keys", "create", "--name", "early", "--data-dir", data_dir)
        listed = ke("keys", "list", "--data-dir", data_dir)

        assert KEY_ALONE.fullmatch(made.stdout)
        assert listed.stdout.startswith(f"1\t{made.stdout[:9]}…\tearly\t")
        wait_for(lambda: processes_of(data_dir) == [])


def status(service: Service, key: str) -> int:
    url = service.client.base_url.join("/api/v1/knowledge-engines")
    return httpx.get(url, auth=(key, "")).status_code
