import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.data_dir_lock import DataDirInUse, acquire

HOLD_AND_FORK = """
import os, sys, time
from pathlib import Path
from app.data_dir_lock import acquire

lock = acquire(Path(sys.argv[1]))
if os.fork() == 0:
    print("held", flush=True)
time.sleep(30)
"""


def test_second_holder_is_told_who_holds_the_directory(tmp_path: Path) -> None:
    with acquire(tmp_path), pytest.raises(DataDirInUse) as error:
        acquire(tmp_path)

    assert str(error.value).startswith(
        f"The data directory {tmp_path} is in use by process {os.getpid()}. Stop"
    )


def test_released_directory_can_be_locked_again(tmp_path: Path) -> None:
    acquire(tmp_path).release()

    acquire(tmp_path).release()


def test_lock_ends_with_a_killed_holder_though_its_children_live(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD_AND_FORK, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        holder.kill()
        holder.wait()

        acquire(tmp_path).release()

        os.killpg(holder.pid, 9)
