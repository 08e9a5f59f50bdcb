"""Kill the processes of `ke serve` with -9 at random instants, under load; then look what is left.

Clients upload, delete, search and ask, and remember what the service has acknowledged. The seed
decides the kills, their instants and what each client does. After every round of kills the load
stops, the service gets at most 60 s to settle, and the invariants are checked over SQL and HTTP.
Requests may fail while the service is down, and at no other time. For Linux.
"""

import argparse
import ctypes
import json
import os
import random
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
from psycopg import sql
from psycopg.rows import dict_row
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from app.embedded_postgres import DatabaseNotRunning, attach
from benchmarks.report import MEASURED, table

ROOT = Path(__file__).parent.parent
FILES = ROOT / "tests" / "files"

CLIENTS = 3
KILLS_PER_ROUND = 20
MEAN_PAUSE_SECONDS = 1.2  # from the time the service answers again until the next kill
LONGEST_PAUSE_SECONDS = 10.0
PATIENCE = 0.85  # of the kills wait until then; the others strike while it is coming up
FOUND_SECONDS = 3.0  # how long the process to be killed is waited for, before another is chosen
IN_THE_ACT = 0.25  # of the kills wait some seconds for a document that is just being read
IN_THE_ACT_SECONDS = 10.0
SETTLE_SECONDS = 60.0
WORKER_BACK_SECONDS = 30.0
UP_SECONDS = 60.0
REQUEST_SECONDS = 20.0
GRACE_SECONDS = 1.0  # after an outage, in which what began during it may still fail
STOP_SECONDS = 60.0
MOST_PENDING = 4  # uploads that a client lets wait for their reading
MOST_ENGINES = 4
FEWEST_DOCUMENTS = 8  # with fewer, none is deleted
TOP_K = 20

# How often each is killed. "all" are the three at once.
KILLS = {"worker": 50, "API": 16, "PostgreSQL": 26, "all": 8}
_PR_SET_CHILD_SUBREAPER = 36

# Where an own word is put into a text, so that no two uploads hold the same bytes.
PLACES = {
    "inventory-notes.md": b"spare wicks",
    "lamp-oil.txt": b"Halle 2",
    "price-list.csv": b"Deck lamp",
    "opening-hours.html": b"Dock Road",
    "delivery.eml": b"forty lanterns",
    "letter.rtf": b"roofer",
}
# These are uploaded as they are: a word that each holds, and its page where that is known.
WHOLE_FILES = {
    "warehouse-lease.pdf": ("deposit", 2),
    "quarterly-review.pptx": ("returns", 2),
    "price-list.xlsx": ("signal", None),
    "supplier-handbook.docx": ("carrier", None),
}
WORDS = ("deposit", "lamp", "tenant", "rent", "gate", "repair", "policy", "carrier", "invoice")


@dataclass(frozen=True, slots=True)
class Document:
    """An upload, and how to find it again."""

    engine_id: str
    name: str
    content: bytes
    word: str
    page: int | None = None  # where the word stands, if that is known
    page_count: int | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that was not answered as it should have been."""

    began: float
    ended: float
    what: str


@dataclass(slots=True)
class Outage:
    """The time from a kill until the service is whole again."""

    kind: str
    began: float
    ended: float | None = None


@dataclass
class Ledger:
    """What the service has acknowledged; what it left open may be either way, but never half."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    documents: dict[str, Document] = field(default_factory=dict)  # by id, each answered with 201
    deleted: set[str] = field(default_factory=set)
    in_doubt: set[str] = field(default_factory=set)  # a deletion was asked for
    being_deleted: set[str] = field(default_factory=set)  # at this moment, by one client
    engines: set[str] = field(default_factory=set)
    engines_in_doubt: set[str] = field(default_factory=set)
    engines_deleted: set[str] = field(default_factory=set)
    workflows: dict[str, str] = field(default_factory=dict)  # id: engine
    failures: list[Failure] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        with self.lock:
            self.counts[what] += 1

    def live_documents(self) -> dict[str, Document]:
        """Return what must be there: acknowledged, and never asked to go."""
        with self.lock:
            gone = self.deleted | self.in_doubt
            return {
                key: one
                for key, one in self.documents.items()
                if key not in gone and one.engine_id in self.engines
            }

    def deleted_documents(self) -> set[str]:
        """Return what must be gone."""
        with self.lock:
            with_engine = {
                key for key, one in self.documents.items() if one.engine_id in self.engines_deleted
            }
            return self.deleted | with_engine


