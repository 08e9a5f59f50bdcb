"""Hosts on one machine: network namespaces on a bridge, with links that can be bad, slow or cut.

All that is made here begins with `PREFIX`, so that whatever a killed run has left is found and
removed by the next one.
"""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

PREFIX = "kecl"
BRIDGE = f"{PREFIX}0"
NETWORK = "10.251.77"

LOSS = 0.03
"""Share of the packets that a bad link loses, in each direction of the host's own."""

RATE = "1mbit"
"""What a slow link lets through; more waits in its queue, up to `QUEUE`."""

QUEUE = "300ms"

# The drawing of a random number in a classic BPF program; what is below the threshold is dropped.
_RANDOM = 0xFFFFF000 + 56
_DROP, _PASS = 2, 0


@dataclass
class Host:
    """A namespace with an address, and what runs in it."""

    name: str
    number: int
    log_dir: Path
    is_up: bool = True
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def namespace(self) -> str:
        return f"{PREFIX}-{self.name}"

    @property
    def address(self) -> str:
        return f"{NETWORK}.{self.number}"

    @property
    def port(self) -> str:
        """The bridge's end of its cable."""
        return f"{PREFIX}-p{self.number}"

    def run(
        self,
        command: Sequence[str | Path],
        environment: Mapping[str, str] | None = None,
        name: str = "main",
    ) -> None:
        """Start a program on the host; its output is appended to the host's log."""
        with (self.log_dir / f"{self.name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill all that runs on the host at once, as a power failure does."""
        for pid in _pids(self.namespace):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self.processes.values():
            process.wait()

    def cut(self) -> None:
        """Pull the cable: nothing gets through, and nobody is told."""
        _ip("link", "set", self.port, "down")

    def make_lossy(self) -> None:
        """Let packets get lost on the way from the host."""
        if has_netem():
            self._tc("qdisc", "add", "dev", "eth0", "root", "netem", "loss", f"{100 * LOSS}%")
            return
        threshold = int(LOSS * 2**32)
        # Load a random number; pass on if it is at least the threshold, else drop.
        program = f"4,32 0 0 {_RANDOM},53 0 1 {threshold},6 0 0 {_PASS},6 0 0 {_DROP}"
        self._tc("qdisc", "add", "dev", "eth0", "clsact")
        self._tc("filter", "add", "dev", "eth0", "egress", "bpf", "da", "bytecode", program)

    def make_slow(self) -> None:
        """Delay what the host sends: by a fixed time, or where the kernel cannot, in a queue."""
        delay = ["netem", "delay", "40ms", "10ms"]
        queue = ["tbf", "rate", RATE, "burst", "16kb", "latency", QUEUE]
        self._tc("qdisc", "add", "dev", "eth0", "root", *(delay if has_netem() else queue))

    def heal(self) -> None:
        """Make the link whole again."""
        _ip("link", "set", self.port, "up")
        for discipline in ("clsact", "root"):
            with suppress(subprocess.CalledProcessError):
                self._tc("qdisc", "del", "dev", "eth0", discipline)

    def take_address(self, address: str) -> None:
        """Answer to a further address from now on; the others are told."""
        _ip("-n", self.namespace, "addr", "add", f"{address}/24", "dev", "eth0")
        _ip("neigh", "flush", "dev", BRIDGE)
        for namespace in namespaces():
            _ip("-n", namespace, "neigh", "flush", "dev", "eth0")

    def drop_address(self, address: str) -> None:
        """Answer to it no more."""
        _ip("-n", self.namespace, "addr", "del", f"{address}/24", "dev", "eth0")

    def _tc(self, *arguments: str) -> None:
        subprocess.run(["tc", "-n", self.namespace, *arguments], check=True, capture_output=True)


@contextmanager
def network(log_dir: Path, names: Sequence[str]) -> Iterator[dict[str, Host]]:
    """Make the hosts, numbered from 11 in their order, and remove them and all that runs there."""
    clean_up()
    try:
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        hosts = {name: Host(name, 11 + at, log_dir) for at, name in enumerate(names)}
        for host in hosts.values():
            _connect(host)
        yield hosts
    finally:
        clean_up()


def clean_up() -> None:
    """Remove the namespaces of this and of any earlier run, and kill what runs in them."""
    for namespace in namespaces():
        while pids := _pids(namespace):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            _reap(pids)
        _ip("netns", "del", namespace)
    # The kernel takes its time to remove a namespace; its cable must not stay as long.
    for link in Path("/sys/class/net").glob(f"{PREFIX}*"):
        with suppress(subprocess.CalledProcessError):
            _ip("link", "del", link.name)


def namespaces() -> list[str]:
    """Return the namespaces that are ours."""
    listed = _ip("netns", "list").splitlines()
    return [line.split()[0] for line in listed if line.startswith(f"{PREFIX}-")]


def has_netem() -> bool:
    """Tell whether the kernel can delay packets; without it a narrow link has to do."""
    tried = subprocess.run(
        ["tc", "qdisc", "add", "dev", BRIDGE, "root", "netem", "delay", "1ms"],
        capture_output=True,
        check=False,
    )
    if tried.returncode == 0:
        subprocess.run(["tc", "qdisc", "del", "dev", BRIDGE, "root"], check=True)
    return tried.returncode == 0


def _connect(host: Host) -> None:
    _ip("netns", "add", host.namespace)
    inside = ("eth0", "netns", host.namespace)
    _ip("link", "add", host.port, "type", "veth", "peer", "name", *inside)
    _ip("link", "set", host.port, "master", BRIDGE, "up")
    for step in (
        ("link", "set", "lo", "up"),
        ("addr", "add", f"{host.address}/24", "dev", "eth0"),
        ("link", "set", "eth0", "up"),
    ):
        _ip("-n", host.namespace, *step)


def _pids(namespace: str) -> list[int]:
    return [int(pid) for pid in _ip("netns", "pids", namespace).split()]


def _reap(pids: Sequence[int]) -> None:
    """Take leave of our own children among them, which else would stay as zombies."""
    time.sleep(0.05)
    for pid in pids:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout
