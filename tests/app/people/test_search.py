"""`ke search` at a real service."""

import json

from tests.app.people.conftest import Command


def test_passages_come_with_file_page_and_section(run: Command, leases: str) -> None:
    done = run("search", "deposit", "--engine", leases, "--top", "1")

    assert done.stdout.startswith("1. warehouse-lease.pdf, page 2 · 2 Rent and Deposit (0.")
    assert "   The yearly rent is 48,000 pounds" in done.stdout


def test_json_is_that_of_the_api(run: Command, leases: str) -> None:
    found = json.loads(run("search", "deposit", "--engine", leases, "--json").stdout)

    assert found["total_chunks"] == len(found["chunks"]) > 1
