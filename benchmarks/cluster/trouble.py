"""What befalls the hosts, as a seed decides: deaths, partitions, bad links, and one failover."""

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.cluster.hosts import Host
from benchmarks.cluster.members import Members, is_ready, wait_until
from benchmarks.kills.ledger import Failure

GRACE_SECONDS = 20.0
"""After a trouble, in which what began during it may still fail: a request is given 20 s."""

PAUSE_SECONDS = 4.0
SHORT_SECONDS = 6.0
LONG_SECONDS = 16.0  # longer than the 12 s after which a silent worker's documents are taken up
FAILOVER_AT = 0.55


@dataclass(slots=True)
class Trouble:
    """A time in which requests may fail, and why."""

    what: str
    began: float
    ended: float | None = None


class Troubles:
    """All that happens to the hosts in a run."""

    def __init__(self, members: Members, seed: int) -> None:
        self.all: list[Trouble] = []
        self.failover_seconds = 0.0
        self._members = members
        self._random = random.Random(seed)
        self._kinds: dict[str, Callable[[], None]] = {
            "API host killed": lambda: self._kill(self._some(members.apis)),
            "worker host killed": lambda: self._kill(self._some(members.workers)),
            "API host cut off": lambda: self._cut(self._some(members.apis), SHORT_SECONDS),
            "worker host cut off": lambda: self._cut(self._some(members.workers), LONG_SECONDS),
            "replica cut off": lambda: self._cut(members.replica, SHORT_SECONDS),
            "packets lost at an API host": lambda: self._spoil(
                self._some(members.apis), Host.make_lossy
            ),
            "packets lost at the database": lambda: self._spoil(self._database(), Host.make_lossy),
            "slow link of the database": lambda: self._spoil(self._database(), Host.make_slow),
            "slow link of a worker host": lambda: self._spoil(
                self._some(members.workers), Host.make_slow
            ),
        }
        self._has_failed_over = False

    def make(self, seconds: float) -> None:
        """Let one thing after the other happen for so long, and the failover amid them."""
        began = time.monotonic()
        waiting = self._shuffled()
        while (passed := time.monotonic() - began) < seconds:
            if passed > FAILOVER_AT * seconds and not self._has_failed_over:
                self._happen("failover", self._fail_over)
            else:
                waiting = waiting or self._shuffled()
                kind = waiting.pop()
                self._happen(kind, self._kinds[kind])
            time.sleep(self._random.uniform(0.5, 1.5) * PAUSE_SECONDS)

    def counts(self) -> Counter[str]:
        """Return how often each thing happened."""
        return Counter(one.what for one in self.all)

    def explains(self, failure: Failure) -> bool:
        """Tell whether a request may have failed because of some trouble."""
        return any(
            failure.ended >= one.began
            and (one.ended is None or failure.began <= one.ended + GRACE_SECONDS)
            for one in self.all
        )

    def _shuffled(self) -> list[str]:
        return self._random.sample([*self._kinds], len(self._kinds))

    def _happen(self, what: str, action: Callable[[], None]) -> None:
        print(f"{time.strftime('%X')} {what}", flush=True)
        self.all.append(Trouble(what, time.monotonic()))
        action()
        self.all[-1].ended = time.monotonic()

    def _some(self, hosts: list[Host]) -> Host:
        return self._random.choice(hosts)

    def _database(self) -> Host:
        return self._members.replica if self._has_failed_over else self._members.primary

    def _kill(self, host: Host) -> None:
        self._members.crash(host)
        time.sleep(self._random.uniform(1, SHORT_SECONDS))
        self._members.boot(host)
        if host in self._members.apis:
            wait_until(lambda: is_ready(host), host.name)

    def _cut(self, host: Host, seconds: float) -> None:
        if host is self._members.replica and self._has_failed_over:
            return  # It is the primary now.
        host.cut()
        time.sleep(seconds)
        host.heal()

    def _spoil(self, host: Host, spoil: Callable[[Host], None]) -> None:
        spoil(host)
        time.sleep(SHORT_SECONDS)
        host.heal()

    def _fail_over(self) -> None:
        began = time.monotonic()
        self._members.fail_over()
        self._has_failed_over = True
        wait_until(lambda: all(is_ready(one) for one in self._members.apis), "the API hosts")
        self.failover_seconds = time.monotonic() - began
