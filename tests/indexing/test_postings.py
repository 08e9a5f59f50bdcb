import tracemalloc

import numpy as np

from indexing.postings import POSTING, pack, remove, renumber


def unpacked(postings: bytes) -> list[tuple[int, int, int]]:
    return [tuple(one) for one in np.frombuffer(postings, POSTING).tolist()]


def packed(*chunks: int) -> bytes:
    return np.array([(chunk, 1, 9) for chunk in chunks], POSTING).tobytes()


def chunks_of(postings: bytes) -> list[int]:
    return [chunk for chunk, _, _ in unpacked(postings)]


def test_chunks_are_packed_by_term() -> None:
    segment = pack(["rent and rent", "", "the rent of pets"], "english")

    assert (segment.chunk_count, segment.token_count) == (3, 4)
    assert list(segment.postings) == ["pet", "rent"]
    assert unpacked(segment.postings["rent"]) == [(0, 2, 2), (2, 1, 2)]


def test_counts_beyond_their_bounds_stay_at_them() -> None:
    segment = pack(["rent " * 70_000], "english")

    assert unpacked(segment.postings["rent"]) == [(0, 255, 65_535)]
    assert segment.token_count == 65_535


def test_a_table_of_nothing_but_numbers_is_packed_in_little_more_than_it_takes() -> None:
    texts = [" ".join(str(chunk * 100 + n) for n in range(100)) for chunk in range(300)]
    pack(texts[:1], "english")
    tracemalloc.start()

    segment = pack(texts, "english")

    left, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(segment.postings) == 30_000
    assert most < 1.35 * left


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
