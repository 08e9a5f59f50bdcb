import functools
import operator
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.model_table import (
    MODEL_IDENTIFIERS,
    Deployment,
    InvalidModelTable,
    ModelTable,
    load_model_table,
)
from config.settings import Settings

SHIPPED = Settings().models_file


def nothing_is_set(name: str) -> str:
    return ""


def test_without_credentials_no_model_is_enabled() -> None:
    table = load_model_table(SHIPPED, nothing_is_set)

    assert set(table.models) == set(MODEL_IDENTIFIERS)
    assert not any(model.is_enabled for model in table.models.values())
    assert set(table.auto_standard) == set(table.auto_advanced) == set(MODEL_IDENTIFIERS)


def test_credentials_enable_the_models_of_their_provider() -> None:
    table = load({"OPENAI_API_KEY": "sk-1"})

    enabled = {name for name, model in table.models.items() if model.is_enabled}
    assert enabled == {"delta-5.4", "delta-4.1"}
    assert table.models["delta-4.1"].deployments == (Deployment("openai/gpt-4.1", "sk-1", "", 120),)


def test_own_server_stands_behind_every_model() -> None:
    table = load({"KE_LLM_API_BASE": "http://127.0.0.1:11434/v1", "KE_LLM_MODEL": "llama3"})

    assert {model.deployments for model in table.models.values()} == {
        (Deployment("openai/llama3", "", "http://127.0.0.1:11434/v1", 300),)
    }


@pytest.mark.parametrize("missing", ["KE_LLM_API_BASE", "KE_LLM_MODEL"])
def test_own_server_needs_address_and_model(missing: str) -> None:
    environment = {"KE_LLM_API_BASE": "http://h/v1", "KE_LLM_MODEL": "m", "KE_LLM_API_KEY": "k"}
    del environment[missing]

    assert not load(environment).models["delta-4.1"].is_enabled


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

    assert table.models["delta-4.1"].deployments == (
        Deployment("openai/m", "", "https://models.example/v1", 120),
    )


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
            ("auto", "standard"), ["gpt-9"], "auto: gpt-9 is not one of the models", id="auto"
        ),
        pytest.param(
            ("auto", "standard"), [], "auto.standard: List should have at least 1", id="empty auto"
        ),
        pytest.param(("auto",), None, "auto: Field required", id="no auto"),
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


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidModelTable, match=r"nothing\.yaml"):
        load_model_table(tmp_path / "nothing.yaml", nothing_is_set)


def load(environment: dict[str, str]) -> ModelTable:
    return load_model_table(SHIPPED, lambda name: environment.get(name, ""))


def shipped() -> Any:
    return yaml.safe_load(SHIPPED.read_text())


def written(folder: Path, content: Any) -> Path:
    path = folder / "models.yaml"
    path.write_text(yaml.safe_dump(content))
    return path
