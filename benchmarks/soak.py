"""A long mixed load on one `ke serve`, its database killed every ten minutes: errors and memory.

Clients upload, delete, search and ask, and what they are answered is checked as `benchmarks.kills`
does; about as much is deleted as comes. No request may fail but around a restart of the database,
and memory must not grow: the last quarter of the run is set beside the second.
"""

import argparse
import shlex
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
from psycopg.rows import dict_row

from app.embedded_postgres import attach
from benchmarks.kills.invariants import (
    check_chunks,
    check_database,
    check_files,
    check_ledger,
    select_engine_ids,
    select_rows,
)
from benchmarks.kills.ledger import Ledger
from benchmarks.kills.load import Client
from benchmarks.kills.victims import Service, adopt_orphans
from benchmarks.report import publish, table

CLIENTS = 3
SAMPLE_SECONDS = 15.0
SETTLE_SECONDS = 120.0
MOST_GROWTH = 1.1
"""Of the median of the last quarter over that of the second; the first warms up."""

FEWEST_MINUTES = 20
"""In a shorter run memory is not judged: readers load what they need one after the other."""


class SteadyClient(Client):
    """A client that deletes about as much as it uploads."""

    def __init__(self, number: int, seed: int, base_url: str, ledger: Ledger) -> None:
        super().__init__(number, seed, base_url, ledger)
        self._actions[self._delete] = 30


@dataclass(frozen=True, slots=True)
class Sample:
    """The memory of the service's processes at a moment; shared memory is divided among them."""

    minute: float
    api_mb: float
    worker_mb: float
    postgres_mb: float

    @property
    def total_mb(self) -> float:
        return self.api_mb + self.worker_mb + self.postgres_mb


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--restart-minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=18400)
    arguments = parser.parse_args()
    adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="soak-", dir="/tmp"))
    folder.chmod(0o711)  # Its database server, of another account, has to get through.
    service, ledger = Service(folder / "data", arguments.port), Ledger()
    try:
        samples = put_under_load(service, ledger, arguments)
        wrong = [*service.wrong, *ledger.wrong, *look_at_what_is_left(service, ledger)]
    finally:
        left = service.stop()
    wrong += [f"process left after the stop: {one}" for one in left]
    wrong += [
        f"failed though nothing was down: {one.what}"
        for one in ledger.failures
        if not service.was_down(one.began, one.ended)
    ]
    growth = grown(samples)
    if arguments.minutes >= FEWEST_MINUTES and growth > MOST_GROWTH:
        wrong.append(f"memory has grown by {growth - 1:.0%}")
    command = shlex.join([".venv/bin/python", "-m", "benchmarks.soak", *sys.argv[1:]])
    report(command, samples, ledger, service, wrong)
    if wrong:
        print(f"Data and log are kept in {folder}")
        raise SystemExit(1)
    shutil.rmtree(folder)


def put_under_load(service: Service, ledger: Ledger, arguments: argparse.Namespace) -> list[Sample]:
    """Let the clients work for the time that is set; return the memory on the way."""
    key, stop = service.wait_until_up(), threading.Event()
    clients = [SteadyClient(at, arguments.seed, service.base_url, ledger) for at in range(CLIENTS)]
    threads = [threading.Thread(target=one.work, args=(stop, key), daemon=True) for one in clients]
    for thread in threads:
        thread.start()
    began = restarted = time.monotonic()
    samples: list[Sample] = []
    while (now := time.monotonic()) < began + 60 * arguments.minutes:
        if now > restarted + 60 * arguments.restart_minutes:
            restarted = now
            service.kill("PostgreSQL")
        service.pass_time(SAMPLE_SECONDS, from_when_up=False)
        with suppress(psutil.Error):  # One that ends while we look is seen the next time.
            samples.append(take_sample(service, (time.monotonic() - began) / 60))
    stop.set()
    for thread in threads:
        thread.join()
    return samples


def take_sample(service: Service, minute: float) -> Sample:
    """Look how much memory the processes hold."""
    worker, postgres = _family(service.worker()), _family(service.postmaster())
    api = worker[0].parent()
    return Sample(
        minute,
        _megabytes([api] if api else []),
        _megabytes(worker),
        _megabytes(postgres),
    )


def grown(samples: list[Sample]) -> float:
    """Return the memory of the last quarter by that of the second, by their medians."""
    quarter = len(samples) // 4
    if not quarter:
        return 1.0
    second, last = samples[quarter : 2 * quarter], samples[-quarter:]
    return statistics.median(one.total_mb for one in last) / statistics.median(
        one.total_mb for one in second
    )


def look_at_what_is_left(service: Service, ledger: Ledger) -> list[str]:
    """Wait until nothing is left to do, and check what is there."""
    deadline = time.monotonic() + SETTLE_SECONDS
    statement = "SELECT count(*) AS count FROM data_source WHERE status = 'processing'"
    with _database(service) as database:
        while select_rows(database, statement)[0]["count"] and time.monotonic() < deadline:
            time.sleep(0.5)
        wrong = check_ledger(database, ledger) + check_database(database)
        for engine_id in select_engine_ids(database):
            wrong += check_chunks(database, engine_id)
        return wrong + check_files(database, service.data_dir)


def report(
    command: str, samples: list[Sample], ledger: Ledger, service: Service, wrong: list[str]
) -> None:
    """Publish what was seen."""
    shown = samples[:: max(1, len(samples) // 12)]
    restarts = sum(one.kind == "PostgreSQL" for one in service.outages)
    found = "\n".join(f"- {one}" for one in wrong) or "None."
    publish(
        "soak",
        "A long load",
        f"Command: `{command}`. Restarts of the database by `kill -9`: {restarts}. Requests that "
        f"failed around them: {len(ledger.failures)}. Memory of the last quarter by that of the "
        f"second: **{grown(samples):.2f}** (at most {MOST_GROWTH}; a run of less than "
        f"{FEWEST_MINUTES} minutes is not judged by it).",
        table(["under this load", "number"], sorted(ledger.counts.items())),
        table(
            ["minute", "API, MB", "worker and readers, MB", "PostgreSQL, MB", "all, MB"],
            [
                (one.minute, one.api_mb, one.worker_mb, one.postgres_mb, one.total_mb)
                for one in shown
            ],
        ),
        f"Violations: {found}",
    )


def _family(pid: int | None) -> list[psutil.Process]:
    if pid is None:
        raise psutil.NoSuchProcess(0)
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def _megabytes(processes: list[psutil.Process]) -> float:
    return float(sum(one.memory_full_info().pss for one in processes)) / 2**20


@contextmanager
def _database(service: Service) -> Iterator[psycopg.Connection[dict[str, Any]]]:
    with psycopg.connect(attach(service.data_dir), row_factory=dict_row) as database:
        yield database


if __name__ == "__main__":
    main()
