"""Postings as they are stored: for a term, the chunks of a segment that have it.

A segment numbers its chunks from 0; which chunks of which data source they are, its spans say. Each
posting carries the length of its chunk, so that scoring needs nothing but the terms of the query.
"""

import struct
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
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


MOST_TERMS = 400_000
"""Of a segment as it is packed. An ordinary one has fewer; a table of numbers has a million terms
in some thousand chunks, and they take a hundred megabytes as they are counted.
"""

TERMS_AT_ONCE = 20_000
"""Of a segment, in one statement: to make that of a million keeps all others in the process waiting
for seconds.
"""


@dataclass(frozen=True, slots=True)
class TermPostings:
    """The postings of some terms, as they are sent: by term they would take ten times the room."""

    terms: str  # a line each
    sizes: "array[int]"  # bytes
    postings: bytes  # of one term after the other


@dataclass(frozen=True, slots=True)
class Segment:
    """Chunks that are stored together, and their postings."""

    language: str
    chunk_count: int
    token_count: int  # of all chunks together
    postings: Sequence[TermPostings]


def pack(texts: Iterator[str], language: str) -> Segment:
    """Count the terms of the next chunks, as many as a segment holds, and pack the counts."""
    chunk_count = token_count = 0
    # A posting is one number here, which takes a tenth of the room of a tuple. Most terms have one.
    found: dict[str, int | array[int]] = {}
    for chunk, text in enumerate(islice(texts, LARGEST_SEGMENT)):
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
        chunk_count += 1
        if len(found) >= MOST_TERMS:
            break
    # In the order of the index, which then grows at one place after the other. What is packed is
    # held no longer.
    packed = ((term, _packed(found.pop(term))) for term in sorted(found))
    return Segment(language, chunk_count, token_count, in_pieces(packed))


def in_pieces(postings: Iterable[tuple[str, bytes]]) -> list[TermPostings]:
    """Return the postings of terms as they are sent, in their order."""
    left = iter(postings)
    pieces = []
    while some := list(islice(left, TERMS_AT_ONCE)):
        terms, packed = zip(*some, strict=True)
        sizes = array("i", map(len, packed))
        pieces.append(TermPostings("\n".join(terms), sizes, b"".join(packed)))
    return pieces


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
