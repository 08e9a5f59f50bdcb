"""One service per data directory: a lock the kernel takes back when its holder dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self


class DataDirInUse(Exception):
    """Another live process holds the data directory."""

    def __init__(self, data_dir: Path, pid: str) -> None:
        super().__init__(
            f"The data directory {data_dir} is in use by process {pid}. "
            "Stop that process first, or name another directory with --data-dir."
        )


class DataDirLock:
    """The right to write in one data directory, held until `release` or the end of the process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Give the directory free; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()


def acquire(data_dir: Path) -> DataDirLock:
    """Lock the directory for this process, or raise `DataDirInUse`."""
    data_dir = data_dir.resolve()
    # Python marks the descriptor close-on-exec, so no program started from here inherits it.
    descriptor = os.open(data_dir / "ke.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.read(descriptor, 32).decode(errors="replace").strip()
        os.close(descriptor)
        raise DataDirInUse(data_dir, holder or "unknown") from error
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    lock = DataDirLock(descriptor)
    # A forked child shares the lock and would hold it after our death, unless it closes its copy.
    os.register_at_fork(after_in_child=lock.release)
    return lock
