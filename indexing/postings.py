"""Postings as they are stored: for a term, the chunks of a segment that have it.

A segment numbers its chunks from 0; which chunks of which data source they are, its spans say. Each
posting carries the length of its chunk, so that scoring needs nothing but the terms of the query.
"""

import struct
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexing.terms import terms

# Little-endian and unpadded: it lies on disk so.
POSTING = np.dtype([("chunk", "<u2"), ("frequency", "u1"), ("length", "<u2")])
_ONE = struct.Struct("<HBH")  # the same
LARGEST_SEGMENT = int(np.iinfo(POSTING["chunk"]).max) + 1

HIGHEST_FREQUENCY = int(np.iinfo(POSTING["frequency"]).max)
GREATEST_LENGTH = int(np.iinfo(POSTING["length"]).max)


@dataclass(frozen=True, slots=True)
class Segment:
    """Chunks that are stored together, and their postings by term."""

    language: str
    chunk_count: int
    token_count: int  # of all chunks together
    postings: dict[str, bytes]


def pack(texts: Sequence[str], language: str) -> Segment:
    """Count the terms of chunks and pack the counts by term."""
    token_count = 0
    # A posting is one number here, which takes a tenth of the room of a tuple. Most terms have one.
    found: dict[str, int | array[int]] = {}
    for chunk, text in enumerate(texts):
        frequencies = Counter(terms(text, language))
        length = min(frequencies.total(), GREATEST_LENGTH)
        token_count += length
        for term, frequency in frequencies.items():
            number = chunk << 32 | min(frequency, HIGHEST_FREQUENCY) << 16 | length
            before = found.setdefault(term, number)
            if isinstance(before, array):
                before.append(number)
            elif before != number:
                found[term] = array("Q", (before, number))
    # In the order of the index, which then grows at one place after the other. What is packed is
    # held no longer: a table of millions of numbers has as many terms.
    packed = {term: _packed(found.pop(term)) for term in sorted(found)}
    return Segment(language, len(texts), token_count, packed)


def _packed(numbers: "int | array[int]") -> bytes:
    if isinstance(numbers, int):
        return _ONE.pack(numbers >> 32, numbers >> 16 & 0xFFFF, numbers & 0xFFFF)
    given = np.frombuffer(numbers, np.uint64)
    postings = np.empty(len(given), POSTING)
    postings["chunk"] = given >> 32
    postings["frequency"] = given >> 16 & 0xFFFF
    postings["length"] = given & 0xFFFF
    return postings.tobytes()


def remove(packed: Sequence[bytes], start: int, stop: int) -> dict[int, bytes]:
    """Return what is left of those that have chunks from `start` to before `stop`, by place."""
    postings = _unpacked(packed)
    owners = np.repeat(np.arange(len(packed)), _sizes(packed))
    is_gone = (postings["chunk"] >= start) & (postings["chunk"] < stop)
    left: dict[int, bytes] = {}
    for place in np.unique(owners[is_gone]).tolist():
        one = np.frombuffer(packed[place], POSTING)
        left[place] = one[(one["chunk"] < start) | (one["chunk"] >= stop)].tobytes()
    return left


def renumber(
    packed: Sequence[bytes], bases: NDArray[np.int64], numbers: NDArray[np.int64]
) -> list[bytes]:
    """Return the same postings with new chunk numbers: `numbers` has them from each one's base."""
    postings = _unpacked(packed).copy()
    sizes = _sizes(packed)
    postings["chunk"] = numbers[np.repeat(bases, sizes) + postings["chunk"]]
    whole = postings.tobytes()
    ends = (np.cumsum(sizes) * POSTING.itemsize).tolist()
    return [whole[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _unpacked(packed: Sequence[bytes]) -> NDArray[Any]:
    return np.frombuffer(b"".join(packed), POSTING)


def _sizes(packed: Sequence[bytes]) -> NDArray[np.int64]:
    return np.fromiter(map(len, packed), np.int64, len(packed)) // POSTING.itemsize
