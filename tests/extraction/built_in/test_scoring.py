import pytest

from extraction.built_in.scoring import (
    BY_HAND,
    NONE,
    UNMEASURED,
    Weights,
    confidence,
    probabilities,
    stored_weights,
)
from extraction.built_in.signs import NAMES

WEIGHTS = Weights({"meaning": 2.0, NONE: 1.0}, {"date": {"meaning": 1.0}}, (0.2, 0.8), (0.1, 0.9))


def test_the_likelihoods_leave_room_for_there_being_none() -> None:
    likely, unlikely = probabilities("date", [{"meaning": 1.0}, {"meaning": 0.0}], WEIGHTS)

    assert likely > unlikely > 0
    assert likely + unlikely < 1


def test_a_kind_may_have_weights_of_its_own() -> None:
    assert WEIGHTS.of("date")["meaning"] == 3.0
    assert WEIGHTS.of("url")["meaning"] == 2.0


def test_confidence_is_the_share_that_was_right() -> None:
    assert confidence("date", 0.5, WEIGHTS) == pytest.approx(0.5)
    assert confidence("date", 1.0, WEIGHTS) == pytest.approx(0.9)


def test_what_was_never_measured_is_trusted_half() -> None:
    assert confidence("url", 1.0, WEIGHTS) == UNMEASURED


def test_nothing_has_no_likelihood() -> None:
    assert len(probabilities("date", [], WEIGHTS)) == 0


def test_the_stored_weights_are_those_of_the_signs() -> None:
    weights = stored_weights()

    assert weights.common.keys() == {*NAMES, NONE}
    assert all(own.keys() <= {*NAMES, NONE} for own in (*weights.own.values(), *BY_HAND.values()))
    assert list(weights.scores) == sorted(weights.scores)
    assert list(weights.shares) == sorted(weights.shares)
    assert len(weights.scores) == len(weights.shares) > 1
