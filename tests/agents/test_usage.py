import json

import pytest

from agents.usage import Purpose, Usage


def test_steps_are_summed() -> None:
    usage = Usage()
    with usage.step(Purpose.RETRIEVE):
        pass
    with usage.step(Purpose.ANSWER, "delta-4.1") as step:
        step.prompt_tokens, step.completion_tokens, step.price_usd = 100, 20, 0.5

    stored = usage.to_json()

    assert (stored["prompt_tokens"], stored["completion_tokens"]) == (100, 20)
    assert stored["price_usd"] == 0.5
    assert [step["purpose"] for step in stored["steps"]] == ["retrieve", "answer"]
    assert json.loads(json.dumps(stored)) == stored


def test_price_of_the_whole_is_unknown_where_that_of_a_step_is() -> None:
    usage = Usage()
    for price in (0.5, None):
        with usage.step(Purpose.ANSWER, "delta-4.1") as step:
            step.price_usd = price

    assert usage.to_json()["price_usd"] is None


def test_estimate_of_a_step_makes_the_whole_an_estimate() -> None:
    usage = Usage()
    for is_estimated in (True, False):
        with usage.step(Purpose.ANSWER, "delta-4.1") as step:
            step.is_estimated = is_estimated

    assert usage.to_json()["tokens_estimated"] is True


def test_step_that_fails_is_kept_with_its_time() -> None:
    usage = Usage()

    with pytest.raises(ValueError, match="no"), usage.step(Purpose.RETRIEVE):
        raise ValueError("no")

    assert usage.steps[0].seconds > 0


def test_model_that_spoke_is_the_one_that_answered() -> None:
    usage = Usage()
    with usage.step(Purpose.ANSWER, "delta-4.1"):
        pass
    assert usage.answered_by == ""

    with usage.step(Purpose.ANSWER, "gamma-2.5") as step:
        step.note_first_word()
    with usage.step(Purpose.JUDGE, "delta-4.1") as step:
        step.note_first_word()

    assert usage.answered_by == "gamma-2.5"
