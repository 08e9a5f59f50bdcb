"""`ke models`: what it shows, and how it refuses a file that is wrong."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from app.model_commands import describe_auto, describe_search, models_as_json, render_models
from config.model_table import (
    EXTRACTION_IDENTIFIERS,
    MODEL_IDENTIFIERS,
    ModelTable,
    load_model_table,
)
from config.search_services import EmbeddingEntry, RerankEntry
from config.settings import Settings
from tests.ke_command import ke

OWN = {"KE_LLM_API_BASE": "http://user:secret@gpu.example:8000/v1", "KE_LLM_MODEL": "mine"}


def test_every_identifier_has_its_row() -> None:
    text = shown(table({}))

    identifiers = (*MODEL_IDENTIFIERS, *EXTRACTION_IDENTIFIERS)
    assert all(f" {identifier} " in text for identifier in identifiers)


def test_services_that_take_part_in_searching_are_shown() -> None:
    embedding = EmbeddingEntry(
        model="openai/bge", api_base="http://user:secret@gpu.example/v1", dimensions=1024
    )
    rerank = RerankEntry(model="cohere/small")
    none = table({})
    both = replace(
        none,
        embedding=embedding.service(lambda _: ""),
        rerank=rerank.service(lambda _: ""),
    )

    assert list(describe_search(none)) == []
    assert list(describe_search(both)) == [
        "embedding: openai/bge at gpu.example, 1024 dimensions",
        "rerank: cohere/small, the best 30 chunks",
    ]


def test_enabled_model_shows_what_answers_and_what_it_costs() -> None:
    row = row_of("delta-4.1", table({"OPENAI_API_KEY": "sk-secret"} | OWN))

    assert row == [
        "delta-4.1 enabled",
        "1,047,576 2 / 8",
        "openai/gpt-4.1 openai/mine at gpu.example:8000",
    ]


def test_model_that_is_not_enabled_shows_what_each_deployment_needs() -> None:
    row = row_of("delta-4.1", table({"KE_LLM_MODEL": "mine"}))

    needs = "openai/gpt-4.1 needs OPENAI_API_KEY openai/${KE_LLM_MODEL} needs KE_LLM_API_BASE"
    assert row == ["delta-4.1 not enabled", "1,047,576 2 / 8", needs]


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        pytest.param({}, "auto: no model is enabled, so the built-in", id="none"),
        pytest.param({"OPENAI_API_KEY": "k"}, "auto: chooses among those that are", id="some"),
    ],
)
def test_last_line_says_what_auto_does(environment: dict[str, str], said: str) -> None:
    assert describe_auto(table(environment)).startswith(said)


def test_json_says_what_is_missing() -> None:
    models = json.loads(models_as_json(table({"ANTHROPIC_API_KEY": "sk-secret"})))

    by_name = {model["identifier"]: model for model in models}
    assert by_name["alpha-4.6-haiku"]["enabled"] is True
    assert by_name["alpha-4.6-haiku"]["deployments"][0]["price"] == {"input": 1, "output": 5}
    assert by_name["gamma-2.5"]["enabled"] is False
    assert by_name["gamma-2.5"]["unusable"][0] == {
        "model": "gemini/gemini-2.5-pro",
        "missing": ["GEMINI_API_KEY"],
    }


@pytest.mark.parametrize("render", [lambda models: shown(models), models_as_json])
def test_no_secret_is_shown(render: Callable[[ModelTable], str]) -> None:
    text = render(table({"OPENAI_API_KEY": "sk-secret", "KE_LLM_API_KEY": "secret"} | OWN))

    assert "gpu.example" in text
    assert "secret" not in text


def test_name_in_brackets_is_no_markup(tmp_path: Path) -> None:
    text = Settings().models_file.read_text().replace("openai/gpt-4.1", '"openai/[/gpt]"')
    path = tmp_path / "models.yaml"
    path.write_text(text)

    assert "openai/[/gpt]" in shown(load_model_table(path, lambda name: "x"))


def test_command_prints_the_table_and_its_json() -> None:
    assert "OPENAI_API_KEY" in ke("models").stdout
    models = json.loads(ke("models", "--json").stdout)
    assert [one["identifier"] for one in models] == [*MODEL_IDENTIFIERS, *EXTRACTION_IDENTIFIERS]


def test_command_refuses_a_file_that_is_wrong_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text("models: {}\nauto: {standard: [fast]}\n")

    refused = ke("models", KE_MODELS_FILE=str(path))

    assert refused.returncode == 1
    assert refused.stderr.startswith(f"{path}: models: alpha-4.5-sonnet missing")
    assert len(refused.stderr.splitlines()) == 1


def table(environment: dict[str, str]) -> ModelTable:
    return load_model_table(Settings().models_file, lambda name: environment.get(name, ""))


def shown(models: ModelTable) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(render_models(models))
    return capture.get()


def row_of(identifier: str, models: ModelTable) -> list[str]:
    """Return the cells of a model's row, the lines of each joined."""
    lines = [
        [cell.strip() for cell in line.split("│")[1:-1]] for line in shown(models).splitlines()
    ]
    begin = next(at for at, cells in enumerate(lines) if cells and cells[0] == identifier)
    end = next(at for at, cells in enumerate(lines) if at > begin and not cells)
    columns = zip(*lines[begin:end], strict=True)
    return [" ".join(filter(None, cells)) for cells in columns]