class Client:
    """One of the clients: it does one thing after the other, as its random numbers say."""

    def __init__(self, number: int, seed: int, base_url: str, ledger: Ledger) -> None:
        self._random = random.Random(f"{seed}/{number}")
        self._base_url = base_url
        self._ledger = ledger
        self._pending: list[str] = []
        self._http = httpx.Client()
        self._actions: dict[Callable[[], None], float] = {
            self._upload: 40,
            self._retrieve: 20,
            self._stream: 8,
            self._ask: 8,
            self._delete: 3,
            self._create_engine: 2,
            self._delete_engine: 0.2,
        }

    def work(self, stop: threading.Event, key: str) -> None:
        """Do one thing after the other until told to stop."""
        with httpx.Client(
            base_url=f"{self._base_url}/api/v1", auth=(key, ""), timeout=REQUEST_SECONDS
        ) as self._http:
            while not stop.is_set():
                actions, weights = zip(*self._actions.items(), strict=True)
                self._random.choices(actions, weights)[0]()
                stop.wait(self._random.uniform(0.02, 0.2))
                while not self._is_up() and not stop.is_set():
                    stop.wait(0.1)

    def _is_up(self) -> bool:
        try:
            return self._http.get(f"{self._base_url}/readyz").is_success
        except httpx.TransportError:
            return False

    def _send(
        self, method: str, path: str, *, engine_id: str | None = None, **request: Any
    ) -> httpx.Response | None:
        """Return an answer; where there is none, or an error of the server's, note that."""
        began = time.monotonic()
        try:
            response = self._http.request(method, path, **request)
        except httpx.TransportError as error:
            self._failed(began, f"{method} {path}: {error!r}")
            return None
        if response.status_code >= 500:
            what = f"{method} {path}: {response.status_code} {response.text[:200].strip()}"
            self._failed(began, what, engine_id)
            return None
        return response

    def _failed(self, began: float, what: str, engine_id: str | None = None) -> None:
        with self._ledger.lock:
            if engine_id is not None and engine_id not in self._ledger.engines:
                self._ledger.counts["requests that met the deletion of their engine"] += 1
                return
            self._ledger.failures.append(Failure(began, time.monotonic(), what))

    def _refused(self, response: httpx.Response, engine_id: str, *allowed: str) -> None:
        """Judge a 400 or 404: right only where its reason is, or where the engine is going."""
        with self._ledger.lock:
            is_right = engine_id not in self._ledger.engines or any(
                text in response.text for text in allowed
            )
            if not is_right:
                where = f"{response.request.method} {response.request.url.path}"
                self._ledger.wrong.append(f"{where}: {response.status_code} {response.text[:200]}")

    def _some_engine(self) -> str | None:
        with self._ledger.lock:
            engines = sorted(self._ledger.engines)
        return self._random.choice(engines) if engines else None

    def _upload(self) -> None:
        engine_id = self._some_engine()
        if engine_id is None:
            self._create_engine()
        elif len(self._pending) >= MOST_PENDING:
            self._look_after_pending()
        else:
            self._upload_to(make_document(engine_id, self._random))

    def _upload_to(self, document: Document) -> None:
        data = {"name": document.name, "type": "file", "knowledge_engine_id": document.engine_id}
        response = self._send(
            "POST",
            "/data-sources",
            data={"data": json.dumps(data)},
            files={"file": (document.name, document.content)},
        )
        if response is None:
            return
        if response.status_code != 201:
            self._refused(response, document.engine_id, "Duplicate file")
            return
        given_id = response.json()["id"]
        with self._ledger.lock:
            self._ledger.documents[given_id] = document
            self._ledger.counts["uploads acknowledged"] += 1
        self._pending.append(given_id)

    def _look_after_pending(self) -> None:
        for given_id in list(self._pending):
            response = self._send("GET", f"/data-sources/{given_id}")
            if response is None:
                return
            if response.status_code == 404 or response.json()["status"] == "processed":
                self._pending.remove(given_id)

    def _delete(self) -> None:
        with self._ledger.lock:
            candidates = sorted(
                key
                for key, one in self._ledger.documents.items()
                if one.engine_id in self._ledger.engines
                and key not in self._ledger.deleted | self._ledger.being_deleted
            )
            if len(candidates) < FEWEST_DOCUMENTS:
                return
            given_id = self._random.choice(candidates)
            self._ledger.being_deleted.add(given_id)
            was_in_doubt = given_id in self._ledger.in_doubt
            self._ledger.in_doubt.add(given_id)
        response = self._send("DELETE", f"/data-sources/{given_id}")
        with self._ledger.lock:
            self._ledger.being_deleted.discard(given_id)
        if response is None:
            return
        if response.status_code == 404 and not was_in_doubt:
            # Right only where another client has begun to delete its engine.
            self._refused(response, self._ledger.documents[given_id].engine_id)
        with self._ledger.lock:
            self._ledger.deleted.add(given_id)
            self._ledger.counts["data sources deleted"] += response.status_code == 200

    def _create_engine(self) -> None:
        with self._ledger.lock:
            if len(self._ledger.engines) >= MOST_ENGINES:
                return
        response = self._send("POST", "/knowledge-engines", json={"name": "Killed"})
        if response is not None:
            with self._ledger.lock:
                self._ledger.engines.add(response.raise_for_status().json()["id"])
                self._ledger.counts["engines created"] += 1

    def _delete_engine(self) -> None:
        with self._ledger.lock:
            ledger = self._ledger
            candidates = sorted(ledger.engines_in_doubt)
            candidates += sorted(ledger.engines) if len(ledger.engines) > 2 else []
            if not candidates:
                return
            engine_id = self._random.choice(candidates)
            ledger.engines.discard(engine_id)
            ledger.engines_in_doubt.add(engine_id)
        response = self._send("DELETE", f"/knowledge-engines/{engine_id}")
        if response is not None:
            with self._ledger.lock:
                ledger.engines_in_doubt.discard(engine_id)
                ledger.engines_deleted.add(engine_id)
                ledger.counts["engines deleted"] += response.status_code == 200

    def _retrieve(self) -> None:
        """Search for a word of any document, there or not; what is deleted must not be found."""
        gone = self._ledger.deleted_documents()
        with self._ledger.lock:
            documents = sorted(
                (key, one)
                for key, one in self._ledger.documents.items()
                if one.engine_id in self._ledger.engines
            )
        if not documents:
            return
        _, document = self._random.choice(documents)
        path = f"/knowledge-engines/{document.engine_id}/retrieve"
        body = {"query": document.word, "top_k": TOP_K}
        response = self._send("POST", path, json=body, engine_id=document.engine_id)
        if response is None:
            return
        if response.status_code != 200:
            self._refused(response, document.engine_id)
            return
        self._ledger.count("searches answered")
        found = {chunk["data_source_id"] for chunk in response.json()["chunks"]}
        for given_id in found & gone:
            with self._ledger.lock:
                self._ledger.wrong.append(f"{given_id} is found, though it is deleted")

    def _ask(self) -> None:
        engine_id = self._some_engine()
        if engine_id is None:
            return
        question = {"name": "kills", "query": self._question(), "type": "query"}
        body = question | {"knowledge_engine_id": engine_id}
        response = self._send("POST", "/workflows", json=body, engine_id=engine_id)
        if response is None:
            return
        if response.status_code == 201:
            self._answered(response.json()["id"], engine_id)
        else:
            self._refused(response, engine_id, "not ready", "no active data sources")

    def _stream(self) -> None:
        engine_id = self._some_engine()
        if engine_id is None:
            return
        path = f"/knowledge-engines/{engine_id}/query"
        question = {"name": "kills", "query": self._question()}
        began = time.monotonic()
        try:
            with self._http.stream("POST", path, json=question) as response:
                if response.status_code >= 500:
                    self._failed(began, f"POST {path}: {response.status_code}", engine_id)
                elif response.status_code == 200:
                    self._read_events(response.iter_lines(), engine_id, began)
                else:
                    response.read()
                    self._refused(response, engine_id, "not ready", "no active data sources")
        except httpx.TransportError as error:
            self._failed(began, f"POST {path}: {error!r}")

    def _read_events(self, lines: Iterator[str], engine_id: str, began: float) -> None:
        event = ""
        for line in lines:
            name, _, value = line.partition(": ")
            event = value if name == "event" else event
            if name == "data" and event == "done":
                self._answered(json.loads(value)["id"], engine_id)
                return
            if name == "data" and event == "error":
                self._failed(began, f"stream of {engine_id}: {value}", engine_id)
                return
        self._failed(began, f"stream of {engine_id}: ended without `done` or `error`")

    def _answered(self, workflow_id: str, engine_id: str) -> None:
        with self._ledger.lock:
            self._ledger.workflows[workflow_id] = engine_id
            self._ledger.counts["questions answered"] += 1

    def _question(self) -> str:
        return f"Who pays the {self._random.choice(WORDS)}, and when is it due?"


