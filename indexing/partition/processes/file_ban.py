"""Take the files of the machine away from a process, and from all that it starts.

A document can ask the program that opens it to show another file as a picture. Linux can refuse a
process every file but those in given folders (Landlock). It needs no privileges, holds in
containers too, and costs some microseconds.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

# The same on all processors.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_FOR_VERSION = 1
_RULE_OF_A_PATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_FILE, _MAKE_SOCKET = 1 << 5, 1 << 9
# All that the first version knows, and to move a file into another folder, which it refuses anyway.
_EVERYTHING = {1: (1 << 13) - 1, 2: (1 << 14) - 1}
_ON_A_FILE = _EXECUTE | _WRITE | _READ

_RULE = struct.Struct("=Qi")


def ban_files(
    *,
    readable: Iterable[Path],
    writable: Iterable[Path],
    listable: Iterable[Path] = (),
    for_sockets: Iterable[Path] = (),
) -> bool:
    """Refuse this process all files but those in these folders; False where that is not possible.

    A path may be of a single file too, and one that is not there is passed over. Programs can be
    run from what is readable. Of what is listable, names are told. Where it is for sockets, these
    can be made and removed, and nothing be read.
    """
    if sys.platform != "linux":
        return False  # And nothing is asked: elsewhere these numbers are other calls.
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, 0, _ASK_FOR_VERSION)
    if version < 1:
        return False
    everything = _EVERYTHING[min(version, 2)]
    handled = struct.pack("=Q", everything)
    rules = libc.syscall(_CREATE_RULESET, handled, len(handled), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(libc, rules, path, _EXECUTE | _READ | _LIST)
        for path in writable:
            _allow(libc, rules, path, everything)
        for path in listable:
            _allow(libc, rules, path, _LIST)
        for path in for_sockets:
            _allow(libc, rules, path, _MAKE_SOCKET | _REMOVE_FILE)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        refusal: int = libc.syscall(_RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)
    return refusal == 0


def _allow(libc: ctypes.CDLL, rules: int, path: Path, access: int) -> None:
    try:
        there = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        rule = _RULE.pack(access if path.is_dir() else access & _ON_A_FILE, there)
        libc.syscall(_ADD_RULE, rules, _RULE_OF_A_PATH, rule, 0)
    finally:
        os.close(there)
