"""A run: rounds of kills under load, each followed by a look at what is left."""

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import psycopg
from psycopg.rows import dict_row

from app.embedded_postgres import DatabaseNotRunning, attach
from benchmarks.kills.invariants import (
    check_chunks,
    check_database,
    check_files,
    check_ledger,
    select_engine_ids,
    select_rows,
)
from benchmarks.kills.ledger import Ledger
from benchmarks.kills.load import REQUEST_SECONDS, TOP_K, Client
from benchmarks.kills.victims import Service

CLIENTS = 3
MEAN_PAUSE_SECONDS = 1.2  # from the time the service answers again until the next kill
LONGEST_PAUSE_SECONDS = 10.0
PATIENCE = 0.85  # of the kills wait until then; the others strike while it is coming up
FOUND_SECONDS = 3.0  # how long the process to be killed is waited for, before another is chosen
IN_THE_ACT = 0.25  # of the kills wait some seconds for a document that is just being read
IN_THE_ACT_SECONDS = 10.0
SETTLE_SECONDS = 60.0
SLOW_SECONDS = 240.0  # for which it is waited further, to tell what is slow from what is stuck
WORKER_BACK_SECONDS = 30.0

# How often each is killed. "all" are the three at once.
KILLS = {"worker": 50, "API": 16, "PostgreSQL": 26, "all": 8}


