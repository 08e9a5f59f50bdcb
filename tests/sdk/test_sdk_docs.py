"""docs/sdk.md is held to the SDK: every method is there, and what it shows runs."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from knowledge_engine import AsyncClient, Client, errors
from tests.ke_process import Service

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sdk.md").read_text()
GROUPS = ("engines", "data_sources", "workflows", "tool_runs")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_every_method_is_documented() -> None:
    documented = re.findall(r"^\| `([\w.]+)\(", PAGE, re.MULTILINE)

    assert sorted(documented) == sorted(methods_of(Client("ke-x")))


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    waiting, awaited = methods_of(Client("ke-x")), methods_of(AsyncClient("ke-x"))

    assert waiting == awaited


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


def methods_of(client: Any) -> dict[str, list[str]]:
    """Return the public methods, those of the groups with their names, and their parameters."""
    groups = {"": client} | {f"{name}.": vars(client)[name] for name in GROUPS}
    return {
        f"{prefix}{name}": list(inspect.signature(method).parameters)
        for prefix, group in groups.items()
        for name, method in inspect.getmembers(group, inspect.ismethod)
        if not name.startswith("_") and name not in ("close", "aclose")
    }


def is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.KnowledgeEngineError)
