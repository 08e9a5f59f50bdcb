import functools
import operator
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from config.model_table import (
    DEFAULT_CONTEXT_WINDOW,
    EXTRACTION_IDENTIFIERS,
    MODEL_IDENTIFIERS,
    AutoRule,
    Deployment,
    DeploymentEntry,
    InvalidModelTable,
    Model,
    ModelEntry,
    ModelFile,
    ModelTable,
    Price,
    PriceEntry,
    Strength,
    UnusableDeployment,
    load_model_table,
)
from config.settings import Settings

SHIPPED = Settings().models_file
FREE = Price(0, 0)
DOCUMENTED = (SHIPPED.parents[1] / "docs" / "models.md").read_text()


def nothing_is_set(name: str) -> str:
    return ""


def test_without_credentials_no_model_is_enabled() -> None:
    table = load_model_table(SHIPPED, nothing_is_set)

    assert set(table.models) == set(MODEL_IDENTIFIERS)
    assert not any(model.is_enabled for model in table.models.values())
    assert set(table.auto) == set(AutoRule)


def test_shipped_file_knows_window_price_and_strengths_of_every_model() -> None:
    for model in load({}).models.values():
        assert model.context_window > DEFAULT_CONTEXT_WINDOW
        assert model.price is not None
        assert model.strengths


def test_every_strength_that_the_shipped_file_asks_for_is_had_by_some_model() -> None:
    table = load({})

    asked = {name for names in table.auto.values() for name in names} - set(table.models)
    assert asked == set(Strength) == {one for m in table.models.values() for one in m.strengths}


def test_credentials_enable_the_models_of_their_provider() -> None:
    table = load({"OPENAI_API_KEY": "sk-1"})

    enabled = {name for name, model in table.models.items() if model.is_enabled}
    assert enabled == {"delta-5.4", "delta-4.1"}
    assert table.models["delta-4.1"].deployments == (
        Deployment("openai/gpt-4.1", "sk-1", "", 120, None, 1047576, Price(2, 8)),
    )


def test_own_server_stands_behind_every_model() -> None:
    table = load({"KE_LLM_API_BASE": "http://127.0.0.1:11434/v1", "KE_LLM_MODEL": "llama3"})

    assert {model.deployments for model in table.models.values()} == {
        (Deployment("openai/llama3", "", "http://127.0.0.1:11434/v1", 300, None, 8192, FREE),)
    }


def test_window_and_price_are_those_of_the_deployment_that_answers_first() -> None:
    own = {"KE_LLM_API_BASE": "http://h/v1", "KE_LLM_MODEL": "m"}

    alone = load(own).models["delta-4.1"]
    assert (alone.context_window, alone.price) == (8192, FREE)
    behind_a_provider = load(own | {"OPENAI_API_KEY": "sk-1"}).models["delta-4.1"]
    assert (behind_a_provider.context_window, behind_a_provider.price) == (1047576, Price(2, 8))


@pytest.mark.parametrize("missing", ["KE_LLM_API_BASE", "KE_LLM_MODEL"])
def test_own_server_needs_address_and_model(missing: str) -> None:
    environment = {"KE_LLM_API_BASE": "http://h/v1", "KE_LLM_MODEL": "m", "KE_LLM_API_KEY": "k"}
    del environment[missing]

    model = load(environment).models["delta-4.1"]
    assert not model.is_enabled
    assert model.unusable[-1] == UnusableDeployment("openai/${KE_LLM_MODEL}", (missing,))


def test_model_that_is_not_enabled_names_the_variables_it_lacks() -> None:
    model = load({"KE_LLM_MODEL": "secret-name"}).models["delta-4.1"]

    assert model.why_not_enabled == "not set: OPENAI_API_KEY, or KE_LLM_API_BASE"
    assert load({"OPENAI_API_KEY": "sk-1"}).models["delta-4.1"].why_not_enabled == ""


def test_key_does_not_show_in_the_text_of_a_table() -> None:
    assert "sk-secret" not in repr(load({"OPENAI_API_KEY": "sk-secret"}))


