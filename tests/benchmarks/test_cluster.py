from pathlib import Path
from typing import Any

import pytest

from benchmarks.cluster.costs import Cost
from benchmarks.cluster.hosts import Host
from benchmarks.cluster.load import ClusterClient
from benchmarks.cluster.members import Members
from benchmarks.cluster.report import describe_costs, describe_workers
from benchmarks.cluster.trouble import GRACE_SECONDS, Trouble, Troubles
from benchmarks.cluster.waiting_workers import Rate
from benchmarks.kills.ledger import Failure, Ledger

NAMES = ("api1", "api2", "api3", "worker1", "worker2", "worker3", "worker4", "db1", "db2", "s3")


@pytest.fixture
def troubles(tmp_path: Path) -> Troubles:
    hosts = {name: Host(name, 11 + at, tmp_path) for at, name in enumerate(NAMES)}
    return Troubles(Members(hosts, tmp_path), seed=1)


@pytest.mark.parametrize(
    ("began", "ended", "is_explained"),
    [
        pytest.param(50, 99, False, id="over before"),
        pytest.param(99, 101, True, id="when it began"),
        pytest.param(110 + GRACE_SECONDS - 1, 140, True, id="soon after"),
        pytest.param(110 + GRACE_SECONDS + 1, 140, False, id="long after"),
    ],
)
def test_failure_is_explained_by_what_was_amiss(
    troubles: Troubles, began: float, ended: float, is_explained: bool
) -> None:
    troubles.all.append(Trouble("API host killed", 100, 110))

    assert troubles.explains(Failure(began, ended, "GET /")) is is_explained


def event(number: int, name: str = "message") -> str:
    return f'id: strm_abcdefghijklmn-{number}\nevent: {name}\ndata: "x"\n\n'


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        pytest.param(event(1) + event(2, "done"), False, id="done"),
        pytest.param(event(1) + event(2, "error"), False, id="error"),
        pytest.param(event(1) + event(3, "done"), True, id="gap"),
        pytest.param(event(1) + event(1) + event(2, "done"), True, id="twice"),
        pytest.param(event(1, "error") + event(2, "done"), True, id="two ends"),
    ],
)
def test_stream_is_judged(text: str, is_wrong: bool) -> None:
    ledger = Ledger(engines={"kng_1"})
    client: Any = ClusterClient(0, 1, ["http://api1", "http://api2"], ledger)

    client._judge("kng_1", "strm_abcdefghijklmn-0", text)

    assert bool(ledger.wrong) is is_wrong


def test_stream_is_gone_on_with_behind_the_last_event_that_came() -> None:
    client: Any = ClusterClient(0, 1, ["http://api1", "http://api2"], Ledger())
    stream = "strm_abcdefghijklmn"

    assert client._after(f"{stream}-0", "") == f"{stream}-0"
    assert client._after(f"{stream}-0", event(1) + event(2)) == f"{stream}-2"


def test_client_reads_at_another_host_than_it_writes() -> None:
    client: Any = ClusterClient(1, 1, ["http://api1", "http://api2"], Ledger())

    assert {client._elsewhere() for _ in range(9)} == {"http://api1"}


def test_rates_are_set_beside_one_worker_and_costs_beside_one_process() -> None:
    rates = describe_workers([Rate(1, 4, 40), Rate(16, 64, 50)])
    costs = describe_costs({8: Cost(6, 3, 5), 1: Cost(5, 2.5, 4)})

    assert "**0.800** × 16" in rates
    assert "| both, ms | 7.50 | 9.00 | 1.200 |" in costs


def test_same_seed_makes_the_same_trouble(tmp_path: Path) -> None:
    hosts = {name: Host(name, 11 + at, tmp_path) for at, name in enumerate(NAMES)}
    orders: list[Any] = [Troubles(Members(hosts, tmp_path), seed=7) for _ in range(2)]

    assert orders[0]._shuffled() == orders[1]._shuffled()
