import math

import pytest

from benchmarks.measures import hit, ndcg, paired_interval, recall, reciprocal_rank

RELEVANT = {"a": 1.0, "b": 1.0}


def test_ndcg_is_one_where_all_that_is_relevant_stands_first() -> None:
    assert ndcg(["b", "a", "x"], RELEVANT, 10) == pytest.approx(1)


def test_ndcg_discounts_by_the_logarithm_of_the_rank() -> None:
    best = 1 + 1 / math.log2(3)

    assert ndcg(["x", "a", "y", "b"], RELEVANT, 3) == pytest.approx(1 / math.log2(3) / best)


def test_ndcg_asks_for_no_more_than_fit_in_its_depth() -> None:
    assert ndcg(["a"], {"a": 1.0, "b": 1.0, "c": 1.0}, 1) == pytest.approx(1)


def test_ndcg_prefers_the_more_relevant_first() -> None:
    graded = {"a": 1.0, "b": 2.0}

    assert ndcg(["b", "a"], graded, 10) == pytest.approx(1)
    assert ndcg(["a", "b"], graded, 10) < 0.95


def test_recall_is_the_share_that_was_found_in_time() -> None:
    assert recall(["a", "x", "b"], RELEVANT, 2) == 0.5
    assert recall(["a", "x", "b"], RELEVANT, 3) == 1


def test_a_hit_is_anything_relevant_in_time() -> None:
    assert hit(["x", "b"], RELEVANT, 1) == 0
    assert hit(["x", "b"], RELEVANT, 2) == 1


@pytest.mark.parametrize(
    ("ranked", "expected"),
    [
        pytest.param(["a", "b"], 1, id="first"),
        pytest.param(["x", "y", "b", "a"], 1 / 3, id="third"),
        pytest.param(["x"], 0, id="nowhere"),
        pytest.param([], 0, id="nothing found"),
    ],
)
def test_reciprocal_rank_is_of_the_first_relevant(ranked: list[str], expected: float) -> None:
    assert reciprocal_rank(ranked, RELEVANT) == pytest.approx(expected)


def test_interval_of_equal_differences_is_that_difference() -> None:
    assert paired_interval([0.5] * 20) == (0.5, 0.5)


def test_interval_holds_zero_where_gains_and_losses_balance() -> None:
    low, high = paired_interval([1.0, -1.0] * 20)

    assert low < 0 < high


def test_interval_is_about_two_standard_errors_to_each_side() -> None:
    low, high = paired_interval([1.0] * 50 + [0.0] * 50)

    assert low == pytest.approx(0.4, abs=0.02)
    assert high == pytest.approx(0.6, abs=0.02)
