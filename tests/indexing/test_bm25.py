from collections import Counter

import numpy as np
import pytest

from indexing.bm25 import PLACE, RUN, Found, distinct_terms, rank
from indexing.postings import POSTING
from indexing.span_layout import COUNTS, SPAN, SpanLayouts

Span = tuple[int, int, int, int]


def in_segments(
    extents: dict[int, int], spans: list[Span], ids: list[str]
) -> dict[str, "np.ndarray[tuple[int], np.dtype[np.void]]"]:
    """English segments of chunks of ten words, as a search reads them."""
    counts = []
    for segment, extent in extents.items():
        own = [span for span in spans if span[0] == segment]
        chunks = sum(span[2] for span in own)
        counts.append((segment, segment, 1, extent, len(own), chunks, 10 * chunks))
    read = np.array(counts, COUNTS)
    return {
        "counts": read,
        "layout": SpanLayouts().layout("e1", read, {}, np.array(spans, SPAN), ids),
    }


def found(chunk_count: int, chunks: list[int], wanted: bool = True) -> Found:
    """One data source in one segment, whose chunks have the term once."""
    postings = np.array([(chunk, 1, 10) for chunk in chunks], POSTING)
    return Found(
        **in_segments({7: chunk_count}, [(7, 0, chunk_count, 100)], ["ds"]),
        runs=np.array([(1, 7, postings.nbytes)], RUN),
        postings=postings if wanted else postings[:0],
        wanted=None if wanted else np.array([], PLACE),
    )


def test_score_is_that_of_the_books() -> None:
    (place,) = rank(Counter({("rent",): 1}), found(4, [2]), 10).chunks

    assert place[:2] == ("ds", 102)
    assert place[2] == pytest.approx(np.log(1 + 3.5 / 1.5) / 2.2)


def test_said_twice_counts_twice() -> None:
    once = rank(Counter({("rent",): 1}), found(4, [2]), 10).chunks
    twice = rank(Counter({("rent",): 2}), found(4, [2]), 10).chunks

    assert twice[0][2] == pytest.approx(2 * once[0][2])


def test_many_equal_chunks_come_in_order() -> None:
    places = rank(Counter({("rent",): 1}), found(60_000, list(range(0, 60_000, 2))), 3).chunks

    assert [position for _, position, _ in places] == [100, 102, 104]


def test_span_that_is_not_wanted_is_not_found() -> None:
    assert rank(Counter({("rent",): 1}), found(4, [2], wanted=False), 10).chunks == []


def test_terms_of_a_query_are_numbered_once() -> None:
    assert distinct_terms([("die", None), ("mieten", "miet"), ("miet", "miet")]) == [
        *("die", "mieten", "miet")
    ]


def test_document_with_the_rare_word_fits_best() -> None:
    postings = np.array([(0, 1, 10), (1, 1, 10), (2, 1, 10), (2, 1, 10)], POSTING)
    three = Found(
        **in_segments({7: 3}, [(7, at, 1, 0) for at in range(3)], ["a", "b", "c"]),
        runs=np.array([(1, 7, 3 * POSTING.itemsize), (2, 7, POSTING.itemsize)], RUN),
        postings=postings,
        wanted=None,
    )

    fits = rank(Counter({("rent",): 1, ("zebra",): 1}), three, 10).fits

    assert fits["a"] == fits["b"] < fits["c"] <= 1


def in_two_segments(wanted: list[tuple[int, int, int]] | None = None) -> Found:
    """Three data sources, with room before and between them, of which these spans are wanted."""
    spans = [(7, 1, 2, 0), (7, 5, 2, 0), (9, 0, 2, 0)]
    postings = np.array([(1, 1, 10), (2, 1, 10), (5, 1, 10), (6, 1, 10), (1, 1, 10)], POSTING)
    size = POSTING.itemsize
    return Found(
        **in_segments({7: 7, 9: 2}, spans, ["a", "b", "c"]),
        runs=np.array([(1, 7, 3 * size), (2, 7, size), (2, 9, size)], RUN),
        postings=postings,
        wanted=None if wanted is None else np.array(wanted, PLACE),
    )


def test_documents_are_told_apart_wherever_their_chunks_stand() -> None:
    found = rank(Counter({("rent",): 1, ("zebra",): 1}), in_two_segments(), 10)

    assert sorted((source, position) for source, position, _ in found.chunks) == [
        *(("a", 0), ("a", 1), ("b", 0), ("b", 1), ("c", 1))
    ]
    # Two of the chunks of `a` have a word, two words are in `b`, and one chunk of `c` has one.
    assert found.fits["b"] == max(found.fits.values())
    assert found.fits["c"] == min(found.fits.values()) > 0


def test_only_wanted_spans_are_found() -> None:
    wanted = in_two_segments([(7, 5, 2), (9, 0, 2)])

    found = rank(Counter({("rent",): 1, ("zebra",): 1}), wanted, 10)

    assert {source for source, _, _ in found.chunks} == {"b", "c"}


def test_no_document_stands_out_by_a_word_that_all_have() -> None:
    (fit,) = rank(Counter({("rent",): 1}), found(4, [0, 1, 2, 3]), 10).fits.values()

    assert fit < 0.3


def test_documents_are_not_judged_where_some_are_asked_for() -> None:
    assert rank(Counter({("rent",): 1}), found(4, [2], wanted=False), 10).fits == {}
