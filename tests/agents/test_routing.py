import pytest

from agents.routing import Route, route
from config.errors import ModelNotEnabled, ModelNotSupported
from config.model_table import (
    AUTO,
    BUILT_IN,
    MODEL_IDENTIFIERS,
    Deployment,
    Model,
    ModelTable,
)

ORDINARY = "The first enabled model of those preferred when: an ordinary question."
ADVANCED = "The first enabled model of those preferred when: advanced reasoning was asked for."
NAMED = "The request names this model."


@pytest.mark.parametrize("identifier", MODEL_IDENTIFIERS)
def test_named_model_answers_itself(identifier: str) -> None:
    assert route(identifier, table(*MODEL_IDENTIFIERS)) == Route(identifier, NAMED)


@pytest.mark.parametrize("identifier", MODEL_IDENTIFIERS)
def test_named_model_is_never_replaced(identifier: str) -> None:
    others = [one for one in MODEL_IDENTIFIERS if one != identifier]

    with pytest.raises(ModelNotEnabled, match=f"^Model {identifier.title()} is not enabled$"):
        route(identifier, table(*others))


@pytest.mark.parametrize("identifier", MODEL_IDENTIFIERS)
def test_model_that_the_account_has_switched_off_is_not_enabled(identifier: str) -> None:
    with pytest.raises(ModelNotEnabled):
        route(identifier, table(*MODEL_IDENTIFIERS), disabled=[identifier])


@pytest.mark.parametrize("name", ["gpt-9", "", "Auto", "gamma-1.5-pro", "built-in", "delta-4.1 "])
def test_other_names_are_not_supported(name: str) -> None:
    with pytest.raises(ModelNotSupported, match=f"^Model {name} not supported$"):
        route(name, table(*MODEL_IDENTIFIERS))


@pytest.mark.parametrize(
    ("enabled", "disabled", "advanced", "expected"),
    [
        pytest.param("delta-4.1 gamma-2.5", "", False, Route("delta-4.1", ORDINARY), id="first"),
        pytest.param("gamma-2.5", "", False, Route("gamma-2.5", ORDINARY), id="second"),
        pytest.param(
            "delta-4.1 gamma-2.5", "delta-4.1", False, Route("gamma-2.5", ORDINARY), id="off"
        ),
        pytest.param("delta-4.1 gamma-2.5", "", True, Route("gamma-2.5", ADVANCED), id="advanced"),
    ],
)
def test_auto_takes_the_first_enabled_model_preferred(
    enabled: str, disabled: str, advanced: bool, expected: Route
) -> None:
    models = table(*enabled.split())

    assert route(AUTO, models, disabled=disabled.split(), advanced_reasoning=advanced) == expected


@pytest.mark.parametrize(
    ("enabled", "disabled"),
    [
        pytest.param([], [], id="no credentials"),
        pytest.param(["delta-4.1"], ["delta-4.1"], id="off"),
    ],
)
def test_without_any_model_the_built_in_one_answers(
    enabled: list[str], disabled: list[str]
) -> None:
    found = route(AUTO, table(*enabled), disabled=disabled)

    assert found.model == BUILT_IN
    assert found.reason == "No model is enabled, so the built-in extractive answerer answers."


def table(*enabled: str) -> ModelTable:
    """Return a table in which these are enabled, and `auto` prefers delta-4.1, then gamma-2.5."""
    models = {
        name: Model(name, name.title(), (Deployment("x/y", "k", "", 1),) * (name in enabled))
        for name in MODEL_IDENTIFIERS
    }
    return ModelTable(models, ("gamma-2.5", "delta-4.1"), ("delta-4.1", "gamma-2.5"))
