"""The report of a run, as `docs/kills.md` keeps it."""

import os
import statistics
import time
from collections import defaultdict

from benchmarks.kills.run import KILLS, Run
from benchmarks.report import table, today_here


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
        "of all documents there at the end, cut off with nothing new since": run.cut_off,
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
            f"Measured {today_here()}, with other work on the machine; load average at the end "
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
