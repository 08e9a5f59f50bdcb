from collections.abc import Sequence
from dataclasses import replace

import pytest

from indexing.fusion import DENSE_WEIGHT, DOCUMENT_WEIGHT, fuse
from indexing.lexical_search import LexicalHit, LexicalResult
from indexing.types import Chunk


@pytest.mark.parametrize(
    ("cosines", "lexical", "order"),
    [
        pytest.param([0.1, 0.9], {}, "ba", id="vectors alone"),
        pytest.param([0.5, 0.5], {"b": 2.0}, "ba", id="words decide between equals"),
        pytest.param([0.5, 0.9], {"a": 7.0, "b": 3.5}, "ba", id="both count"),
        pytest.param([0.5, 0.5], {}, "ab", id="ties by id"),
    ],
)
def test_both_legs_make_the_order(
    cosines: Sequence[float], lexical: dict[str, float], order: str
) -> None:
    chunks = [chunk(f"{name}_0", score) for name, score in zip("ab", cosines, strict=True)]

    assert (
        "".join(one.chunk_id[0] for one in fuse("rent", chunks, words_found(**lexical), 5)) == order
    )


def test_score_is_a_convex_combination() -> None:
    (first,) = fuse("rent", [chunk("a_0", 0.5)], words_found(a=3.0), 5)

    assert first.score == pytest.approx(DENSE_WEIGHT * 0.5 + (1 - DENSE_WEIGHT))


def test_document_that_fits_comes_before_its_equal() -> None:
    chunks = [replace(chunk(one, 0.5), data_source_id=one) for one in ("a", "b")]

    first, second = fuse("rent", chunks, LexicalResult(fits={"b": 0.8}), 5)

    assert first.data_source_id == "b"
    assert first.score - second.score == pytest.approx(DOCUMENT_WEIGHT * 0.8)


def test_chunk_without_a_vector_is_judged_by_its_words() -> None:
    first, _ = fuse("rent", [chunk("a_0", 0), chunk("b_0", 0.6)], words_found(a=3.0), 5)

    assert (first.chunk_id, first.score) == ("a_0", 1)


@pytest.mark.parametrize(
    ("query", "comes_first"),
    [
        pytest.param("Quarterly rent of 900", True, id="word for word"),
        pytest.param("quarterly  RENT, of 900!", True, id="whatever stands between"),
        pytest.param("rent of", False, id="too few words"),
        pytest.param("900 of rent quarterly", False, id="another order"),
        pytest.param("(quarterly rent", False, id="a bracket"),
        pytest.param("quarterly rent of 900 " * 16, False, id="too many words"),
    ],
)
def test_quoted_passage_comes_first(query: str, comes_first: bool) -> None:
    quoted = chunk("quoted", 0.1, "The quarterly rent (of 900) is due.")

    found = fuse(query, [chunk("near", 0.9), quoted], LexicalResult(), 5)

    assert (found[0].chunk_id == "quoted") is comes_first


def words_found(**scores: float) -> LexicalResult:
    """Return what keyword search found of the first chunks of data sources."""
    return LexicalResult([LexicalHit(one, 0, score) for one, score in scores.items()])


def chunk(chunk_id: str, score: float, content: str = "") -> Chunk:
    return Chunk(chunk_id, "ds", "lease.pdf", 1, content, score=score)
