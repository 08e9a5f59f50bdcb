"""The processes that read documents at this moment, for tests that look at them or stop them."""

import ctypes
import sys
from pathlib import Path

import psutil


def readers() -> list[psutil.Process]:
    """Return the readers of this process that have a document: one that waits has no filter.

    What they let convert documents has one too, and is no fork.
    """
    family = psutil.Process().children(recursive=True)
    return [process for process in family if has_filter(process.pid) and _is_fork(process)]


def has_landlock() -> bool:
    """Tell whether this system can refuse files to a process."""
    if sys.platform != "linux":
        return False
    create_ruleset, ask_for_version = 444, 1
    version: int = ctypes.CDLL(None).syscall(create_ruleset, None, 0, ask_for_version)
    return version > 0


def _is_fork(process: psutil.Process) -> bool:
    try:
        return any("forkserver" in word for word in process.cmdline())
    except psutil.Error:
        return False


def has_filter(pid: int) -> bool:
    """Tell whether some system calls are refused to the process."""
    try:
        return "Seccomp:\t2" in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
