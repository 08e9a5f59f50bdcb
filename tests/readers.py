"""The processes that read documents at this moment, for tests that look at them or stop them."""

import ctypes
import re
import sys
from pathlib import Path

import psutil


def readers() -> list[psutil.Process]:
    """Return the readers of this process that have a document, but not what converts it."""
    family = psutil.Process().children(recursive=True)
    return [process for process in family if has_order(process.pid) and _is_fork(process)]


def has_order(pid: int) -> bool:
    """Tell whether a process below a worker was given a document: its time is limited with it.

    Its bans do not say so. They are tried on another process before there is a reader.
    """
    limits = _text(f"/proc/{pid}/limits")
    return re.search(r"Max cpu time +\d", limits) is not None


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
    return "Seccomp:\t2" in _text(f"/proc/{pid}/status")


def _text(path: str) -> str:
    """Return what the system says of a process, "" when that has ended."""
    try:
        return Path(path).read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
