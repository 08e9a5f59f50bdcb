"""The documentation is held to the code: nothing is missing, and what README shows runs."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import yaml
from quart import Quart

from config import errors
from config.errors import ServiceError, UnsupportedContentType, UploadTooLarge
from config.model_table import AUTO, MODEL_IDENTIFIERS, load_model_table
from config.settings import Settings
from indexing.partition import formats
from indexing.partition.formats import DocumentFormat
from tests.postgres_over_tcp import free_port

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WITH_EXAMPLES = [ROOT / "README.md", DOCS / "quickstart.md"]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]

ADDRESS = "http://127.0.0.1:8080"
"""What README takes the service's address to be."""


def descendants(error: type[Exception]) -> list[type[Exception]]:
    """Return the error and all errors below it, as `config/errors.py` defines them."""
    below = [one for child in error.__subclasses__() for one in descendants(child)]
    return [one for one in (error, *below) if one.__module__ == errors.__name__]


def test_every_route_is_documented(app: Quart) -> None:
    routes = {
        f"{method} {re.sub('<[^>]+>', '{}', rule.rule)}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        # The pages of the console are for people: docs/console.md.
        if not rule.endpoint.startswith(("static", "console."))
    }

    documented = re.findall(r"(?:### |`)([A-Z]+ /[^\s`]*)", page("api.md"))

    assert {re.sub("{[^}]+}", "{}", route) for route in documented} == routes


def test_every_setting_is_documented_with_its_default() -> None:
    rows = table("settings.md", first=r"`(KE_\w+)`")

    documented = {name: cells[0].strip("`") for name, cells in rows.items()}

    defaults = {f"KE_{name.upper()}": shown(name) for name in Settings.model_fields}
    assert {name: documented.get(name) for name in defaults} == defaults


def test_every_variable_of_the_routing_file_is_documented() -> None:
    text = (ROOT / "config" / "models.yaml").read_text()
    names = {name for name in strings(yaml.safe_load(text)) if re.fullmatch(r"[A-Z_]+", name)}

    rows = table("settings.md", first=r"`([A-Z_]+)`")

    assert names | {"KE_LLM_MODEL"} <= set(rows)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_every_named_variable_exists(file: Path) -> None:
    known = {f"KE_{name.upper()}" for name in Settings.model_fields}
    known |= {"KE_LLM_API_BASE", "KE_LLM_MODEL", "KE_LLM_API_KEY", "KE_PYTHON"}
    known |= {"KE_API_KEY", "KE_BASE_URL"}

    assert set(re.findall(r"\bKE_[A-Z_]+", file.read_text())) <= known


def test_every_model_is_documented_with_its_display_name() -> None:
    models = load_model_table(ROOT / "config" / "models.yaml", lambda _: "").models

    rows = table("models.md", first=r"`([a-z0-9.-]+)`")

    assert set(rows) == {AUTO, *MODEL_IDENTIFIERS}
    assert {name: rows[name][0] for name in models} == {
        name: model.display_name for name, model in models.items()
    }


def test_every_error_stands_in_the_tree() -> None:
    assert set(error_tree()) == {error.__name__ for error in descendants(ServiceError)}


@pytest.mark.parametrize("name", [error.__name__ for error in descendants(ServiceError)])
def test_every_error_text_is_documented_with_its_status(name: str) -> None:
    status = getattr(errors, name).status_code

    texts = [text for documented, text in documented_errors() if documented == status]

    assert any(error_tree()[name] in text for text in texts)


@pytest.mark.parametrize(
    "text",
    [
        UploadTooLarge(2**20).message.replace("1", "<n>"),
        UnsupportedContentType("<type>").message,
        *filter(None, formats.REFUSALS.values()),
        formats.UNSUPPORTED,
        formats.TOO_MANY_MEMBERS,
        formats.TOO_LARGE_INSIDE,
        formats.TOO_MUCH_TO_OPEN,
        formats.COPY_PROTECTED,
    ],
)
def test_every_refusal_of_an_upload_is_documented(text: str) -> None:
    assert f"`{text}`" in page("errors.md")


RAISED = {error.__name__ for error in descendants(ServiceError)} - {"ValidationFailed"}
RAISED |= {"DocumentUnreadable", "ConversionFailed", "InvalidPageRange"}


@pytest.mark.parametrize("folder", ["app", "extraction", "indexing/partition"])
def test_every_text_of_a_failure_is_documented_as_it_is_raised(folder: str) -> None:
    documented = page("errors.md")
    # What the console says stands beside what was filled in.
    files = [file for file in (ROOT / folder).rglob("*.py") if "console" not in file.parts]

    raised = {text for file in files for text in texts_raised(file)}

    assert {text for text in raised if text not in documented} == set()


