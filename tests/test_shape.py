"""What holds for the source as a whole."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("app", "agents", "config", "extraction", "indexing", "sdk/knowledge_engine")
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
)
TESTS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py"))

HANDS_ON_THE_ENVIRONMENT = {
    "sdk/knowledge_engine/environment.py": "is a package of its own, and knows no config/",
    "app/server.py": "hands it on to the worker process",
    "app/demo.py": "hands it on to the service it starts",
    "app/database_copies.py": "hands it on to pg_dump and pg_restore, for libpq reads it",
    "indexing/partition/processes/allocator.py": "names a library in it to what is started",
}

BROAD_EXCEPTS = {
    ("app/reading.py", "read_data_source"): "the document's guard: the user must see an outcome",
    ("app/extracting.py", "work_on"): "the run's guard: the user must see an end",
    ("app/blueprints/queries.py", "_answer"): "the stream's last guard: the client must be told",
    ("app/chat_stream.py", "_answer"): "the same",
    (
        "indexing/partition/processes/reader_process.py",
        "_read_one",
    ): "whatever a reader raises is the file's fault, and is told to the parent",
    ("indexing/partition/processes/page_renderer.py", "obey"): "the same, of who draws a page",
    (
        "indexing/partition/sheets/spreadsheet.py",
        "_pages",
    ): "panics of Rust; all else is raised again",
}

TESTED_ELSEWHERE = {
    "agents/abilities.py": "values without behaviour",
    "agents/deployments.py": "tests/agents/test_gateway.py",
    "agents/provider_faults.py": "tests/app/test_provider_faults.py",
    "agents/providers.py": "tests/agents/test_gateway.py",
    "config/keepalives.py": "tests/indexing/test_thread_connections.py",
    "app/doctor/findings.py": "values without behaviour",
    "app/models/whole_database.py": "tests/app/test_restoring.py",
    "app/schema_revisions.py": "tests/test_upgrades.py",
    "app/schemas_audit_log.py": "tests/app/blueprints/test_audit_log.py",
    "app/schemas_chat.py": "tests/app/blueprints/test_chat_completions.py",
    "app/schemas_data_sources.py": "tests/app/test_schemas.py",
    "app/schemas_retrieval.py": "tests/app/test_schemas.py",
    "app/schemas_tool_runs.py": "tests/app/blueprints/test_tool_runs.py",
    "app/schemas_webhooks.py": "tests/app/blueprints/test_webhooks.py",
    "app/schemas_workflows.py": "tests/app/test_schemas.py",
    "app/starting_runs.py": "tests/app/blueprints/test_tool_runs.py",
    "app/models/migrations/env.py": "tests/app/models/test_migrations.py",
    "app/models/migrations/versions": "tests/app/models/test_migrations.py",
    "extraction/types.py": "values without behaviour",
    "indexing/milvus_collection.py": "tests/indexing/test_milvus.py",
    "indexing/dense_search.py": "tests/indexing/test_vector_store_contract.py",
    "indexing/driver_cursor.py": "tests/indexing/test_vector_store.py",
    "indexing/llama_embedding.py": "tests/indexing/test_embedding.py",
    "indexing/partition/sheets/format_codes.py": (
        "tests/indexing/partition/sheets/test_number_formats.py"
    ),
    "indexing/partition/sheets/rows.py": "tests/indexing/partition/open_document/test_sheets.py",
    "indexing/partition/pdf/check.py": "tests/indexing/partition/test_formats.py",
    "indexing/partition/open_document/names.py": "values without behaviour",
    "indexing/types.py": "values without behaviour",
    "app/people_commands.py": "tests/app/people",
    "sdk/knowledge_engine/calls.py": "tests/sdk/knowledge_engine/test_transport.py",
    "sdk/knowledge_engine/field_types.py": "tests/sdk/knowledge_engine/test_extraction.py",
    "sdk/knowledge_engine/models.py": "values without behaviour",
    "sdk/knowledge_engine/questions.py": "tests/sdk/knowledge_engine/test_client.py",
    "sdk/knowledge_engine/streaming.py": "tests/sdk/knowledge_engine/test_transport.py",
    "sdk/knowledge_engine/waiting.py": "tests/sdk/knowledge_engine/test_data_sources.py",
}


@pytest.mark.parametrize("path", [path for path in SOURCES if not path.startswith("config/")])
def test_environment_is_read_in_config_only(path: str) -> None:
    reads = [node for node in nodes(path) if is_environment(node)]

    assert bool(reads) == (path in HANDS_ON_THE_ENVIRONMENT)


def test_broad_excepts_are_these_only() -> None:
    found = {(path, name) for path in SOURCES for name in functions_with_broad_except(path)}

    assert found == set(BROAD_EXCEPTS)


@pytest.mark.parametrize("path", SOURCES)
def test_a_group_is_repeated_for_good_by_an_atomic_group_only(path: str) -> None:
    # `(?:...)*+` finds what is not there in Python before 3.11.5 (gh-106052): `(?>(?:...)*)`.
    assert not re.search(r"\)(?:[*+?]|\{[0-9,]+\})\+", (ROOT / path).read_text())


@pytest.mark.parametrize("path", TESTS)
def test_nothing_is_mocked(path: str) -> None:
    found = list(nodes(path))
    imported = {name for node in found for name in imports(node)}
    replaced = [node for node in found if attribute(node) == "monkeypatch.setattr"]

    assert not {name for name in imported if name.startswith(("unittest.mock", "mock"))}
    assert replaced == []


@pytest.mark.parametrize("path", [path for path in SOURCES if not path.endswith("__init__.py")])
def test_source_has_its_test(path: str) -> None:
    folder, _, name = path.rpartition("/")
    test = ROOT / "tests" / folder / f"test_{name}"

    assert test.is_file() != bool({path, folder} & TESTED_ELSEWHERE.keys())


def test_lists_of_exceptions_name_files_that_exist() -> None:
    named = {*HANDS_ON_THE_ENVIRONMENT, *TESTED_ELSEWHERE, *(path for path, _ in BROAD_EXCEPTS)}

    assert named <= {*SOURCES, *(path.rpartition("/")[0] for path in SOURCES)}


def nodes(path: str) -> Iterator[ast.AST]:
    return ast.walk(ast.parse((ROOT / path).read_text()))


def attribute(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""


def is_environment(node: ast.AST) -> bool:
    return attribute(node) in ("os.environ", "os.getenv", "os.environb")


def imports(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names):
            return [name.name for name in names]
        case ast.ImportFrom(module):
            return [f"{module}.{name.name}" for name in node.names]
    return []


def functions_with_broad_except(path: str) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            handlers = [one for one in ast.walk(node) if isinstance(one, ast.ExceptHandler)]
            if any(is_broad(handler) for handler in handlers):
                yield node.name


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Tell whether it takes any exception, and not only to clean up before it is raised again."""
    if not isinstance(handler.type, ast.Name):
        return handler.type is None
    is_raised_again = any(isinstance(one, ast.Raise) and not one.exc for one in ast.walk(handler))
    is_any = handler.type.id == "BaseException" and not is_raised_again
    return is_any or handler.type.id == "Exception"
