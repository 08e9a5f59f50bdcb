"""docs/sdk.md is held to the SDK: every method is there, and what it shows runs."""

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from knowledge_engine import AsyncClient, Client, errors
from tests.ke_process import Service
from tests.sdk.methods import methods_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sdk.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_every_method_is_documented() -> None:
    documented = re.findall(r"^\| `([\w.]+)\(", PAGE, re.MULTILINE)

    assert sorted(documented) == sorted(methods_of(Client("ke-x")))


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    waiting, awaited = methods_of(Client("ke-x")), methods_of(AsyncClient("ke-x"))

    assert parameters(waiting) == parameters(awaited)


def test_every_error_stands_in_the_tree() -> None:
    tree = PAGE.partition("## Errors")[2].partition("## Retries")[0]
    names = {name for name, one in vars(errors).items() if is_error(one)}

    assert names <= set(re.findall(r"\w+", tree))


@pytest.mark.parametrize("code", BLOCKS, ids=lambda code: code.splitlines()[0])
def test_what_is_shown_runs(service: Service, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setenv("KE_API_KEY", service.key)
    monkeypatch.setenv("KE_BASE_URL", str(service.client.base_url))
    monkeypatch.chdir(ROOT)

    exec(compile(code, "docs/sdk.md", "exec"), {"__name__": "__main__"})


def parameters(methods: Mapping[str, Callable[..., Any]]) -> dict[str, list[str]]:
    return {name: list(inspect.signature(method).parameters) for name, method in methods.items()}


def is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.KnowledgeEngineError)