def texts_raised(file: Path) -> Iterator[str]:
    """Yield what a file says where it raises a failure; what is filled in parts it."""
    raised = (
        one.exc for one in ast.walk(ast.parse(file.read_text())) if isinstance(one, ast.Raise)
    )
    for error in raised:
        if isinstance(error, ast.Call) and ast.unparse(error.func) in RAISED:
            for part in (one for text in error.args for one in ast.walk(text)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value.strip()


def test_every_format_is_documented() -> None:
    rows = table("formats.md", first=r"`(\w+)`")

    assert set(rows) == set(DocumentFormat)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_every_link_leads_somewhere(file: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", file.read_text()):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        linked = (file.parent / path) if path else file
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


def test_site_is_built_without_a_warning(tmp_path: Path) -> None:
    mkdocs = Path(sys.executable).with_name("mkdocs")

    built = subprocess.run(
        [mkdocs, "build", "--quiet", "--strict", "--site-dir", tmp_path / "site"],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert built.returncode == 0, built.stderr
    assert not (tmp_path / "site" / "index.html").read_text().count("https://fonts.")


@pytest.mark.parametrize("file", WITH_EXAMPLES, ids=lambda file: file.name)
def test_what_is_shown_runs_and_prints_what_is_shown(file: Path, service: dict[str, str]) -> None:
    pattern = r"^```(\w+) (run|output)\n(.*?)^```$"
    blocks = re.findall(pattern, file.read_text(), re.DOTALL | re.MULTILINE)
    if shutil.which("node") is None:
        blocks = [block for block in blocks if block[0] != "javascript"]
    script = "\n".join(as_shell(language, text) for language, use, text in blocks if use == "run")
    script = script.replace(ADDRESS, service["KE_BASE_URL"]).replace("./ke ", "ke ")

    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=ROOT,
        env=os.environ | service,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    shown = [text for _, use, text in blocks if use == "output"]
    for part in re.split("[…\n]", "".join(shown)):
        assert part.strip() in ran.stdout


@pytest.fixture(scope="module")
def service() -> Iterator[dict[str, str]]:
    """A running `ke serve` on a new data directory: its address, and the environment."""
    # Not `tmp_path`: pytest keeps others out of it, and so the account that PostgreSQL runs as.
    folder = Path(tempfile.mkdtemp(prefix="ke-docs-", dir="/tmp"))
    port = str(free_port())
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": programs, "KE_DATA_DIR": str(folder / "data"), "KE_PORT": port}
    address = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(["ke", "serve"], cwd=folder, env=environment)
    try:
        wait_until_ready(process, f"{address}/readyz")
        yield environment | {"KE_BASE_URL": address}
    finally:
        process.terminate()
        process.wait(timeout=60)
        shutil.rmtree(folder)


def wait_until_ready(process: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(url).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the service did not start")


def as_shell(language: str, text: str) -> str:
    programs = {"python": "python -", "javascript": "node --input-type=module -"}
    return f"{programs[language]} <<'END'\n{text}END" if language in programs else text


def page(name: str) -> str:
    return (DOCS / name).read_text()


def table(name: str, *, first: str) -> dict[str, list[str]]:
    """Return the rows whose first cell has this form, by what the form's group holds."""
    rows = re.findall(rf"^\| {first} \|(.*)\|$", page(name), re.MULTILINE)
    return {key: [cell.strip() for cell in cells.split("|")] for key, cells in rows}


def shown(setting: str) -> str:
    """Write a setting's default as the table does."""
    default = Settings.model_fields[setting].default
    is_inside = isinstance(default, Path) and default.is_relative_to(ROOT)
    return str(default.relative_to(ROOT) if is_inside else default)


def strings(value: object) -> Iterator[str]:
    """Yield all texts of a parsed YAML file, keys aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def error_tree() -> dict[str, str]:
    """Return the errors that the module's docstring draws, each with the fixed part of its text."""
    lines = re.findall(r"^ *[*+-] (\w+)(?: +\d{3})?(.*)$", errors.__doc__ or "", re.MULTILINE)
    return {name: re.sub(r"…|\([^)]*\)", "", text).strip() for name, text in lines}


def documented_errors() -> list[tuple[int, str]]:
    rows = re.findall(r"^\| (\d{3}) \|(.*)\|$", page("errors.md"), re.MULTILINE)
    return [(int(status), text) for status, text in rows]


def anchors(file: Path) -> set[str]:
    """Return the names by which the headings of a page can be linked to."""
    headings = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
