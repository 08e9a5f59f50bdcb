"""Kill the processes of `ke serve` with -9 at random instants, under load; then look what is left.

Clients upload, delete, search and ask, and remember what the service has acknowledged. The seed
decides the kills, their instants and what each client does. After every round of kills the load
stops, the service gets at most 60 s to settle, and the invariants are checked over SQL and HTTP.
Requests may fail while the service is down, and at no other time. For Linux.
"""

import argparse
import shlex
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.kills.report import report
from benchmarks.kills.run import KILLS, Run
from benchmarks.kills.victims import Service, adopt_orphans

ROOT = Path(__file__).parents[2]

KILLS_PER_ROUND = 20


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
    # Which would end this at once, and leave the service.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its end"))
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


if __name__ == "__main__":
    main()
