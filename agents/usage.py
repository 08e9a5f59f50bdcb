"""What answering a question costs: the tokens, price and time of each step."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Purpose(StrEnum):
    """What a step is for."""

    REWRITE = "rewrite"
    DECOMPOSE = "decompose"
    RETRIEVE = "retrieve"
    ANSWER = "answer"
    JUDGE = "judge"
    DESCRIBE = "describe"
    EXTRACT = "extract"


@dataclass(slots=True)
class Step:
    """A search, or a call of a model, failed ones included; it is filled in while it goes on."""

    purpose: Purpose
    model: str = ""  # a public identifier, or BUILT_IN; "" for a search
    deployment: str = ""  # the LiteLLM model string of what was really called
    prompt_tokens: int = 0
    completion_tokens: int = 0
    is_estimated: bool = False  # the provider has not counted the tokens
    price_usd: float | None = 0.0  # None where nobody knows the price of the tokens
    began_at: float = field(default_factory=time.time)  # seconds since 1970
    seconds: float = 0.0
    first_word_seconds: float | None = None
    error: str | None = None
    _began: float = field(default_factory=time.perf_counter)

    def note_first_word(self) -> None:
        """Note that the first word has come just now."""
        self.first_word_seconds = time.perf_counter() - self._began

    def end(self) -> None:
        """Note that the step ends just now."""
        self.seconds = time.perf_counter() - self._began

    def to_json(self) -> dict[str, Any]:
        """Return the step as it is stored."""
        first = self.first_word_seconds
        return {
            "purpose": self.purpose.value,
            "model": self.model,
            "deployment": self.deployment,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "tokens_estimated": self.is_estimated,
            "price_usd": self.price_usd,
            "seconds": round(self.seconds, 4),
            "first_word_seconds": None if first is None else round(first, 4),
            "error": self.error,
        }


class Usage:
    """The steps of answering one question, in the order they began."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    @contextmanager
    def step(self, purpose: Purpose, model: str = "") -> Iterator[Step]:
        """Begin a step, and note at its end how long it took."""
        step = Step(purpose, model)
        self.steps.append(step)
        try:
            yield step
        finally:
            step.end()

    @property
    def answered_by(self) -> str:
        """The public identifier of the model whose words went out; "" while there are none."""
        spoken = [
            step.model
            for step in self.steps
            if step.purpose is Purpose.ANSWER and step.first_word_seconds is not None
        ]
        return spoken[-1] if spoken else ""

    def to_json(self) -> dict[str, Any]:
        """Return the sums and the steps, as the workflow's `usage` has them.

        Steps overlap where searches run side by side, so seconds are not summed.
        """
        prices = [step.price_usd for step in self.steps if step.price_usd is not None]
        is_whole = len(prices) == len(self.steps)
        return {
            "prompt_tokens": sum(step.prompt_tokens for step in self.steps),
            "completion_tokens": sum(step.completion_tokens for step in self.steps),
            "tokens_estimated": any(step.is_estimated for step in self.steps),
            "price_usd": sum(prices) if is_whole else None,
            "steps": [step.to_json() for step in self.steps],
        }
