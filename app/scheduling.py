"""Let the system give a worker and its readers the processor for longer, and less often.

They are more than there are processors. Each finds its caches full of what another one reads,
whenever it is its turn: with turns ten times as long, some tenth less of the processor is used.
Who answers questions is not kept waiting, for a process with short turns is let in between.
"""

import ctypes
import os
import platform
import struct
import sys

SLICE_SECONDS = 0.02
"""How long a turn may take; Linux gives 1 to 4 ms by itself."""

_SCHED_SETATTR = {"x86_64": 314, "aarch64": 274}

# The C structure `sched_attr`: its size, policy, flags, nice value, priority, the slice in
# nanoseconds, and what only other policies have.
_ATTRIBUTES = struct.Struct("=IIQiIQQQII")


def take_longer_turns() -> bool:
    """Ask for longer turns for this thread, and for all threads and processes that it starts.

    Return False where that is not possible. Linux before 6.12 ignores how long they are to be.
    """
    number = _SCHED_SETATTR.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return False
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    slice_ns = int(SLICE_SECONDS * 1e9)
    size = _ATTRIBUTES.size
    attributes = _ATTRIBUTES.pack(size, os.SCHED_BATCH, 0, nice, 0, slice_ns, 0, 0, 0, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    refusal: int = libc.syscall(number, 0, attributes, 0)
    return refusal == 0
