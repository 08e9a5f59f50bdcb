"""The `ke serve` whose processes are killed: found, killed, started again, and watched."""

import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

START_SECONDS = 120.0  # for the first start, which makes the database
UP_SECONDS = 60.0
GRACE_SECONDS = 1.0  # after an outage, in which what began during it may still fail
STOP_SECONDS = 60.0
LOG_CHARACTERS = 1500  # shown of a service that does not start
ORPHAN_SECONDS = 10.0  # in which the program of a reader removes its folder, and ends too

_PR_SET_CHILD_SUBREAPER = 36


@dataclass(slots=True)
class Outage:
    """The time from a kill until the service is whole again."""

    kind: str
    began: float
    ended: float | None = None


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
        deadline = time.monotonic() + START_SECONDS
        while not self._is_whole():
            if time.monotonic() > deadline or self._process.poll() is not None:
                end = self.log.read_text(errors="replace")[-LOG_CHARACTERS:].strip()
                raise SystemExit(f"The service did not start; {self.log} ends with:\n{end}")
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
        lost = [child for child in self._children(os.getpid()) if child.pid not in expected]
        _, alive = psutil.wait_procs(lost, ORPHAN_SECONDS)
        return [f"{child.pid} {' '.join(_words(child))[:120]}" for child in alive]

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


def adopt_orphans() -> None:
    """Let every orphan among our descendants become our child, so that none is overlooked."""
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise SystemExit("This needs Linux: prctl(PR_SET_CHILD_SUBREAPER) failed.")


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
