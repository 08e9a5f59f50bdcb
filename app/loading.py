"""How a process loads its libraries, which is most of its start."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load without looking for garbage, and never look for it in what is there by then.

    What is loaded stays, and to look through it again and again takes up to a third of the time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