class Run:
    """A run of the tool: rounds of kills, each followed by a look at what is left."""

    def __init__(self, service: Service, seed: int, kinds: Sequence[str]) -> None:
        self.service = service
        self.ledger = Ledger()
        self.kills: Counter[str] = Counter()
        self.settle_seconds: list[float] = []
        self.snapshots = 0
        self.violations: list[str] = []
        self.cut_off = 0
        self._kinds = kinds
        self._key = service.wait_until_up()
        self._random = random.Random(seed)
        self._clients = [
            Client(number, seed, service.base_url, self.ledger) for number in range(CLIENTS)
        ]

    def round(self, kills: int) -> None:
        """Kill so many times under load, then let it settle and check everything."""
        stop = threading.Event()
        threads = [
            threading.Thread(target=one.work, args=(stop, self._key), daemon=True)
            for one in self._clients
        ]
        for thread in threads:
            thread.start()
        for _ in range(kills):
            # Now and then the next kill meets a service that is only just coming up.
            is_patient = self._random.random() < PATIENCE
            seconds = self._random.expovariate(1 / MEAN_PAUSE_SECONDS)
            self.service.pass_time(min(seconds, LONGEST_PAUSE_SECONDS), from_when_up=is_patient)
            if self.service.look():
                self._look_while_running()
            if self._random.random() < IN_THE_ACT:
                self._wait_for_reading()
            self._kill_something()
        stop.set()
        self._settle(threads)
        self._check()

    def _wait_for_reading(self) -> None:
        statement = "SELECT FROM data_source WHERE status = 'processing' AND stage <> 'queued'"
        deadline = time.monotonic() + IN_THE_ACT_SECONDS
        while time.monotonic() < deadline and self.service.look():
            with suppress(psycopg.Error, DatabaseNotRunning), self._database() as database:
                if select_rows(database, statement):
                    break
            time.sleep(0.05)
        time.sleep(self._random.uniform(0, 0.5))

    def _kill_something(self) -> None:
        for _ in range(20):
            kind = self._random.choices([*self._kinds], [KILLS[one] for one in self._kinds])[0]
            deadline = time.monotonic() + FOUND_SECONDS
            while time.monotonic() < deadline:
                if self.service.kill(kind):
                    self.kills[kind] += 1
                    return
                self.service.pass_time(0.1, from_when_up=False)
        self.violations.append(f"none of {', '.join(self._kinds)} came back to be killed")

    def _settle(self, threads: Sequence[threading.Thread]) -> None:
        """Wait until nothing is left to do."""
        began = time.monotonic()
        waiting = self._wait_for_rest(threads, began + SETTLE_SECONDS)
        if waiting:
            load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
            still = self._wait_for_rest(threads, began + SETTLE_SECONDS + SLOW_SECONDS)
            seconds = f"{time.monotonic() - began:.0f} s"
            end = f"for {still} after {seconds} too" if still else f"slow, not stuck: {seconds}"
            self.violations.append(
                f"not settled after {SETTLE_SECONDS:.0f} s ({load}); waited for {waiting}; {end}"
            )
            if still:
                return
        self.settle_seconds.append(time.monotonic() - began)

    def _wait_for_rest(self, threads: Sequence[threading.Thread], deadline: float) -> str:
        """Wait until nothing is left to do, and return what is left then, "" for nothing."""
        waiting = "the service"
        while time.monotonic() < deadline:
            is_up = self.service.look()
            if is_up and not any(thread.is_alive() for thread in threads):
                waiting = self._work_left()
                if not waiting:
                    break
            time.sleep(0.2)
        return waiting

    def _work_left(self) -> str:
        statement = (
            "SELECT (SELECT count(*) FROM data_source WHERE status = 'processing') AS processing,"
            " (SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing') AS doing,"
            " (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo') AS todo"
        )
        with self._database() as database:
            counts = dict(select_rows(database, statement)[0])
        # What a dead process worked on goes within seconds of its end, but not at once.
        counts["working copies"] = sum(1 for _ in (self.service.data_dir / "work").glob("*"))
        return ", ".join(f"{count} {name}" for name, count in counts.items() if count)

    def _look_while_running(self) -> None:
        """See that a search finds all chunks of a document or none, at this very instant."""
        try:
            with self._database() as database:
                database.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
                for engine_id in select_engine_ids(database):
                    self.violations += [
                        f"at an instant under load: {text}"
                        for text in check_chunks(database, engine_id)
                    ]
        except (psycopg.Error, DatabaseNotRunning):
            return  # It is down, or an engine was dropped while we looked.
        self.snapshots += 1

    def _check(self) -> None:
        violations = [*self.service.wrong, *self.ledger.wrong]
        violations += [
            f"failed though nothing was down: {one.what}"
            for one in self.ledger.failures
            if not self.service.was_down(one.began, one.ended)
        ]
        violations += [
            f"a worker was gone for {one.ended - one.began:.0f} s"
            for one in self.service.outages
            if one.kind == "worker"
            and one.ended is not None
            and one.ended - one.began > WORKER_BACK_SECONDS
        ]
        violations += [f"orphaned process: {text}" for text in self.service.orphans()]
        with self._database() as database:
            violations += check_ledger(database, self.ledger)
            violations += check_database(database)
            for engine_id in select_engine_ids(database):
                violations += check_chunks(database, engine_id)
            violations += check_files(database, self.service.data_dir)
            resumed = "SELECT count(*) AS count FROM data_source WHERE attempts > 1"
            self.cut_off = select_rows(database, resumed)[0]["count"]
        violations += self._check_words()
        # What is found again at the end of a later round is still one violation.
        self.violations += [text for text in violations if text not in self.violations]
        kills, seconds = self.kills.total(), self.settle_seconds[-1] if self.settle_seconds else 0
        counts = ", ".join(f"{number} {what}" for what, number in self.ledger.counts.items())
        now = f"{time.strftime('%X')}, load {os.getloadavg()[0]:.1f}"
        print(
            f"{now}: {kills} kills, settled in {seconds:.1f} s: {counts}",
            flush=True,
        )
        for text in self.violations:
            print(f"  {text}", flush=True)

    def _check_words(self) -> list[str]:
        """Search for the own word of each document that must be there."""
        wrong = []
        with httpx.Client(
            base_url=self.service.base_url, auth=(self._key, ""), timeout=REQUEST_SECONDS
        ) as client:
            for given_id, one in self.ledger.live_documents().items():
                path = f"/api/v1/knowledge-engines/{one.engine_id}/retrieve"
                body = {"query": one.word, "top_k": TOP_K, "data_source_id": given_id}
                response = client.post(path, json=body)
                chunks = response.json().get("chunks", [])
                pages = [x["page_number"] for x in chunks if one.word in x["content"].lower()]
                if not pages or one.page not in (None, *pages):
                    wrong.append(f"{given_id} ({one.name}): {one.word!r} is on {pages}")
        return wrong

    @contextmanager
    def _database(self) -> Iterator[psycopg.Connection[dict[str, Any]]]:
        dsn = attach(self.service.data_dir)
        with psycopg.connect(dsn, row_factory=dict_row, connect_timeout=10) as database:
            yield database
