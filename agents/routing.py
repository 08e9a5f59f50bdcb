"""Which model answers a question, and why."""

from collections.abc import Collection
from dataclasses import dataclass

from config.errors import ModelNotEnabled, ModelNotSupported
from config.model_table import AUTO, BUILT_IN, ModelTable


@dataclass(frozen=True, slots=True)
class Route:
    """The model that answers, and the sentence that says why."""

    model: str  # a public identifier, or BUILT_IN
    reason: str


def route(
    requested: str,
    table: ModelTable,
    *,
    disabled: Collection[str] = (),
    advanced_reasoning: bool = False,
) -> Route:
    """Choose the model; one that is named is never replaced by another.

    Raises:
        ModelNotSupported: the name is none of the identifiers.
        ModelNotEnabled: it has no credentials, or the account has switched it off.
    """
    if requested == AUTO:
        return _route_auto(table, disabled, advanced_reasoning)
    model = table.models.get(requested)
    if model is None:
        raise ModelNotSupported(requested)
    if not model.is_enabled or requested in disabled:
        raise ModelNotEnabled(model.display_name)
    return Route(requested, "The request names this model.")


def _route_auto(table: ModelTable, disabled: Collection[str], advanced_reasoning: bool) -> Route:
    order = table.auto_advanced if advanced_reasoning else table.auto_standard
    asked = "advanced reasoning was asked for" if advanced_reasoning else "an ordinary question"
    for identifier in order:
        if table.models[identifier].is_enabled and identifier not in disabled:
            return Route(identifier, f"The first enabled model of those preferred when: {asked}.")
    return Route(BUILT_IN, "No model is enabled, so the built-in extractive answerer answers.")
