"""Which model answers a question, and why."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agents.auto_rules import BYTES_PER_TOKEN, estimated_tokens, evidence_tokens, first_rule
from config.errors import ModelNotEnabled, ModelNotSupported
from config.model_table import AUTO, BUILT_IN, AutoRule, Model, ModelTable, Strength
from indexing.types import Chunk

ANSWER_TOKENS = 1_000
"""Room that is left for the answer."""

INSTRUCTION_TOKENS = 500
"""Room for what the prompt holds besides question, passages and conversation."""

CAUSES = {
    AutoRule.ADVANCED_REASONING: "Advanced reasoning was asked for",
    AutoRule.COMPARISON: "The question compares things",
    AutoRule.SEVERAL_PARTS: "The question has several parts",
    AutoRule.COMPUTATION: "The question asks for a computation",
    AutoRule.LONG_EVIDENCE: "The passages that were found are long",
    AutoRule.FIGURES: "The best passages are mostly figures or tables",
    AutoRule.NARROW_MARGIN: "No passage that was found stands out",
    AutoRule.SINGLE_FACT: "The question is short and asks for one thing",
    AutoRule.STANDARD: "Nothing about the question is special",
}
"""How a reason begins, by the rule that decided."""

STRENGTHS = {
    Strength.DEEP_REASONING: "strong at deep reasoning",
    Strength.REASONING: "strong at reasoning",
    Strength.LONG_CONTEXT: "strong at long texts",
    Strength.VISION: "strong at figures",
    Strength.FAST: "fast",
    Strength.GENERAL: "good for general use",
}
"""How a reason says that a model has a strength."""


@dataclass(frozen=True, slots=True)
class Route:
    """The model that answers, and the sentence that says why."""

    model: str  # a public identifier, or BUILT_IN
    reason: str
    alternatives: tuple[str, ...] = ()  # what may be tried, in this order, before the first word


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A model that `auto` may choose, and what speaks for it; the smallest `order` wins."""

    model: Model
    lacking_tokens: int  # by how much the prompt is longer than the window
    is_failing: bool
    rank: int  # of the first preference that it meets
    meets: str  # that preference, or "" if none
    cost: float  # of the question, in USD; infinite where the price is not known

    @property
    def order(self) -> tuple[int, bool, int, float]:
        return (self.lacking_tokens, self.is_failing, self.rank, self.cost)


def check_model(requested: str, table: ModelTable, *, disabled: Collection[str] = ()) -> None:
    """Check that a request may name this model; `auto` always may be named.

    Raises:
        ModelNotSupported: the name is none of the identifiers.
        ModelNotEnabled: it has no credentials, or the account may not use it.
    """
    if requested == AUTO:
        return
    model = table.models.get(requested)
    if model is None:
        raise ModelNotSupported(requested)
    if not model.is_enabled or requested in disabled:
        raise ModelNotEnabled(model.display_name)


def route(  # noqa: PLR0913  # Each is a sign of its own that `auto` looks at.
    requested: str,
    table: ModelTable,
    question: str = "",
    *,
    disabled: Collection[str] = (),
    advanced_reasoning: bool = False,
    chunks: Sequence[Chunk] = (),
    history_characters: int = 0,
    failing: Collection[str] = (),
) -> Route:
    """Choose the model; one that is named is never replaced by another.

    `auto` takes, of the enabled models, those whose window takes the prompt, then those that are
    not failing, then those that the first rule that holds prefers, then the cheapest.

    Args:
        requested: an identifier, or `auto`.
        table: the identifiers, and what `auto` prefers.
        question: as it was asked.
        disabled: identifiers that the account may not use.
        advanced_reasoning: whether the request asks for it.
        chunks: the evidence, best first.
        history_characters: how much of the conversation goes into the prompt.
        failing: identifiers none of whose deployments has answered lately.

    Raises:
        ModelNotSupported: the name is none of the identifiers.
        ModelNotEnabled: it has no credentials, or the account may not use it.
    """
    check_model(requested, table, disabled=disabled)
    if requested != AUTO:
        return Route(requested, "The request names this model.")
    enabled = [
        model
        for model in table.models.values()
        if model.is_enabled and model.identifier not in disabled
    ]
    if not enabled:
        return Route(BUILT_IN, "No model is enabled, so the built-in extractive answerer answers.")
    rule = first_rule(question, chunks, advanced_reasoning=advanced_reasoning)
    history_tokens = history_characters // BYTES_PER_TOKEN
    prompt_tokens = (
        INSTRUCTION_TOKENS + history_tokens + evidence_tokens(chunks) + estimated_tokens(question)
    )
    candidates = [
        _candidate(model, table.preferences(rule), prompt_tokens, model.identifier in failing)
        for model in enabled
    ]
    # Sorting keeps the order of the file among equals.
    candidates.sort(key=lambda candidate: candidate.order)
    alternatives = _alternatives([candidate.model for candidate in candidates])
    return Route(candidates[0].model.identifier, _reason(rule, candidates), alternatives)


