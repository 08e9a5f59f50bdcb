"""Chunks as the tests of the answers need them."""

from indexing.types import Chunk


def chunk(number: int, content: str = "", page: int = 1) -> Chunk:
    return Chunk(f"ds_1_{number}", "ds_1", "lease.pdf", page, content or f"Clause {number}.")
