"""Take the network away from a process, and from all that it starts, for as long as they live.

A filter of Linux (seccomp) refuses to open sockets. It needs no privileges, holds in containers
too, where a network namespace of one's own is refused, and costs some microseconds. Sockets that
are open already go on working: by them a reader talks with the process that started it.
"""

import ctypes
import errno
import platform
import socket
import struct
import sys
from dataclasses import dataclass

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2

_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EACCES

# What the kernel hands to a filter: the call's number, the processor, and the lower half of the
# call's first argument, each at its offset.
_NUMBER, _PROCESSOR, _FIRST_ARGUMENT = 0, 4, 16
# Above this begin the calls of x32, an old way to say the same things in other numbers.
_LAST_NUMBER = 0x3FFFFFFF

_LOAD = 0x20  # load a word
_EQUAL, _GREATER = 0x15, 0x25  # skip so many instructions if it is, so many if it is not
_RETURN = 0x06

_INSTRUCTION = struct.Struct("=HBBI")


@dataclass(frozen=True, slots=True)
class _Calls:
    """The numbers of system calls on a kind of processor."""

    processor: int
    socket: int
    # Ways around: a queue that opens sockets too, and what borrows them from another process.
    others: tuple[int, ...]


_CALLS: dict[str, _Calls] = {
    # io_uring_setup, pidfd_getfd, ptrace, process_vm_readv, process_vm_writev
    "x86_64": _Calls(0xC000003E, 41, (425, 438, 101, 310, 311)),
    "aarch64": _Calls(0xC00000B7, 198, (425, 438, 117, 270, 271)),
}


def ban_sockets(*, keep_local: bool = False) -> bool:
    """Refuse this process every new socket; return False where that is not possible.

    With `keep_local`, sockets within the machine (`AF_UNIX`) may still be opened.
    """
    calls = _CALLS.get(platform.machine())
    if sys.platform != "linux" or calls is None or struct.calcsize("P") != 8:
        return False
    code = b"".join(_filter(calls, keep_local=keep_local))
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // _INSTRUCTION.size, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    # Who can no longer gain privileges may set a filter without having any.
    refusal: int = libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0
    )
    return refusal == 0


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def _filter(calls: _Calls, *, keep_local: bool) -> list[bytes]:
    """Return the instructions; each jump says how many of them to skip."""
    allowed_family = [
        _instruction(_LOAD, value=_FIRST_ARGUMENT),
        _instruction(_EQUAL, 0, 1, socket.AF_UNIX),
        _instruction(_RETURN, value=_ALLOW),
    ]
    return [
        _instruction(_LOAD, value=_PROCESSOR),
        *_refuse_unless_equal(calls.processor),
        _instruction(_LOAD, value=_NUMBER),
        _instruction(_GREATER, 0, 1, _LAST_NUMBER),
        _instruction(_RETURN, value=_REFUSE),
        *(one for number in calls.others for one in _refuse_if_equal(number)),
        _instruction(_EQUAL, 1, 0, calls.socket),
        _instruction(_RETURN, value=_ALLOW),
        *(allowed_family if keep_local else []),
        _instruction(_RETURN, value=_REFUSE),
    ]


def _refuse_unless_equal(value: int) -> list[bytes]:
    return [_instruction(_EQUAL, 1, 0, value), _instruction(_RETURN, value=_REFUSE)]


def _refuse_if_equal(value: int) -> list[bytes]:
    return [_instruction(_EQUAL, 0, 1, value), _instruction(_RETURN, value=_REFUSE)]


def _instruction(code: int, if_true: int = 0, if_false: int = 0, value: int = 0) -> bytes:
    return _INSTRUCTION.pack(code, if_true, if_false, value)
