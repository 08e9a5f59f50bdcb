import pytest

from agents.routing import Route, check_model, route
from config.errors import ModelNotEnabled, ModelNotSupported
from config.model_table import (
    AUTO,
    BUILT_IN,
    MODEL_IDENTIFIERS,
    AutoRule,
    Deployment,
    Model,
    ModelTable,
    Price,
    Strength,
)
from tests.agents.chunks import chunk

NAMED = "The request names this model."
FACT = "When does the lease end?"
COMPARISON = "Compare the two leases."

FAST = Strength.FAST
GENERAL = Strength.GENERAL
REASONING = Strength.REASONING


@pytest.mark.parametrize("identifier", MODEL_IDENTIFIERS)
def test_named_model_answers_itself_and_has_no_alternative(identifier: str) -> None:
    assert route(identifier, table_of(*MODEL_IDENTIFIERS)) == Route(identifier, NAMED)


@pytest.mark.parametrize("identifier", MODEL_IDENTIFIERS)
def test_named_model_is_never_replaced(identifier: str) -> None:
    others = [one for one in MODEL_IDENTIFIERS if one != identifier]

    with pytest.raises(ModelNotEnabled, match=f"^Model {identifier.title()} is not enabled$"):
        route(identifier, table_of(*others))


def test_named_model_is_taken_even_when_it_is_failing() -> None:
    models = table_of("delta-4.1", "gamma-2.5")

    assert route("delta-4.1", models, FACT, failing=["delta-4.1"]).model == "delta-4.1"


@pytest.mark.parametrize("identifier", MODEL_IDENTIFIERS)
def test_model_that_the_account_has_switched_off_is_not_enabled(identifier: str) -> None:
    with pytest.raises(ModelNotEnabled):
        check_model(identifier, table_of(*MODEL_IDENTIFIERS), disabled=[identifier])


@pytest.mark.parametrize("name", ["gpt-9", "", "Auto", "gamma-1.5-pro", "built-in", "delta-4.1 "])
def test_other_names_are_not_supported(name: str) -> None:
    with pytest.raises(ModelNotSupported, match=f"^Model {name} not supported$"):
        check_model(name, table_of(*MODEL_IDENTIFIERS))


def test_auto_may_always_be_named() -> None:
    check_model(AUTO, table_of(), disabled=MODEL_IDENTIFIERS)


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
    found = route(AUTO, table_of(*enabled), FACT, disabled=disabled)

    assert found == Route(
        BUILT_IN, "No model is enabled, so the built-in extractive answerer answers."
    )


def test_the_only_model_answers_everything() -> None:
    found = route(AUTO, table_of("delta-4.1"), COMPARISON)

    assert found == Route("delta-4.1", "delta-4.1 is the only model that is enabled.")


def test_strength_that_the_rule_prefers_comes_before_the_price() -> None:
    models = table(model("cheap", FAST, price=1), model("strong", REASONING, price=9))

    assert route(AUTO, models, COMPARISON) == Route(
        "strong",
        "The question compares things, so a model that is strong at reasoning was chosen; "
        "strong is the only one of them that is available.",
        alternatives=("cheap",),
    )


def test_among_the_strong_ones_the_cheapest_is_taken() -> None:
    models = table(model("dear", REASONING, price=9), model("fair", REASONING, price=3))

    assert route(AUTO, models, COMPARISON) == Route(
        "fair",
        "The question compares things, so a model that is strong at reasoning was chosen; "
        "fair is the cheapest of them that is available.",
        alternatives=("dear",),
    )


def test_at_the_same_price_the_order_of_the_file_decides() -> None:
    models = table(model("first", FAST, price=2), model("second", FAST, price=2))

    assert route(AUTO, models, FACT).reason == (
        "The question is short and asks for one thing, so a model that is fast was chosen; "
        "first is the first of them that is available."
    )


def test_unknown_price_comes_behind_every_known_one() -> None:
    models = table(model("unknown", FAST), model("known", FAST, price=99))

    assert route(AUTO, models, FACT).model == "known"


def test_without_the_strength_the_cheapest_is_taken() -> None:
    models = table(model("dear", GENERAL, price=9), model("cheap", GENERAL, price=1))

    assert route(AUTO, models, FACT) == Route(
        "cheap",
        "The question is short and asks for one thing, but no model preferred for that is "
        "available; cheap is the cheapest of the others that is.",
        alternatives=("dear",),
    )


def test_file_may_prefer_an_identifier() -> None:
    models = table(model("cheap", REASONING, price=1), model("best", REASONING, price=9))

    found = route(AUTO, models, FACT, advanced_reasoning=True)

    assert found.model == "best"
    assert found.reason == (
        "Advanced reasoning was asked for, and for that the routing file prefers best."
    )


