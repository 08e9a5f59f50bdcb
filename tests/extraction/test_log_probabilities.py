"""How sure a model was of each value."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from extraction.log_probabilities import value_log_probabilities


def test_mean_is_that_of_the_tokens_of_the_value() -> None:
    tokens = [('{"field_0": {"value": ', -9), ("12", -0.2), (".50", -0.4), (', "page": 3}}', -9)]

    assert value_log_probabilities(response(tokens)) == {0: pytest.approx(-0.3)}


def test_token_that_begins_before_the_value_counts_as_its_own() -> None:
    tokens = [('{"field_7": {"value":', -9), (' "Acme', -0.5), (' Ltd"', -0.1), ("}}", -9)]

    assert value_log_probabilities(response(tokens)) == {7: pytest.approx(-0.3)}


def test_key_within_a_quote_is_no_key() -> None:
    quote = json.dumps('it says "field_0": {"value": 7}')
    start = '{"field_1": {"quote": ' + quote + ', "value": '

    assert value_log_probabilities(response([(start, -9), ("5", -0.1), ("}}", -9)])) == {1: -0.1}


def test_bare_value_and_null() -> None:
    tokens = [('{"field_0": ', -9), ("5", -0.1), (', "field_1": null}', -9)]

    assert value_log_probabilities(response(tokens)) == {0: -0.1}


def test_character_may_be_of_several_tokens() -> None:
    text = '{"field_0": {"value": "€"}}'
    written = [b'{"field_0": {"value": "', b"\xe2\x82", b"\xac", b'"}}']
    tokens = [
        SimpleNamespace(token="?", bytes=list(part), logprob=logprob)
        for part, logprob in zip(written, [-0.1, -0.2, -0.3, -0.4], strict=True)
    ]

    assert value_log_probabilities(response_of(text, tokens)) == {0: pytest.approx(-0.25)}


def test_tokens_of_another_text_are_not_believed() -> None:
    tokens = [SimpleNamespace(token="other", bytes=None, logprob=-0.1)]

    assert value_log_probabilities(response_of('{"field_0": 1}', tokens)) == {}


def test_answer_that_is_broken_off_has_the_values_that_are_whole() -> None:
    tokens = [('{"field_0": ', -9), ("5", -0.1), (', "field_1": {"value": "A', -9)]

    assert value_log_probabilities(response(tokens)) == {0: -0.1}


@pytest.mark.parametrize("logprobs", [None, SimpleNamespace(content=None)])
def test_provider_may_give_none(logprobs: Any) -> None:
    answer = response_of("{}", [])
    answer.choices[0].logprobs = logprobs

    assert value_log_probabilities(answer) == {}


def response(tokens: list[tuple[str, float]]) -> Any:
    text = "".join(token for token, _ in tokens)
    given = [SimpleNamespace(token=one, bytes=None, logprob=log) for one, log in tokens]
    return response_of(text, given)


def response_of(text: str, tokens: list[SimpleNamespace]) -> Any:
    message = SimpleNamespace(content=text)
    logprobs = SimpleNamespace(content=tokens)
    return SimpleNamespace(choices=[SimpleNamespace(message=message, logprobs=logprobs)])
