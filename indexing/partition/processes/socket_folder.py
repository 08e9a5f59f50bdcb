"""Imported by the process that readers are forked from: it removes the folder of its socket.

Who started it does so at its own end, unless it is killed; then this process ends, and it alone
knows the folder.
"""

import atexit
import os
import re
import shutil
import socket
import sys
from pathlib import Path

# As multiprocessing starts it: with the number of the socket at which it waits for orders.
_STARTED_BY = re.compile(r"\bfrom multiprocessing\.forkserver import main; main\((\d+), ")
_FOLDER = "pymp-"


def socket_folder(words: list[str]) -> Path | None:
    """Return the folder made for the socket of a process that was started with these words."""
    started = _STARTED_BY.search(" ".join(words))
    if started is None:
        return None
    with socket.socket(fileno=os.dup(int(started[1]))) as listener:
        folder = Path(os.fsdecode(listener.getsockname())).parent
    return folder if folder.name.startswith(_FOLDER) else None


if folder := socket_folder(sys.orig_argv):
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