class Service:
    """The `ke serve` that is killed, and what it left of itself."""

    def __init__(self, data_dir: Path, port: int) -> None:
        self.data_dir = data_dir
        self.base_url = f"http://127.0.0.1:{port}"
        self.log = data_dir.parent / "serve.log"
        self.outages: list[Outage] = []
        self.wrong: list[str] = []
        self.failed_starts = 0  # because PostgreSQL was killed under them
        self._killed_postmasters: set[int] = set()
        self._killed_workers: set[int | None] = {None}
        self._command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
        self._process = self._start()
        self._http = httpx.Client(base_url=self.base_url, timeout=2)

    def wait_until_up(self) -> str:
        """Wait for the first start and return the key it has printed."""
        deadline = time.monotonic() + UP_SECONDS
        while not self._is_whole():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise SystemExit(f"The service did not start; see {self.log}")
            time.sleep(0.1)
        printed = re.search(r"ke-[0-9A-Za-z]{32,}", self.log.read_text())
        return printed.group() if printed else ""

    def kill(self, kind: str) -> str | None:
        """Kill what is asked for and return what it was; None when no such process runs now."""
        processes = {
            "API": self._process.pid,
            "worker": self.worker(),
            "PostgreSQL": self.postmaster(),
        }
        victims = [processes[kind]] if kind != "all" else list(processes.values())
        if not all(victims):
            return None
        began = time.monotonic()
        for pid in filter(None, victims):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if kind in ("PostgreSQL", "all"):
            self._killed_postmasters.add(processes["PostgreSQL"] or 0)
        self._killed_workers.add(processes["worker"] if kind in ("worker", "all") else None)
        if not any(one.kind == kind and one.ended is None for one in self.outages):
            self.outages.append(Outage(kind, began))
        if kind in ("API", "all"):
            self._process.wait()
            self._process = self._start()
        return kind

    def look(self) -> bool:
        """Close the outages that are over; tell whether the API answers.

        A service that ended by itself is noted, and started again.
        """
        self._reap()
        if self._process.poll() is not None:
            if self._is_starting and self._killed_postmasters > self._killed_before_start:
                # It says so and ends, as a first start does that meets a broken database.
                self.failed_starts += 1
            else:
                code = self._process.returncode
                self.wrong.append(f"`ke serve` ended by itself, with code {code}")
            self.outages.append(Outage("its own end", time.monotonic()))
            self._process = self._start()
        waiting = [one for one in self.outages if one.ended is None]
        is_up = any(one.kind != "worker" for one in waiting) and self._is_whole()
        is_reading = self.worker() not in self._killed_workers
        for one in waiting:
            if is_reading if one.kind == "worker" else is_up:
                one.ended = time.monotonic()
        return all(one.ended or one.kind == "worker" for one in self.outages)

    def pass_time(self, seconds: float, *, from_when_up: bool) -> None:
        """Let time pass, from now or from the moment the API answers again."""
        began = time.monotonic()
        latest = began + UP_SECONDS
        while time.monotonic() < began + seconds:
            is_up = self.look()
            if from_when_up and not is_up and time.monotonic() < latest:
                began = time.monotonic()
            time.sleep(0.05)

    def was_down(self, began: float, ended: float) -> bool:
        """Tell whether a request of this time may have met an outage of the API's."""
        return any(
            one.kind != "worker"
            and ended >= one.began
            and (one.ended is None or began <= one.ended + GRACE_SECONDS)
            for one in self.outages
        )

    def worker(self) -> int | None:
        """Return the process id of the worker of this API process."""
        for child in self._children(self._process.pid):
            if "app.worker" in _words(child):
                return child.pid
        return None

    def postmaster(self) -> int | None:
        """Return the process id of the running PostgreSQL."""
        cluster = self.data_dir.resolve() / "postgres"
        try:
            pid = int((cluster / "postmaster.pid").read_text().split()[0])
            process = psutil.Process(pid)
        except (OSError, ValueError, IndexError, psutil.Error):
            return None
        return pid if _words(process)[1:3] == ["-D", str(cluster)] else None

    def orphans(self) -> list[str]:
        """Return the processes that lost their parent and live on, but for the PostgreSQL."""
        expected = (self._process.pid, self.postmaster())
        return [
            f"{child.pid} {' '.join(_words(child))[:120]}"
            for child in self._children(os.getpid())
            if child.pid not in expected
        ]

    def stop(self) -> list[str]:
        """Stop the service as `kill` does, and return what processes it leaves behind."""
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            self.wrong.append(f"`ke serve` did not stop within {STOP_SECONDS:.0f} s")
        self._reap()
        left = psutil.Process().children(recursive=True)
        words = [f"{one.pid} {' '.join(_words(one))[:120]}" for one in left]
        for one in left:
            one.kill()
        return words

    def _start(self) -> subprocess.Popen[bytes]:
        self._is_starting = True
        self._killed_before_start = set(self._killed_postmasters)
        inherited = {name: text for name, text in os.environ.items() if not name.startswith("KE_")}
        settings = {"KE_LOG_LEVEL": "WARNING", "KE_ENGINE_READY_WHEN": "any_processed"}
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*self._command, "--data-dir", str(self.data_dir)],
                stdout=log,
                stderr=log,
                env=inherited | settings,
                start_new_session=True,
            )

    def _is_whole(self) -> bool:
        if self.postmaster() in (None, *self._killed_postmasters):
            return False
        try:
            is_ready = self._http.get("/readyz").is_success
        except httpx.TransportError:
            return False
        self._is_starting = self._is_starting and not is_ready
        return is_ready

    def _children(self, pid: int) -> list[psutil.Process]:
        try:
            children = psutil.Process(pid).children()
            return [one for one in children if one.status() != psutil.STATUS_ZOMBIE]
        except psutil.Error:
            return []

    def _reap(self) -> None:
        """Take leave of the orphans that have ended; they fall to us (see `adopt_orphans`)."""
        for child in psutil.Process().children():
            with suppress(psutil.Error, ChildProcessError):
                if child.pid != self._process.pid and child.status() == psutil.STATUS_ZOMBIE:
                    os.waitpid(child.pid, os.WNOHANG)


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
                if _rows(database, statement):
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
        waiting: object = "the service"
        while time.monotonic() < began + SETTLE_SECONDS:
            is_up = self.service.look()
            if is_up and not any(thread.is_alive() for thread in threads):
                waiting = self._work_left()
                if not waiting:
                    self.settle_seconds.append(time.monotonic() - began)
                    return
            time.sleep(0.2)
        self.violations.append(f"not settled after {SETTLE_SECONDS:.0f} s; waits for {waiting}")

    def _work_left(self) -> str:
        statement = (
            "SELECT (SELECT count(*) FROM data_source WHERE status = 'processing') AS processing,"
            " (SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing') AS doing,"
            " (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo') AS todo"
        )
        with self._database() as database:
            counts = _rows(database, statement)[0]
        return ", ".join(f"{count} {name}" for name, count in counts.items() if count)

    def _look_while_running(self) -> None:
        """See that a search finds all chunks of a document or none, at this very instant."""
        try:
            with self._database() as database:
                database.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
                for engine_id in _engine_ids(database):
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
            for engine_id in _engine_ids(database):
                violations += check_chunks(database, engine_id)
            violations += check_files(database, self.service.data_dir)
            resumed = "SELECT count(*) AS count FROM data_source WHERE attempts > 1"
            self.cut_off = _rows(database, resumed)[0]["count"]
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


