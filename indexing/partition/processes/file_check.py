"""Let a program of its own say in a word what an uploaded file is, before it is accepted.

The file comes straight from outside, and what opens it may be written in C, or take gigabytes: it
must not take down the process that received it.
"""

import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from indexing.partition.processes.confinement import confine

MEMORY_BYTES = 1 << 30
CPU_SECONDS = 20
SECONDS = 30

TOO_MUCH = "too much"
"""What is said of a file that takes more than this to open, whatever else is wrong with it."""

# So end those over their time, and libraries that are given no more memory.
_OVER_LIMITS = (-signal.SIGXCPU, -signal.SIGKILL, -signal.SIGABRT)


def say(
    check: Callable[[Path], str],
    memory_bytes: int = MEMORY_BYTES,
    cpu_seconds: int = CPU_SECONDS,
) -> None:
    """Print what the check says of the file that this program was given, within limits."""
    document = Path(sys.argv[1])
    confine(document)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    try:
        said = check(document)
    except MemoryError:
        said = TOO_MUCH
    sys.stdout.write(said)


def ask(program: str, path: Path) -> str:
    """Let a program of its own open the file; "" is what one says that died of it."""
    # -P: a folder of the same name where the service was started must not be taken for ours.
    command = [sys.executable, "-P", "-m", program, str(path)]
    try:
        checked = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return TOO_MUCH
    return TOO_MUCH if checked.returncode in _OVER_LIMITS else checked.stdout.decode()
