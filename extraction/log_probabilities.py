"""How sure a model was of the values it wrote, by the log-probabilities of their tokens."""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

# A quotation mark within a text of JSON has a backslash before it, so these are keys.
_FIELD = re.compile(r'(?<!\\)"field_(\d{1,6})"\s*:\s*')
_VALUE = re.compile(r'(?<!\\)"value"\s*:\s*')
_DECODER = json.JSONDecoder()


def value_log_probabilities(response: Any) -> dict[int, float]:
    """Return, by the position of the field, the mean log-probability of its value's tokens.

    It is empty where the provider gives none, or where its tokens are not those of the answer.

    Args:
        response: of LiteLLM, to a request for a `response_model`.
    """
    choice = response.choices[0]
    text = choice.message.content or ""
    tokens = getattr(getattr(choice, "logprobs", None), "content", None)
    if not tokens:
        return {}
    written = [_bytes_of(token) for token in tokens]
    if b"".join(written) != text.encode(errors="replace"):
        return {}
    ends = list(accumulate(map(len, written)))
    # The positions of characters in bytes, as tokens may end within a character.
    places = [0, *accumulate(len(character.encode(errors="replace")) for character in text)]
    means = {}
    for position, start, end in _value_spans(text):
        first, last = bisect_right(ends, places[start]), bisect_left(ends, places[end])
        logs = [float(token.logprob) for token in tokens[first : last + 1]]
        means[position] = sum(logs) / len(logs)
    return means


def _bytes_of(token: Any) -> bytes:
    if (written := getattr(token, "bytes", None)) is not None:
        return bytes(written)
    return str(token.token).encode(errors="replace")


def _value_spans(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the position of each field that has a value, and where its value begins and ends."""
    for field in _FIELD.finditer(text):
        start = field.end()
        try:
            said, end = _DECODER.raw_decode(text, start)
            if isinstance(said, dict):
                if (key := _VALUE.search(text, start, end)) is None:
                    continue
                start = key.end()
                said, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError:
            continue
        if said is not None:
            yield int(field[1]), start, end