def check_ledger(database: psycopg.Connection[dict[str, Any]], ledger: Ledger) -> list[str]:
    """Check that what was acknowledged is so."""
    rows = {row["id"]: row for row in _rows(database, "SELECT * FROM data_source")}
    gone = ledger.deleted_documents()
    wrong = [f"{key}: deleted, but its row is there" for key in gone & rows.keys()]
    for key, one in ledger.live_documents().items():
        row = rows.get(key)
        if row is None:
            wrong.append(f"{key} ({one.name}): an acknowledged upload is lost")
        elif (row["status"], row["outcome"]) != ("processed", "ok"):
            state = (row["status"], row["outcome"], row["error"], row["attempts"])
            wrong.append(f"{key} ({one.name}): {state}")
        elif one.page_count not in (None, row["page_count"]):
            wrong.append(f"{key} ({one.name}): {row['page_count']} pages of {one.page_count}")
    engines = {*_engine_ids(database)}
    wrong += [f"{key}: deleted, but its row is there" for key in ledger.engines_deleted & engines]
    wrong += [f"{key}: an acknowledged engine is lost" for key in ledger.engines - engines]
    workflows = {row["id"] for row in _rows(database, "SELECT id FROM workflow")}
    wrong += [
        f"{key}: an acknowledged workflow is lost"
        for key, engine_id in ledger.workflows.items()
        if engine_id in ledger.engines and key not in workflows
    ]
    return wrong