def test_providers_come_before_the_own_server() -> None:
    table = load({"OPENAI_API_KEY": "sk-1", "KE_LLM_API_BASE": "http://h/v1", "KE_LLM_MODEL": "m"})

    models = [deployment.model for deployment in table.models["delta-4.1"].deployments]
    assert models == ["openai/gpt-4.1", "openai/m"]


def test_address_may_stand_in_the_file(tmp_path: Path) -> None:
    content = shipped()
    content["models"]["delta-4.1"]["deployments"] = [
        {"model": "openai/m", "api_base": "https://models.example/v1"}
    ]

    table = load_model_table(written(tmp_path, content), nothing_is_set)

    (deployment,) = table.models["delta-4.1"].deployments
    assert (deployment.model, deployment.api_base) == ("openai/m", "https://models.example/v1")


def test_deployment_may_have_weight_window_and_price_of_its_own(tmp_path: Path) -> None:
    content = shipped()
    content["models"]["delta-4.1"]["deployments"] = [
        {"model": "a/b", "weight": 2, "context_window": 4096, "price": {"input": 1, "output": 2}}
    ]

    table = load_model_table(written(tmp_path, content), nothing_is_set)

    assert table.models["delta-4.1"].deployments == (
        Deployment("a/b", "", "", 120, 2, 4096, Price(1, 2)),
    )


def test_file_from_before_windows_prices_and_rules_still_loads(tmp_path: Path) -> None:
    deployments = [{"model": "openai/m", "api_key": "OPENAI_API_KEY", "timeout_seconds": 60}]
    content = {
        "own_server": deployments[0],
        "models": {
            name: {"display_name": name, "deployments": deployments} for name in MODEL_IDENTIFIERS
        },
        "auto": {"standard": ["delta-4.1"], "advanced_reasoning": ["delta-5.4", "delta-4.1"]},
    }

    table = load_model_table(written(tmp_path, content), {"OPENAI_API_KEY": "k"}.__getitem__)

    assert table.models["delta-4.1"] == Model(
        "delta-4.1", "delta-4.1", (Deployment("openai/m", "k", "", 60),)
    )
    assert table.preferences(AutoRule.ADVANCED_REASONING) == ("delta-5.4", "delta-4.1")
    assert table.preferences(AutoRule.COMPARISON) == ("delta-4.1",)
    assert table.withheld_from("default") == frozenset()


def test_account_may_use_only_what_is_named_for_it(tmp_path: Path) -> None:
    allowed = ["delta-4.1", "gamma-2.5", "gamma-1.5-pro"]
    content = shipped() | {"accounts": {"sales": allowed, "guests": []}}

    table = load_model_table(written(tmp_path, content), nothing_is_set)

    known = {*MODEL_IDENTIFIERS, *EXTRACTION_IDENTIFIERS}
    assert table.withheld_from("sales") == known - set(allowed)
    assert table.withheld_from("guests") == known
    assert table.withheld_from("somebody else") == frozenset()


def test_model_that_extracts_is_none_that_answers() -> None:
    table = load({"GEMINI_API_KEY": "k"})

    extracting = table.extraction_models["gamma-1.5-pro"]
    assert [one.model for one in extracting.deployments] == ["gemini/gemini-2.5-pro"]
    assert "gamma-1.5-pro" not in table.models
    assert list(table.all_models) == [*MODEL_IDENTIFIERS, "gamma-1.5-pro"]


def test_own_server_extracts_too() -> None:
    table = load({"KE_LLM_API_BASE": "http://h/v1", "KE_LLM_MODEL": "m"})

    assert table.extraction_models["gamma-1.5-pro"].context_window == 8192


def test_file_without_a_model_that_extracts_is_valid(tmp_path: Path) -> None:
    content = shipped()
    del content["extraction_models"]

    table = load_model_table(written(tmp_path, content), nothing_is_set)

    assert table.extraction_models == {}
    assert table.withheld_from("default") == frozenset()


