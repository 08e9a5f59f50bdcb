import tracemalloc

import numpy as np

from indexing.postings import MOST_TERMS, POSTING, Segment, in_pieces, pack, remove, renumber


def unpacked(postings: bytes) -> list[tuple[int, int, int]]:
    return [tuple(one) for one in np.frombuffer(postings, POSTING).tolist()]


def packed(*chunks: int) -> bytes:
    return np.array([(chunk, 1, 9) for chunk in chunks], POSTING).tobytes()


def chunks_of(postings: bytes) -> list[int]:
    return [chunk for chunk, _, _ in unpacked(postings)]


def by_term(segment: Segment) -> dict[str, bytes]:
    found = {}
    for piece in segment.postings:
        ends = np.cumsum(piece.sizes).tolist()
        for term, start, end in zip(piece.terms.split("\n"), [0, *ends], ends, strict=False):
            found[term] = piece.postings[start:end]
    return found


def test_chunks_are_packed_by_term() -> None:
    segment = pack(iter(["rent and rent", "", "the rent of pets"]), "english")

    assert (segment.chunk_count, segment.token_count) == (3, 4)
    assert list(by_term(segment)) == ["pet", "rent"]
    assert unpacked(by_term(segment)["rent"]) == [(0, 2, 2), (2, 1, 2)]


def test_counts_beyond_their_bounds_stay_at_them() -> None:
    segment = pack(iter(["rent " * 70_000]), "english")

    assert unpacked(by_term(segment)["rent"]) == [(0, 255, 65_535)]
    assert segment.token_count == 65_535


def test_a_segment_ends_when_it_has_as_many_terms_as_are_counted_at_once() -> None:
    texts = (" ".join(str(chunk * 1000 + n) for n in range(1000)) for chunk in range(1000))

    first, second = pack(texts, "english"), pack(texts, "english")

    assert (first.chunk_count, second.chunk_count) == (MOST_TERMS // 1000, MOST_TERMS // 1000)
    assert next(texts).startswith(f"{2 * MOST_TERMS} ")


def test_a_table_of_nothing_but_numbers_keeps_little_more_than_its_terms() -> None:
    texts = [" ".join(str(chunk * 100 + n) for n in range(100)) for chunk in range(300)]
    pack(iter(texts), "english")  # The stems of what stands in them are kept for others.
    tracemalloc.start()

    segment = pack(iter(texts), "english")

    left, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(by_term(segment)) == 30_000
    assert left < 1.4 * 30_000 * (len("12345\n") + 4 + POSTING.itemsize)


def test_postings_go_in_pieces_of_which_none_is_empty() -> None:
    pieces = in_pieces([("rent", packed(1)), ("pet", packed(1, 2))])

    assert [(one.terms, list(one.sizes)) for one in pieces] == [("rent\npet", [5, 10])]
    assert in_pieces([]) == []


def test_removing_chunks_returns_only_what_changes() -> None:
    left = remove([packed(0, 5), packed(3, 4), packed(1, 3, 5), packed(9)], 3, 5)

    assert {at: chunks_of(postings) for at, postings in left.items()} == {1: [], 2: [1, 5]}


def test_renumbered_postings_keep_all_but_their_chunk() -> None:
    moved = renumber([packed(0, 2), packed(1)], np.array([0, 3]), np.array([7, 0, 8, 0, 9]))

    assert [chunks_of(postings) for postings in moved] == [[7, 8], [9]]
    assert unpacked(moved[1]) == [(9, 1, 9)]


def test_nothing_can_be_renumbered_and_removed() -> None:
    assert renumber([], np.array([], np.int64), np.array([], np.int64)) == []
    assert remove([], 0, 1) == {}