def check_database(database: psycopg.Connection[dict[str, Any]]) -> list[str]:
    """Check that no row, table or job belongs to nothing, and no work is left."""
    statements = {
        "page without a data source": "SELECT data_source_id AS id FROM data_source_page"
        " WHERE data_source_id NOT IN (SELECT id FROM data_source)",
        "PDF whose pages in the ledger are not its pages": "SELECT id FROM data_source d"
        " WHERE file_format = 'pdf' AND outcome = 'ok' AND page_count <>"
        " (SELECT count(*) FROM data_source_page p WHERE p.data_source_id = d.id)",
        "data source still processing": "SELECT id FROM data_source WHERE status = 'processing'",
        "reading that did not end well": "SELECT id || ': ' || coalesce(error, '') AS id"
        " FROM data_source WHERE outcome IN ('failed', 'partial')",
        "job left": "SELECT id || ' ' || status AS id FROM procrastinate_jobs",
    }
    wrong = [
        f"{name}: {row['id']}"
        for name, statement in statements.items()
        for row in _rows(database, statement)
    ]
    engines = {*_engine_ids(database)}
    tables = defaultdict(set)
    tables_of_engines = "SELECT tablename FROM pg_tables WHERE tablename LIKE '%\\_kng\\_%'"
    for row in _rows(database, tables_of_engines):
        kind, _, engine_id = row["tablename"].partition("_kng_")
        tables[kind].add(f"kng_{engine_id}")
    for kind in ("data", "lexical_segments", "lexical_postings"):
        wrong += [f"table {kind} without an engine: {one}" for one in tables[kind] - engines]
        wrong += [f"engine without a table {kind}: {one}" for one in engines - tables[kind]]
    return wrong


