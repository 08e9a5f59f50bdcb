"""How likely a value that a model gave is the right one."""

import json
import math
from dataclasses import replace
from importlib.resources import files

import pytest

from extraction.confidence import (
    UNGROUNDED,
    Calibration,
    Signals,
    calibrated,
    confidence,
    signs,
    stored_calibration,
)
from extraction.grounding import Grounding, GroundingKind
from extraction.second_opinion import Opinion
from extraction.types import FieldType

GROUNDED = Grounding(60.3, GroundingKind.EXACT, 1.0, (), nearness=0.9)
SURE = Signals(FieldType.CURRENCY, GROUNDED, Opinion(0.95, 0.02))


def test_a_value_that_everything_speaks_for_is_sure() -> None:
    assert confidence(SURE) > 0.9


@pytest.mark.parametrize(
    "doubtful",
    [
        pytest.param(replace(SURE, opinion=Opinion(0.02, 0.95)), id="another one is preferred"),
        pytest.param(replace(SURE, opinion=Opinion(0.0, 0.5)), id="it is no candidate"),
        pytest.param(replace(SURE, agreement=0.5), id="half of the windows say otherwise"),
        pytest.param(replace(SURE, log_probability=math.log(0.4)), id="the model hesitated"),
    ],
)
def test_what_speaks_against_a_value_makes_it_less_sure(doubtful: Signals) -> None:
    assert confidence(doubtful) < confidence(SURE) - 0.2


def test_a_value_that_stands_on_no_page_is_never_surer_than_the_limit() -> None:
    nowhere = Grounding("said in other words", GroundingKind.NONE)

    assert confidence(replace(SURE, grounding=nowhere)) <= UNGROUNDED == 0.3


def test_a_field_without_a_value_has_no_confidence() -> None:
    assert confidence(replace(SURE, grounding=Grounding(None, GroundingKind.NONE))) == 0


@pytest.mark.parametrize(
    ("certainty", "limit"),
    [pytest.param(math.log(0.4), 0.4, id="hesitant"), pytest.param(0.0, 1.0, id="certain")],
)
def test_no_value_is_surer_than_the_model_was(certainty: float, limit: float) -> None:
    assert confidence(replace(SURE, log_probability=certainty)) <= limit


@pytest.mark.parametrize("kind", FieldType)
def test_every_type_has_a_confidence_between_0_and_1(kind: FieldType) -> None:
    assert 0 <= confidence(replace(SURE, type=kind)) <= 1


@pytest.mark.parametrize(
    ("sign", "share"),
    [
        pytest.param(-5.0, 0.1, id="below all"),
        pytest.param(-1.0, 0.1, id="the first"),
        pytest.param(0.0, 0.5, id="between"),
        pytest.param(1.0, 0.9, id="the last"),
        pytest.param(5.0, 0.9, id="above all"),
    ],
)
def test_shares_are_interpolated(sign: float, share: float) -> None:
    calibration = Calibration(0.0, {"sign": 1.0}, (-1.0, 1.0), (0.1, 0.9))

    assert calibrated({"sign": sign}, calibration) == pytest.approx(share)


def test_the_stored_calibration_weighs_every_sign_and_never_turns_around() -> None:
    stored = stored_calibration()

    assert stored.weights.keys() == signs(SURE).keys()
    assert list(stored.logits) == sorted(stored.logits)
    assert list(stored.shares) == sorted(stored.shares)


def test_the_stored_calibration_says_how_it_was_fitted() -> None:
    stored = json.loads((files("extraction") / "calibration.json").read_text("utf-8"))

    assert stored["fitted"].keys() == {"on", "by", "data", "values", "right"}
