"""Let a program of its own say in a word what an uploaded file is, before it is accepted.

The file comes straight from outside, and what opens it may be written in C, or take gigabytes: it
must not take down the process that received it.
"""

import resource
import sys
from collections.abc import Callable
from pathlib import Path

from indexing.partition.confinement import confine

MEMORY_BYTES = 1 << 30
CPU_SECONDS = 20


def say(check: Callable[[Path], str]) -> None:
    """Print what the check says of the file that this program was given, within limits."""
    document = Path(sys.argv[1])
    confine(document)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    sys.stdout.write(check(document))
