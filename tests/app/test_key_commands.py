"""`ke keys`, beside a running service and without one."""

import json
import re
from collections.abc import Iterator

import httpx
import pytest

from tests.ke_process import Service, ke, new_data_dir, processes_of, serving, wait_for

KEY_ALONE = re.compile(r"ke-[0-9A-Za-z]{32,}\n")


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with new_data_dir() as data_dir, serving(data_dir) as service:
        yield service


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


def test_json_says_the_same(service: Service) -> None:
    options = ("--data-dir", service.data_dir, "--json")

    made = json.loads(ke("keys", "create", "--name", "robot", *options).stdout)
    listed = json.loads(ke("keys", "list", *options).stdout)
    (key,) = (one for one in listed if one["name"] == "robot")
    revoked = json.loads(ke("keys", "revoke", key["id"], *options).stdout)

    assert made["key"].startswith(key["hint"])
    assert key["revoked_at"] is None
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
