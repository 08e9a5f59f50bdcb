"""A cluster on one machine, under load and in trouble; then what adding processes costs and gives.

Network namespaces are the hosts: three for the API, four for workers, a PostgreSQL, its synchronous
replica and an S3 server. While clients upload, delete, search and ask, hosts are killed, cut off
and put behind bad links, and the primary is lost for good. Then what a request costs with one
process and with eight, and what 16 workers do beside one. It needs root, Linux and iproute2,
removes what it made (also what a killed run has left), and writes `benchmarks/results/cluster.md`.
"""

import argparse
import os
import shlex
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path

from benchmarks.cluster.costs import measure_costs
from benchmarks.cluster.hosts import clean_up, has_netem
from benchmarks.cluster.judging import judge, settle
from benchmarks.cluster.load import start_clients
from benchmarks.cluster.members import API_PORT, running_cluster
from benchmarks.cluster.report import describe_costs, describe_trouble, describe_workers
from benchmarks.cluster.trouble import Troubles
from benchmarks.cluster.waiting_workers import measure_workers
from benchmarks.kills.ledger import Ledger
from benchmarks.report import publish

PARTS = ("trouble", "costs", "workers")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120, help="how long the load lasts")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("This needs root, for the network namespaces.")
    # Who stops it so, as `timeout` does, wants to find nothing of it either.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = Path(tempfile.mkdtemp(prefix="cluster-", dir="/tmp"))
    folder.chmod(0o711)  # The database server, of another account, has to get through.
    sections, violations = [], []
    try:
        if "trouble" in arguments.parts:
            text, violations = make_trouble(folder, arguments.seed, arguments.seconds)
            sections.append(text)
        if "costs" in arguments.parts:
            sections.append(describe_costs(measure_costs(folder)))
        if "workers" in arguments.parts:
            sections.append(describe_workers(measure_workers(folder)))
    finally:
        clean_up()
    command = shlex.join([".venv/bin/python", "-m", "benchmarks.cluster", *sys.argv[1:]])
    publish("cluster", "A cluster on one machine", f"Command: `{command}`.", *sections)
    if violations:
        print(f"Data and logs are kept in {folder}")
        raise SystemExit(1)
    shutil.rmtree(folder)


def make_trouble(folder: Path, seed: int, seconds: float) -> tuple[str, list[str]]:
    """Run the cluster under load and in trouble; return the report, and what was violated."""
    ledger, stop = Ledger(), threading.Event()
    with running_cluster(folder) as (members, key):
        addresses = [f"http://{host.address}:{API_PORT}" for host in members.apis]
        troubles = Troubles(members, seed)
        threads = start_clients(addresses, seed, key, ledger, stop)
        troubles.make(seconds)
        stop.set()
        for thread in threads:
            thread.join()
        figures: dict[str, object] = {
            **ledger.counts,
            "requests that failed, in or after a trouble": len(ledger.failures),
            "seconds until nothing was left to do": settle(members),
            "seconds from the loss of the primary until all API hosts answered": (
                troubles.failover_seconds
            ),
            "processes that ended by themselves and were started again": len(members.restarts),
        }
        violations = [*ledger.wrong, *judge(members, ledger, key), *members.stop()]
        knows_netem = has_netem()
    unexplained = [one for one in ledger.failures if not troubles.explains(one)]
    violations += [f"failed though nothing was amiss: {one.what}" for one in unexplained]
    text = describe_trouble(troubles.counts(), figures, violations, has_netem=knows_netem)
    return text, violations


if __name__ == "__main__":
    main()
