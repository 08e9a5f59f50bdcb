"""Folders for copies of documents that are worked on; none outlives its process for long."""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_LOCK = "lock"

# Longer than it takes to lock a folder that was just made.
_YOUNG_SECONDS = 10.0


@contextmanager
def work_folder(work_dir: Path, prefix: str) -> Iterator[Path]:
    """Yield a private folder, which is removed at the end, and by others should we die."""
    temporary = TemporaryDirectory(prefix=prefix, dir=work_dir)
    descriptor = os.open(Path(temporary.name, _LOCK), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with temporary as folder:
            # The kernel takes the lock back when this process dies, however it dies.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield Path(folder)
    finally:
        # Once the folder is gone, so that nobody takes it for one of the dead.
        os.close(descriptor)


def delete_folders_of_the_dead(work_dir: Path) -> int:
    """Delete the folders whose processes have died; return how many they were (blocking)."""
    left = [lock.parent for lock in work_dir.rglob(_LOCK) if _is_left(lock)]
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)
    return len(left)


def _is_left(lock: Path) -> bool:
    try:
        if time.time() - lock.stat().st_mtime < _YOUNG_SECONDS:
            return False
        descriptor = os.open(lock, os.O_RDWR)
    except FileNotFoundError:
        return False  # Its process has just ended the work.
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
