import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from indexing.partition.processes.socket_folder import socket_folder

STARTS_A_FORK_SERVER = """
import multiprocessing, multiprocessing.util, sys, time
if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["indexing.partition.processes.socket_folder"])
    process = context.Process(target=len, args=("",))
    process.start()
    process.join()
    print(multiprocessing.util.get_temp_dir(), flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_the_folder_goes_when_who_started_the_readers_is_killed(
    end: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "starts.py").write_text(STARTS_A_FORK_SERVER)
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "starts.py")],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[4])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as starter:
        assert starter.stdout is not None
        folder = Path(starter.stdout.readline().strip())
        assert folder.exists()

        starter.send_signal(end)

    deadline = time.monotonic() + 30
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not folder.exists()


def test_other_processes_have_no_such_folder() -> None:
    assert socket_folder(sys.orig_argv) is None
