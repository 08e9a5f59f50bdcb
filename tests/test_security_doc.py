"""docs/security.md: every test that it names exists, and every hole names one."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text()
HOLES = re.findall(r"^\| (.*) \| (.*) \| (.*) \|$", PAGE.partition("## Holes")[2], re.M)[2:]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


def test_every_hole_names_its_test() -> None:
    assert len(HOLES) > 30
    assert [hole for hole, _, tests in HOLES if not re.match("`tests/", tests)] == []
    assert PAGE.count("`tests/") == len(NAMED)


@pytest.mark.parametrize(("path", "name"), sorted(set(NAMED)))
def test_named_test_exists(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)

    assert name in {node.name for node in tree.body if isinstance(node, functions)}
