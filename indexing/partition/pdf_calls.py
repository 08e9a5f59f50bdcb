"""Call functions of PDFium thousands of times for a page.

As pypdfium2 has them, each call makes its arguments anew and lets other threads run. Without both
it takes a fraction of the time.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from pypdfium2 import raw as pdfium


def direct(name: str, result: type, *arguments: type) -> Callable[..., Any]:
    """Return the function of this name; without types of arguments, what is given goes as it is.

    That is right for pointers that are ready made, and for integers of 32 bits.
    """
    address = ctypes.cast(getattr(pdfium, name), ctypes.c_void_p).value or 0
    return ctypes.PYFUNCTYPE(result, *arguments)(address)
