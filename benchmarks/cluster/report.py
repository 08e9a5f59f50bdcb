"""The report of a run, as Markdown."""

from collections.abc import Mapping, Sequence

from benchmarks.cluster.costs import PACE_SECONDS, REQUESTS, ROUNDS, Cost
from benchmarks.cluster.hosts import LOSS, QUEUE, RATE
from benchmarks.cluster.waiting_workers import WAIT_SECONDS, Rate
from benchmarks.report import table


def describe_trouble(
    happened: Mapping[str, int],
    figures: Mapping[str, object],
    violations: Sequence[str],
    *,
    has_netem: bool,
) -> str:
    """Tell what befell the hosts, what was asked of them meanwhile, and what was violated."""
    delay = "40 ms, give or take 10" if has_netem else f"a queue of up to {QUEUE} before {RATE}"
    reason = "" if has_netem else " (this kernel has no netem)"
    found = "\n".join(f"- {one}" for one in violations) or "No invariant was violated."
    return "\n\n".join(
        [
            "## In trouble",
            "Ten network namespaces are the hosts: three for the API, four for workers, a "
            "PostgreSQL, its synchronous streaming replica, which takes searches too, and an S3 "
            "server. Each API host has two clients.",
            table(["what happened", "times"], sorted(happened.items())),
            f"A bad link loses {LOSS:.0%} of what its host sends; a slow one delays it by {delay}"
            f"{reason}. A host that is cut off has its cable pulled. A process that ends while its "
            "host is up is started again after 2 s, as systemd would.",
            table(["under this load", "number"], sorted(figures.items())),
            f"**{len(violations)} violations.**",
            found,
            "Checked: every acknowledged upload is there, read, and found by its own word at each "
            "API host; every acknowledged deletion is complete; no chunk is twice and none is "
            "missing; stored files are those that are claimed; what one host has acknowledged the "
            "next read at another one sees, by its id and by a search; every stream ends with "
            "`done` or one `error`, its events numbered without a gap, at whatever host it goes "
            "on; no request fails unless something is amiss or was less than 20 s before; all stop "
            "at SIGTERM.",
        ]
    )


def describe_costs(costs: Mapping[int, Cost]) -> str:
    """Tell what a request costs by the number of processes."""
    (_, least), (most, greatest) = sorted(costs.items())
    rows = [
        ("processor time of the API, ms", least.api_ms, greatest.api_ms),
        ("processor time of PostgreSQL, ms", least.database_ms, greatest.database_ms),
        (
            "both, ms",
            least.api_ms + least.database_ms,
            greatest.api_ms + greatest.database_ms,
        ),
        ("SQL statements", least.statements, greatest.statements),
    ]
    return "\n\n".join(
        [
            "## The cost of a request",
            f"{REQUESTS} mixed requests (searches, questions, lists) to each process in a round, "
            f"one every {PACE_SECONDS} s, so that more processes do more; {ROUNDS} rounds with "
            "each number of them in turn; medians. Statements are counted in the server's own log "
            "(BEGIN and COMMIT too), in a round that is not timed: the wheel has no "
            "pg_stat_statements. The same load spread over more processes costs more statements, "
            "for each looks a key up once a second, however many requests come with it.",
            table(
                ["a request costs", "1 process", f"{most} processes", "ratio"],
                [(name, f"{a:.2f}", f"{b:.2f}", f"{b / a:.3f}") for name, a, b in rows],
            ),
        ]
    )


def describe_workers(rates: Sequence[Rate]) -> str:
    """Tell what many workers do beside one."""
    one, many = rates
    share = many.per_second / one.per_second / many.workers
    return "\n\n".join(
        [
            "## Workers",
            f"An embedder that only waits, {WAIT_SECONDS:.0f} s for a document; all else is the "
            "service's.",
            table(
                ["workers", "documents", "seconds", "documents a minute"],
                [(r.workers, r.documents, r.seconds, 60 * r.per_second) for r in rates],
            ),
            f"{many.workers} workers do **{share:.3f}** × {many.workers} of what one does (target "
            "0.95).",
        ]
    )
