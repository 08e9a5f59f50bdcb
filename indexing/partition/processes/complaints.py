"""Hear what libraries say of a file, which they write to where errors go, and nowhere else."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass

_OUTPUT, _ERRORS = 1, 2
_MOST_BYTES = 1 << 16
"""As much as a pipe holds; what is said beyond is lost, and nobody waits for it."""


@dataclass(slots=True)
class Complaints:
    """The lines that were said, once their context is left."""

    lines: tuple[bytes, ...] = ()


@contextlib.contextmanager
def heard() -> Iterator[Complaints]:
    """Keep what is written to where errors go, by this process and for the context."""
    complaints = Complaints()
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    os.set_blocking(theirs, False)
    before = os.dup(_ERRORS)
    os.dup2(theirs, _ERRORS)
    try:
        yield complaints
    finally:
        os.dup2(before, _ERRORS)
        with contextlib.suppress(BlockingIOError):  # Nothing was said.
            complaints.lines = tuple(os.read(ours, _MOST_BYTES).splitlines())
        for descriptor in (ours, theirs, before):
            os.close(descriptor)


def unheard() -> None:
    """Let nothing more be seen of what this process says where errors and output go."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (_OUTPUT, _ERRORS):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