def test_price_of_an_answer_is_that_of_its_tokens() -> None:
    assert Price(input=3, output=15).of(2_000_000, 100_000) == 7.5


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        pytest.param(
            ("models", "delta-4.1"), None, "models: delta-4.1 missing", id="missing model"
        ),
        pytest.param(
            ("models", "delta-4.1", "deployments"),
            [],
            "deployments: List should have at least 1",
            id="no deployment",
        ),
        pytest.param(
            ("models", "delta-4.1", "display_name"),
            "",
            "display_name: String should have",
            id="no name",
        ),
        pytest.param(
            ("models", "delta-4.1", "colour"),
            "red",
            "colour: Extra inputs are not permitted",
            id="unknown key",
        ),
        pytest.param(
            ("models", "delta-4.1", "deployments"),
            [{"model": "gpt"}],
            "deployments.0.model: String should match",
            id="no provider",
        ),
        pytest.param(
            ("models", "delta-4.1", "deployments"),
            [{"model": "a/b", "api_key": "sk-secret"}],
            "deployments.0.api_key: String should match",
            id="key itself",
        ),
        pytest.param(
            ("models", "delta-4.1", "deployments"),
            [{"model": "a/b", "api_base": "localhost:11434"}],
            "deployments.0.api_base: String should match",
            id="neither address nor variable",
        ),
        pytest.param(
            ("models", "delta-4.1", "deployments"),
            [{"model": "a/b", "weight": 0}],
            "deployments.0.weight: Input should be greater than 0",
            id="no weight",
        ),
        pytest.param(
            ("models", "delta-4.1", "context_window"),
            0,
            "models.delta-4.1.context_window: Input should be greater than 0",
            id="no window",
        ),
        pytest.param(
            ("models", "delta-4.1", "price"),
            {"input": -1, "output": 1},
            "models.delta-4.1.price.input: Input should be greater than or equal to 0",
            id="negative price",
        ),
        pytest.param(
            ("models", "delta-4.1", "strengths"),
            ["wisdom"],
            "models.delta-4.1.strengths.0: Input should be 'deep_reasoning'",
            id="unknown strength",
        ),
        pytest.param(
            ("models", "fast"),
            {"display_name": "Fast", "deployments": [{"model": "a/b"}]},
            "models.fast: this name has another meaning",
            id="name of a strength",
        ),
        pytest.param(
            ("models", "gamma-1.5-pro"),
            {"display_name": "Gamma", "deployments": [{"model": "a/b"}]},
            "models.gamma-1.5-pro: it extracts fields, so it stands in extraction_models",
            id="extraction model among the others",
        ),
        pytest.param(
            ("extraction_models", "delta-4.1"),
            {"display_name": "Delta", "deployments": [{"model": "a/b"}]},
            "extraction_models.delta-4.1: not one of gamma-1.5-pro",
            id="another model that extracts",
        ),
        pytest.param(
            ("extraction_models", "gamma-1.5-pro", "deployments"),
            [],
            "extraction_models.gamma-1.5-pro.deployments: List should have at least 1",
            id="extraction model without deployment",
        ),
        pytest.param(
            ("auto", "standard"),
            ["gamma-1.5-pro"],
            "auto.standard: gamma-1.5-pro is neither one of the models nor a strength",
            id="auto that chooses a model that extracts",
        ),
        pytest.param(
            ("auto", "standard"),
            ["gpt-9"],
            "auto.standard: gpt-9 is neither one of the models nor a strength",
            id="auto",
        ),
        pytest.param(
            ("auto", "comparison"),
            [],
            "auto.comparison: List should have at least 1",
            id="empty rule",
        ),
        pytest.param(
            ("auto", "full_moon"),
            ["fast"],
            "auto.full_moon: Input should be 'advanced_reasoning'",
            id="unknown rule",
        ),
        pytest.param(("auto", "standard"), None, "auto.standard: missing", id="no standard"),
        pytest.param(("auto",), None, "auto: Field required", id="no auto"),
        pytest.param(
            ("accounts",),
            {"sales": ["gpt-9"]},
            "accounts.sales: gpt-9 is not one of the models",
            id="account",
        ),
        pytest.param(
            ("acounts",),
            {"sales": ["delta-4.1"]},
            "acounts: neither a key of this file nor a deployment to be repeated",
            id="mistyped key",
        ),
    ],
)
def test_broken_rule_names_file_and_place(
    tmp_path: Path, place: tuple[str, ...], value: Any, message: str
) -> None:
    content = shipped()
    part = functools.reduce(operator.getitem, place[:-1], content)
    if value is None:
        del part[place[-1]]
    else:
        part[place[-1]] = value
    path = written(tmp_path, content)

    with pytest.raises(InvalidModelTable) as error:
        load_model_table(path, nothing_is_set)

    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert "sk-secret" not in str(error.value)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"models: [", id="not YAML"),
        pytest.param(b"", id="empty"),
        pytest.param(b"- a list", id="list"),
        pytest.param(b"\xff\xfe\x00", id="not UTF-8"),
    ],
)
def test_unreadable_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "models.yaml"
    path.write_bytes(content)

    with pytest.raises(InvalidModelTable, match=r"models\.yaml"):
        load_model_table(path, nothing_is_set)


