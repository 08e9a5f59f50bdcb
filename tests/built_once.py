"""What takes seconds to make, made by the first process of a run of tests that needs it."""

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

RUN = "TESTS_RUN_FOLDER"
"""Set by the process that starts the others, which have its environment."""


def begin_run() -> None:
    """Make the folder of the run, unless this is one of its further processes."""
    if RUN not in os.environ:
        folder = Path(tempfile.mkdtemp(prefix="ke-test-run-", dir="/tmp"))
        folder.chmod(0o711)  # The account that the database's server runs as has to get through.
        os.environ[RUN] = str(folder)
        atexit.register(shutil.rmtree, folder)


def built_once(name: str, build: Callable[[Path], None]) -> Path:
    """Return the folder that `build` has filled, here or in another process of the run."""
    folder = Path(os.environ[RUN]) / name
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            begun = Path(tempfile.mkdtemp(dir=folder.parent))
            build(begun)
            begun.rename(folder)
    return folder