def check_chunks(database: psycopg.Connection[dict[str, Any]], engine_id: str) -> list[str]:
    """Check that each data source of an engine has all of its chunks and postings, or none."""
    statement = """
        SELECT coalesce(d.id, c.id, s.id, p.id) AS id, d.status, coalesce(d.chunk_count, 0) AS due,
               coalesce(c.count, 0) AS chunks, coalesce(c.distinct_count, 0) AS distinct_chunks,
               coalesce(s.chunk_count, 0) AS in_segment, s.id IS NOT NULL AS has_segment,
               p.id IS NOT NULL AS has_postings
        FROM (SELECT * FROM data_source WHERE knowledge_engine_id = {engine_id}) d
        FULL JOIN (SELECT metadata_->>'ref_doc_id' AS id, count(*),
                          count(DISTINCT node_id) AS distinct_count FROM {chunks} GROUP BY 1) c
             ON c.id = d.id
        FULL JOIN (SELECT data_source_id AS id, chunk_count FROM {segments}) s
             ON s.id = coalesce(d.id, c.id)
        FULL JOIN (SELECT DISTINCT data_source_id AS id FROM {postings}) p
             ON p.id = coalesce(d.id, c.id, s.id)
    """
    rows = database.execute(
        sql.SQL(statement).format(
            engine_id=sql.Literal(engine_id),
            chunks=sql.Identifier(f"data_{engine_id}"),
            segments=sql.Identifier(f"lexical_segments_{engine_id}"),
            postings=sql.Identifier(f"lexical_postings_{engine_id}"),
        )
    ).fetchall()
    wrong = []
    for row in rows:
        is_read = row["status"] == "processed" and row["due"] > 0
        counts = {row["chunks"], row["distinct_chunks"], row["in_segment"], row["due"]}
        if len(counts) > 1 or {row["has_segment"], row["has_postings"]} != {is_read}:
            wrong.append(f"chunks and postings do not fit: {engine_id} {row}")
    return wrong