def test_line_that_is_no_yaml_is_named_but_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text('models:\n  api_key: "sk-secret')

    with pytest.raises(InvalidModelTable, match="line 2, column") as error:
        load_model_table(path, nothing_is_set)

    assert "sk-secret" not in str(error.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidModelTable, match=r"nothing\.yaml"):
        load_model_table(tmp_path / "nothing.yaml", nothing_is_set)


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        pytest.param(ModelEntry, "models.*", id="models"),
        pytest.param(DeploymentEntry, "deployments.*", id="deployments"),
        pytest.param(PriceEntry, "price", id="price"),
    ],
)
def test_every_key_is_documented(entry: type[BaseModel], path: str) -> None:
    assert [key for key in entry.model_fields if f"`{path}.{key}`" not in DOCUMENTED] == []


def test_every_key_at_the_top_is_documented() -> None:
    assert [key for key in ModelFile.model_fields if f"| `{key}." not in DOCUMENTED] == []


@pytest.mark.parametrize("word", [*AutoRule, *Strength])
def test_every_rule_and_strength_is_documented(word: str) -> None:
    assert f"`{word}`" in DOCUMENTED


def test_example_of_the_documentation_can_be_loaded(tmp_path: Path) -> None:
    example = yaml.safe_load(DOCUMENTED.split("```yaml")[1].split("```")[0])
    models = shipped()["models"] | example["models"]

    table = load_model_table(written(tmp_path, example | {"models": models}), nothing_is_set)

    assert table.preferences(AutoRule.STANDARD) == ("delta-4.1", "general")


def test_servers_of_ones_own_in_the_shipped_file_can_be_uncommented(tmp_path: Path) -> None:
    _, _, text = SHIPPED.read_text().partition("# Servers of your own")
    lines = [line[1:] for line in text.splitlines() if re.match("#      [- ] ", line)]
    deployments = yaml.safe_load("\n".join(lines))
    content = shipped()
    content["models"]["delta-4.1"]["deployments"] = deployments

    table = load_model_table(written(tmp_path, content), lambda name: "k")

    providers = [one.model.split("/")[0] for one in table.models["delta-4.1"].deployments]
    assert providers == ["ollama_chat", "hosted_vllm", "hosted_vllm", "openai"]


def load(environment: dict[str, str]) -> ModelTable:
    return load_model_table(SHIPPED, lambda name: environment.get(name, ""))


def shipped() -> Any:
    return yaml.safe_load(SHIPPED.read_text())


def written(folder: Path, content: Any) -> Path:
    path = folder / "models.yaml"
    path.write_text(yaml.safe_dump(content))
    return path
