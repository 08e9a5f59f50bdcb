import os
import platform
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]

TRY = """
import socket, subprocess, sys
from indexing.partition.processes.socket_ban import ban_sockets

TRY_PORT = '''
import socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    print("connected")
except PermissionError:
    print("refused")
'''

def attempt(family, kind):
    try:
        socket.socket(family, kind).close()
        return "opened"
    except PermissionError:
        return "refused"

ours, theirs = socket.socketpair()
port, keeps_local = sys.argv[1], sys.argv[2] == "local"
assert ban_sockets(keep_local=keeps_local)
print(attempt(socket.AF_INET, socket.SOCK_STREAM))
print(attempt(socket.AF_INET6, socket.SOCK_DGRAM))
print(attempt(socket.AF_NETLINK, socket.SOCK_RAW))
print(attempt(socket.AF_UNIX, socket.SOCK_STREAM))
ours.sendall(b"still heard")
print(theirs.recv(100).decode(), flush=True)
subprocess.run([sys.executable, "-c", TRY_PORT, port], check=True)
"""

can_ban = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"),
    reason="only Linux bans sockets",
)


@can_ban
@pytest.mark.parametrize(("keeps", "local"), [("nothing", "refused"), ("local", "opened")])
def test_no_socket_is_opened_and_open_ones_go_on(port: int, keeps: str, local: str) -> None:
    said = said_by_banned(port, keeps)

    assert said[:3] == ["refused"] * 3
    assert said[3:5] == [local, "still heard"]


@can_ban
def test_what_a_banned_process_starts_is_banned_too(port: int) -> None:
    said = said_by_banned(port, "local")

    assert said[-1] == "refused"
    socket.create_connection(("127.0.0.1", port)).close()  # here it is not refused


def said_by_banned(port: int, keeps: str) -> list[str]:
    """Return what a process says that bans sockets and then tries to open some."""
    program = subprocess.run(
        [sys.executable, "-c", TRY, str(port), keeps],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return program.stdout.splitlines()


@pytest.fixture
def port() -> Iterator[int]:
    """A port of this machine that takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        number: int = server.getsockname()[1]
        yield number