def check_files(database: psycopg.Connection[dict[str, Any]], data_dir: Path) -> list[str]:
    """Check that each stored file is claimed, or noted as unclaimed, and no copy lies about."""
    folder = data_dir / "files"
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    claimed = {row["key"] for row in _rows(database, "SELECT blob_key AS key FROM data_source")}
    noted = {row["key"] for row in _rows(database, "SELECT key FROM unclaimed_file")}
    wrong = [f"stored file that nothing claims: {key}" for key in files - claimed - noted]
    wrong += [f"data source without its file: {key}" for key in claimed - files]
    copies = (path for path in (data_dir / "work").rglob("*") if path.is_file())
    return wrong + [f"working copy left: {path}" for path in copies]


def make_document(engine_id: str, rng: random.Random) -> Document:
    """Return a document of some kind, most of them small."""
    kind = rng.random()
    if kind < 0.08:
        name = rng.choice([*WHOLE_FILES])
        word, page = WHOLE_FILES[name]
        return Document(engine_id, name, (FILES / name).read_bytes(), word, page)
    word = "".join(rng.choice(letters) for letters in ("bdfgklmnprtvz", "aou") * 6)
    if kind < 0.4:
        name = rng.choice([*PLACES])
        content = (FILES / name).read_bytes()
        return Document(engine_id, name, content.replace(PLACES[name], word.encode()), word)
    page_count = rng.choices(
        [rng.randint(1, 3), rng.randint(4, 12), rng.randint(13, 60)], [60, 30, 10]
    )[0]
    page = rng.randint(1, page_count)
    content = make_pdf(word, page, page_count, rng)
    return Document(engine_id, f"{word}.pdf", content, word, page, page_count)


