"""Memory, and what the system lets a process do."""

import resource
from collections.abc import Iterator

import psutil

from app.doctor.findings import Finding, ok, warning
from config.settings import Settings

SERVICE_MB = 1000
"""What the processes of `ke serve` take together when they rest, with a reserve."""

READER_MB = 300
"""What a document takes while it is read, at most times."""

LEAST_OPEN_FILES = 1024


def check_memory(settings: Settings) -> Iterator[Finding]:
    """Compare the memory that is there with what the service takes at work."""
    wanted = SERVICE_MB + settings.worker_concurrency * READER_MB
    total = psutil.virtual_memory().total // 2**20
    text = f"{total:,} MB; the service takes about {wanted:,} MB at work"
    if total < wanted:
        yield warning("memory", text, "Lower KE_WORKER_CONCURRENCY, or give it more memory.")
    else:
        yield ok("memory", text)


def check_limits(settings: Settings) -> Iterator[Finding]:
    """See how many files and connections a process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_unlimited = soft == resource.RLIM_INFINITY
    text = f"{'any number of' if is_unlimited else soft} files open at once"
    if not is_unlimited and soft < LEAST_OPEN_FILES:
        advice = f"Raise the limit to {LEAST_OPEN_FILES} or more (ulimit -n, LimitNOFILE=)."
        yield warning("limits", text, advice)
    else:
        yield ok("limits", text)
