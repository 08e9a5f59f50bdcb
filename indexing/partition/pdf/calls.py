"""Call functions of PDFium thousands of times for a page.

As pypdfium2 has them, each call makes its arguments anew and lets other threads run. Without both
it takes a fraction of the time, and a fraction of that where the loops are in C (`calls.c`). These
are compiled with the environment, if the system has a compiler (`scripts/compile-calls`).
"""

import ctypes
import sys
from collections.abc import Callable, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pypdfium2 import raw as pdfium

AT_ONCE = 2048
"""PDFium is asked of so many things in one go."""

COMPILED = Path(sys.prefix, "lib", "knowledge-engine", "calls.so")
"""Where the environment has the loops in C."""

_LOOPS = ctypes.PyDLL(str(COMPILED)) if COMPILED.exists() else None

Loop = Callable[..., None]

Numbers = npt.NDArray[np.int_]

Things = Sequence[int] | Numbers
"""Of letters and parts the numbers, of objects the pointers, as plain numbers."""


def direct(name: str, result: type | None, *arguments: type) -> Callable[..., Any]:
    """Return the function of this name; without types of arguments, what is given goes as it is.

    That is right for pointers that are ready made, and for integers of 32 bits. Further arguments
    may follow those with types. A result that nobody needs is best left out.
    """
    address = ctypes.cast(getattr(pdfium, name), ctypes.c_void_p).value or 0
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


def ready_made(pointer: Any) -> Any:
    """Return a pointer of PDFium's as one that calls take as it is, thousands of times."""
    return ctypes.byref(pointer.contents)


def compiled(name: str) -> Loop | None:
    """Return the loop in C of this name; None where they are not compiled."""
    if _LOOPS is None:
        return None
    loop = getattr(_LOOPS, name)
    loop.restype = None
    return loop  # type: ignore[no-any-return]


class Answers:
    """Where functions of PDFium write some numbers of each of many things.

    To make the room and the pointers into it anew for each page takes a third as long as the calls,
    and no two pages are read at once in a process, for PDFium is not made for threads.
    """

    def __init__(
        self,
        kind: type,
        numbers: int,
        *,
        unknown: float = 0,
        is_one_target: bool = False,
        loop: Loop | None = None,
    ) -> None:
        """Make room for so many numbers of a kind, each with a pointer of its own but in a struct.

        `unknown` stands where a function writes nothing. The loop in C, if there is one, takes the
        function, its holders, the things, how many these are, and where to write.
        """
        self._unknown = unknown
        self._loop = loop
        self._room: npt.NDArray[Any] = np.full((AT_ONCE, numbers), unknown, kind)
        size = self._room.itemsize
        firsts = range(0, size if is_one_target else numbers * size, size)
        self._targets = [_pointers_into(self._room, numbers * size, first) for first in firsts]
        self._asked = np.empty(AT_ONCE, np.intp)
        self._first_asked = _pointer_to(self._asked)

    def of(
        self, get: Callable[..., object], things: Things, *holders: object
    ) -> npt.NDArray[np.float64]:
        """Return a row of what the function says of each thing, which it is given after holders.

        All first numbers lie behind each other, then all second ones, and so on: that is what numpy
        computes with fastest.
        """
        said = np.empty((len(things), self._room.shape[1]), np.float64, order="F")
        for start in range(0, len(things), AT_ONCE):
            asked = things[start : start + AT_ONCE]
            self._room[: len(asked)] = self._unknown
            if self._loop is not None:
                self._asked[: len(asked)] = asked
                self._loop(get, *holders, self._first_asked, len(asked), self._targets[0][0])
            else:
                each = asked.tolist() if isinstance(asked, np.ndarray) else asked
                list(map(get, *map(repeat, holders), each, *self._targets))
            said[start : start + len(asked)] = self._room[: len(asked)]
        return said


def objects_of(
    get: Callable[..., int],
    get_type: Callable[..., int],
    holder: object,
    numbers: Numbers,
    loop: Loop | None = None,
) -> tuple[Numbers, Numbers]:
    """Return PDFium's pointers to the objects of these numbers in a holder, and their types.

    Both are 0 of what it does not have.
    """
    if loop is None or not len(numbers):
        found = [pointer or 0 for pointer in map(get, repeat(holder), numbers.tolist())]
        return np.array(found, np.intp), np.array(list(map(get_type, found)), np.intp)
    objects, types = np.empty((2, len(numbers)), np.intp)
    loop(get, get_type, holder, *map(_pointer_to, (numbers, objects, types)), len(numbers))
    return objects, types


def _pointer_to(room: npt.NDArray[Any]) -> Any:
    return ctypes.byref(ctypes.c_char.from_buffer(room.data))


def _pointers_into(room: npt.NDArray[Any], step: int, start: int) -> list[Any]:
    """Return pointers into the room, so many bytes from each other."""
    first = ctypes.c_char.from_buffer(room.data)
    return [ctypes.byref(first, place) for place in range(start, room.nbytes, step)]