def make_pdf(word: str, page: int, page_count: int, rng: random.Random) -> bytes:
    """Return a PDF of plain lines, with the word on one of its pages."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for number in range(1, page_count + 1):
        for line in range(4):
            words = rng.choices(WORDS, k=9)
            if (number, line) == (page, 2):
                words[4] = word
            canvas.drawString(60, 760 - 16 * line, f"{' '.join(words).capitalize()}.")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def adopt_orphans() -> None:
    """Let every orphan among our descendants become our child, so that none is overlooked."""
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise SystemExit("This needs Linux: prctl(PR_SET_CHILD_SUBREAPER) failed.")


def report(run: Run, command: str, seconds: float) -> str:
    """Write down how it went."""
    outages: defaultdict[str, list[float]] = defaultdict(list)
    for one in run.service.outages:
        outages[one.kind].append((one.ended or time.monotonic()) - one.began)
    rows = []
    for kind in [*KILLS, *sorted(outages.keys() - KILLS.keys())]:
        times = outages[kind]
        spread = (min(times), statistics.median(times), max(times)) if times else ()
        rows.append([kind, run.kills[kind], *([f"{one:.1f}" for one in spread] or [""] * 3)])
    settled = run.settle_seconds or [0.0]
    counts = dict(sorted(run.ledger.counts.items())) | {
        "requests that failed, in an outage": sum(
            run.service.was_down(one.began, one.ended) for one in run.ledger.failures
        ),
        "documents there at the end, each found by its own word": len(run.ledger.live_documents()),
        "of all documents there at the end, cut off while they were read": run.cut_off,
        "starts of `ke serve` that ended because PostgreSQL was killed under them": (
            run.service.failed_starts
        ),
        "looks at an instant under load": run.snapshots,
        "seconds from the last kill of a round until nothing was left to do, median": (
            f"{statistics.median(settled):.1f}"
        ),
        "the same, at most": f"{max(settled):.1f}",
        "**violations**": len(run.violations),
    }
    found = "\n".join(f"- {text}" for text in run.violations) or "No invariant was violated."
    return "\n\n".join(
        [
            "# Killed, and nothing lost",
            f"{run.kills.total()} kills with -9 under load, in {seconds / 60:.1f} minutes. "
            f"Measured {MEASURED}, with other work on the machine; load average at the end "
            f"{os.getloadavg()[0]:.1f}. Command: `{command}`.",
            table(("killed", "kills", "outage s, min", "median", "max"), rows),
            "An outage lasts until `/readyz` answers 200 again and PostgreSQL is a new one; that "
            "of a worker, with which the API goes on, until a new worker runs. The tool starts "
            "`ke serve` again where the API was killed; worker and PostgreSQL are brought back by "
            "the service. Of kills that fall into an outage of their kind, the first counts.",
            table(("under this load", "number"), [*counts.items()]),
            found,
            "After every 20 kills and at the end, checked over SQL and HTTP: every acknowledged "
            "upload is there, `processed`, `ok`, and found by its own word, on its page; every "
            "acknowledged deletion is complete; chunks, their count, postings and segments fit "
            "for each data source, and none is twice or an orphan; no table without its engine; "
            "every stored file is claimed, or noted for the upkeep; no working copy, job or "
            "process is left over; no acknowledged workflow is lost. Under load, in one snapshot "
            "each time: a document has all of its chunks or none. No request fails unless "
            "something is down.",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", nargs="+", choices=KILLS, default=[*KILLS])
    parser.add_argument("--minutes", type=float, default=60, help="begin no round after them")
    parser.add_argument("--port", type=int, default=18300)
    parser.add_argument("--report", type=Path, default=ROOT / "docs" / "kills.md")
    arguments = parser.parse_args()
    adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="kills-", dir="/tmp"))
    folder.chmod(0o711)  # Its database server, of another account, has to get through.
    began = time.monotonic()
    service = Service(folder / "data", arguments.port)
    try:
        run = Run(service, arguments.seed, arguments.of)
        for first in range(0, arguments.kills, KILLS_PER_ROUND):
            if time.monotonic() > began + 60 * arguments.minutes:
                break
            run.round(min(KILLS_PER_ROUND, arguments.kills - first))
    finally:
        left = service.stop()
    run.violations += [f"process left after the stop: {one}" for one in left]
    command = shlex.join([".venv/bin/python", "-m", "benchmarks.kills", *sys.argv[1:]])
    text = report(run, command, time.monotonic() - began)
    print(text)
    arguments.report.write_text(f"{text}\n")
    if run.violations:
        print(f"Data and log are kept in {folder}")
        raise SystemExit(1)
    shutil.rmtree(folder)


def _engine_ids(database: psycopg.Connection[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in _rows(database, "SELECT id FROM knowledge_engine ORDER BY id")]


def _rows(database: psycopg.Connection[dict[str, Any]], statement: str) -> list[dict[str, Any]]:
    return database.execute(statement.encode()).fetchall()


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


if __name__ == "__main__":
    main()
