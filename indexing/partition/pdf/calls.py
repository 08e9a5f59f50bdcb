"""Call functions of PDFium thousands of times for a page.

As pypdfium2 has them, each call makes its arguments anew and lets other threads run. Without both
it takes a fraction of the time.
"""

import ctypes
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
from pypdfium2 import raw as pdfium

AT_ONCE = 2048
"""PDFium is asked of so many things in one go."""


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


class Answers:
    """Where functions of PDFium write some numbers of each of many things.

    To make the room and the pointers into it anew for each page takes a third as long as the calls,
    and no two pages are read at once in a process, for PDFium is not made for threads.
    """

    def __init__(
        self, kind: type, numbers: int, *, unknown: float = 0, is_one_target: bool = False
    ) -> None:
        """Make room for so many numbers of a kind, each with a pointer of its own but in a struct.

        `unknown` stands where a function writes nothing.
        """
        self._unknown = unknown
        self._room: npt.NDArray[Any] = np.full((AT_ONCE, numbers), unknown, kind)
        size = self._room.itemsize
        firsts = range(0, size if is_one_target else numbers * size, size)
        self._targets = [_pointers_into(self._room, numbers * size, first) for first in firsts]

    def of(
        self, get: Callable[..., object], things: Sequence[Any], *holders: object
    ) -> npt.NDArray[np.float64]:
        """Return a row of what the function says of each thing, which it is given after holders.

        All first numbers lie behind each other, then all second ones, and so on: that is what numpy
        computes with fastest.
        """
        said = np.empty((len(things), self._room.shape[1]), np.float64, order="F")
        for start in range(0, len(things), AT_ONCE):
            asked = things[start : start + AT_ONCE]
            self._room[: len(asked)] = self._unknown
            list(map(get, *map(repeat, holders), asked, *self._targets))
            said[start : start + len(asked)] = self._room[: len(asked)]
        return said


def _pointers_into(room: npt.NDArray[Any], step: int, start: int) -> list[Any]:
    """Return pointers into the room, so many bytes from each other."""
    first = ctypes.c_char.from_buffer(room.data)
    return [ctypes.byref(first, place) for place in range(start, room.nbytes, step)]