def _candidate(
    model: Model, preferences: Sequence[str], prompt_tokens: int, is_failing: bool
) -> _Candidate:
    met = [model.identifier == one or one in model.strengths for one in preferences]
    rank = met.index(True) if any(met) else len(preferences)
    return _Candidate(
        model=model,
        lacking_tokens=max(0, prompt_tokens + ANSWER_TOKENS - model.context_window),
        is_failing=is_failing,
        rank=rank,
        meets=preferences[rank] if any(met) else "",
        cost=model.price.of(prompt_tokens, ANSWER_TOKENS) if model.price else math.inf,
    )


def _alternatives(models: Sequence[Model]) -> tuple[str, ...]:
    """Return the identifiers behind the first, each with a deployment that was not tried before."""
    tried = {(one.model, one.api_base) for one in models[0].deployments}
    alternatives = []
    for model in models[1:]:
        behind = {(one.model, one.api_base) for one in model.deployments}
        if not behind <= tried:
            alternatives.append(model.identifier)
            tried |= behind
    return tuple(alternatives)


def _reason(rule: AutoRule, candidates: Sequence[_Candidate]) -> str:
    """Say in a sentence what decided; "available" is what answers and takes the prompt."""
    chosen, *others = candidates
    name = chosen.model.identifier
    if not others:
        return f"{name} is the only model that is enabled."
    if chosen.lacking_tokens:
        window = f"{chosen.model.context_window:,} tokens"
        return f"No enabled model takes the whole prompt; {name} has the largest window, {window}."
    if chosen.is_failing:
        return f"Every enabled model that takes the prompt is failing; {name} is tried first."
    if chosen.meets == name:
        choice = f"and for that the routing file prefers {name}"
    elif chosen.meets:
        strong = STRENGTHS[Strength(chosen.meets)]
        choice = (
            f"so a model that is {strong} was chosen; "
            f"{name} is the {_distinction(chosen, others)} of them that is available"
        )
    else:
        choice = (
            "but no model preferred for that is available; "
            f"{name} is the {_distinction(chosen, others)} of the others that is"
        )
    return f"{CAUSES[rule]}, {choice}{_passed_over(chosen, others)}."


def _distinction(chosen: _Candidate, others: Sequence[_Candidate]) -> str:
    rivals = [one for one in others if one.order[:3] == chosen.order[:3]]
    if not rivals:
        return "only one"
    return "cheapest" if chosen.cost < min(one.cost for one in rivals) else "first"


def _passed_over(chosen: _Candidate, others: Sequence[_Candidate]) -> str:
    """Name the model that would have been chosen, had it been available."""
    best = min(others, key=lambda one: (one.rank, one.cost))
    if (best.rank, best.cost) >= (chosen.rank, chosen.cost):
        return ""
    fault = "its window is too small" if best.lacking_tokens else "it is failing at present"
    return f" ({best.model.identifier} was passed over, for {fault})"