def test_rule_that_the_file_leaves_out_is_as_standard() -> None:
    models = table(model("fast", FAST, price=1), model("plain", GENERAL, price=9))

    assert route(AUTO, models, "What is the sum of the fees?").model == "plain"


def test_failing_model_is_passed_over() -> None:
    models = table(model("cheap", FAST, price=1), model("dear", FAST, price=9))

    found = route(AUTO, models, FACT, failing=["cheap"])

    assert (found.model, found.alternatives) == ("dear", ("cheap",))
    assert found.reason.endswith(
        "dear is the only one of them that is available "
        "(cheap was passed over, for it is failing at present)."
    )


def test_when_all_are_failing_the_best_is_tried() -> None:
    models = table(model("cheap", FAST, price=1), model("dear", FAST, price=9))

    assert route(AUTO, models, FACT, failing=["cheap", "dear"]) == Route(
        "cheap",
        "Every enabled model that takes the prompt is failing; cheap is tried first.",
        alternatives=("dear",),
    )


def test_prompt_has_to_fit_the_window() -> None:
    models = table(model("small", FAST, price=1, window=4_000), model("large", FAST, price=9))
    long = [chunk(1, "word " * 2_000)]

    assert route(AUTO, models, FACT).model == "small"
    found = route(AUTO, models, FACT, chunks=long)
    assert found.model == "large"
    assert found.reason.endswith("(small was passed over, for its window is too small).")


def test_conversation_counts_against_the_window() -> None:
    models = table(model("small", FAST, price=1, window=4_000), model("large", FAST, price=9))

    assert route(AUTO, models, FACT, history_characters=9_000).model == "large"


def test_when_no_window_suffices_the_largest_is_taken() -> None:
    models = table(model("small", FAST, window=2_000), model("larger", GENERAL, window=3_000))

    found = route(AUTO, models, FACT, chunks=[chunk(1, "word " * 9_000)])

    assert found.model == "larger"
    assert found.reason == (
        "No enabled model takes the whole prompt; larger has the largest window, 3,000 tokens."
    )


def test_evidence_decides_as_well() -> None:
    models = table(model("fast", FAST, price=1), model("seeing", Strength.VISION, price=9))
    rows = [chunk(1, "Item | Price\nRent | 900\nWater | 40")]

    assert route(AUTO, models, FACT).model == "fast"
    assert route(AUTO, models, FACT, chunks=rows).model == "seeing"


def test_model_that_the_account_may_not_use_is_no_alternative() -> None:
    models = table(model("a", FAST), model("b", FAST), model("c", FAST))

    assert route(AUTO, models, FACT, disabled=["b"]).alternatives == ("c",)


def test_alternative_has_a_deployment_that_was_not_tried_before() -> None:
    models = table(
        model("a", FAST, behind=["own"]),
        model("b", FAST, behind=["own"]),
        model("c", FAST, behind=["other", "own"]),
    )

    assert route(AUTO, models, FACT).alternatives == ("c",)


def test_reasons_differ_by_rule() -> None:
    models = table(model("a", FAST, price=1), model("b", REASONING, price=1))
    questions = [FACT, COMPARISON, "Who pays? And when?", "Calculate the rent.", "Why is that so?"]

    assert len({route(AUTO, models, question).reason for question in questions}) == 5


def model(
    name: str,
    *strengths: Strength,
    price: float | None = None,
    window: int = 100_000,
    behind: list[str] | None = None,
) -> Model:
    """Return an enabled model with a deployment of its own, unless others are given."""
    return Model(
        name,
        name.title(),
        tuple(Deployment(f"x/{one}", "k", "", 1) for one in behind or [name]),
        context_window=window,
        price=None if price is None else Price(price, price),
        strengths=frozenset(strengths),
    )


def table(*models: Model) -> ModelTable:
    """Return a table in which a comparison wants reasoning, a single fact something fast."""
    return ModelTable(
        {one.identifier: one for one in models},
        {
            AutoRule.ADVANCED_REASONING: ("best", REASONING),
            AutoRule.COMPARISON: (REASONING,),
            AutoRule.FIGURES: (Strength.VISION,),
            AutoRule.SINGLE_FACT: (FAST,),
            AutoRule.STANDARD: (GENERAL,),
        },
    )


def table_of(*enabled: str) -> ModelTable:
    """Return a table of all identifiers, in which these are enabled."""
    models = [model(name, GENERAL) for name in MODEL_IDENTIFIERS]
    return table(
        *(
            one if one.identifier in enabled else Model(one.identifier, one.display_name, ())
            for one in models
        )
    )
