"""Call functions of PDFium thousands of times for a page.

As pypdfium2 has them, each call makes its arguments anew and lets other threads run. Without both
it takes a fraction of the time.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy.typing as npt
from pypdfium2 import raw as pdfium


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


def targets_in(room: npt.NDArray[Any], step: int, start: int = 0) -> list[Any]:
    """Return pointers into the room, so many bytes from each other."""
    first = ctypes.c_char.from_buffer(room.data)
    return [ctypes.byref(first, place) for place in range(start, room.nbytes, step)]
