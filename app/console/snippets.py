"""The same as a page has just done, for programs: with curl, and with the SDK for Python."""

import json
import shlex
from dataclasses import dataclass
from typing import Any

from quart import request

from app.current import get_services
from app.schemas_tool_runs import TOOL_TYPE
from config.model_table import EXTRACTION_IDENTIFIERS

_CURL_KEY = '-u "$KE_API_KEY:"'


@dataclass(frozen=True, slots=True)
class Snippet:
    """One task, twice."""

    curl: str
    python: str


def list_engines() -> Snippet:
    """List all engines."""
    return Snippet(
        _curl("/knowledge-engines"),
        _python("for engine in client.engines.list():", "    print(engine.name)"),
    )


def create_engine(name: str, description: str = "") -> Snippet:
    """Make an engine."""
    body = {"name": name, "description": description}
    call = f"engine = client.engines.create({name!r}, description={description!r})"
    return Snippet(_curl("/knowledge-engines", body), _python(call))


def update_engine(engine_id: str, body: dict[str, Any]) -> Snippet:
    """Change an engine."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in body.items())
    return Snippet(
        _curl(f"/knowledge-engines/{engine_id}", body, method="PUT"),
        _python(f"client.engines.update({engine_id!r}, {arguments})"),
    )


def upload(engine_id: str, file_name: str) -> Snippet:
    """Upload a document and wait until it is read."""
    data = {"name": file_name, "type": "file", "knowledge_engine_id": engine_id}
    parts = [f"-F {shlex.quote(f'file=@{file_name}')}", f"-F {_quoted(data, 'data=')}"]
    curl = " \\\n  ".join([f"curl {_CURL_KEY}", *parts, _address("/data-sources")])
    return Snippet(curl, _python(f"client.data_sources.upload({file_name!r}, {engine_id!r})"))


def create_ticket(engine_id: str, name: str, content: str) -> Snippet:
    """Add a ticket."""
    body = {"name": name, "type": "ticket", "knowledge_engine_id": engine_id, "content": content}
    call = f"client.data_sources.create_ticket({name!r}, {engine_id!r}, content={content!r})"
    return Snippet(_curl("/data-sources", body), _python(call))


def get_data_source(data_source_id: str) -> Snippet:
    """Look how far the reading of a document is, and how its pages were read."""
    return Snippet(
        _curl(f"/data-sources/{data_source_id}")
        + "\n"
        + _curl(f"/data-sources/{data_source_id}/pages"),
        _python(
            f"print(client.data_sources.get({data_source_id!r}).outcome)",
            f"for page in client.data_sources.pages({data_source_id!r}):",
            "    print(page.page_number, page.read_by, page.words)",
        ),
    )


def get_page(data_source_id: str, number: int) -> Snippet:
    """Get the picture of a page, with words marked."""
    path = f"/data-sources/{data_source_id}/pages/{number}.png?highlight=notice+period"
    lines = [
        "import os, httpx",
        "",
        f"address = {_base() + '/api/v1' + path!r}",
        "png = httpx.get(address, auth=(os.environ['KE_API_KEY'], '')).content",
    ]
    return Snippet(_curl(path, options="-o page.png "), "\n".join(lines))


def query(engine_id: str, body: dict[str, Any]) -> Snippet:
    """Ask, and have the answer streamed."""
    named = {name: value for name, value in body.items() if name not in ("query", "name")}
    arguments = "".join(f", {name}={value!r}" for name, value in named.items())
    return Snippet(
        _curl(f"/knowledge-engines/{engine_id}/query", body, options="-N "),
        _python(
            f"for event in client.query({engine_id!r}, {body['query']!r}{arguments}):",
            "    print(event)",
        ),
    )


def retrieve(engine_id: str, body: dict[str, Any]) -> Snippet:
    """Search for passages."""
    named = {name: value for name, value in body.items() if name != "query"}
    arguments = "".join(f", {name}={value!r}" for name, value in named.items())
    return Snippet(
        _curl(f"/knowledge-engines/{engine_id}/retrieve", body),
        _python(
            f"found = client.retrieve({engine_id!r}, {body['query']!r}{arguments})",
            "for chunk in found.chunks:",
            "    print(chunk.score, chunk.filename, chunk.page_number)",
        ),
    )


def extract(engine_id: str, fields: list[dict[str, Any]], sources: list[str]) -> Snippet:
    """Extract fields, and wait until all are finished."""
    tool = {
        "type": TOOL_TYPE,
        "model": EXTRACTION_IDENTIFIERS[0],
        "knowledge_engine_id": engine_id,
        "tagged_data_sources": [{"id": one} for one in sources],
        "fields": fields,
    }
    rows = [f"    RequestedField({_arguments(one)})," for one in fields]
    python = [
        "from knowledge_engine import Client, RequestedField",
        "",
        f"client = Client(base_url={_base()!r})",
        "fields = [",
        *rows,
        "]",
        f"run = client.tool_runs.create({engine_id!r}, fields, {sources!r})",
        "for name, field in run.result.extracted_fields.items():",
        "    print(name, field.value, field.confidence)",
    ]
    return Snippet(_curl("/tool-runs", {"tool": tool}), "\n".join(python))


def list_workflows() -> Snippet:
    """List what was asked, with what it cost."""
    return Snippet(
        _curl("/workflows?limit=100"),
        _python(
            "for workflow in client.workflows.list():", "    print(workflow.model, workflow.usage)"
        ),
    )


def _arguments(field: dict[str, Any]) -> str:
    # A type of field is written as the text that it is.
    plain = {
        name: value if isinstance(value, list) else str(value) for name, value in field.items()
    }
    return ", ".join(f"{name}={value!r}" for name, value in plain.items())


def _python(*lines: str) -> str:
    head = ["from knowledge_engine import Client", "", f"client = Client(base_url={_base()!r})"]
    return "\n".join([*head, *lines])


def _curl(
    path: str, body: dict[str, Any] | None = None, *, method: str = "", options: str = ""
) -> str:
    parts = [f"curl {options}{_CURL_KEY}"]
    if method:
        parts[0] += f" -X {method}"
    if body is not None:
        parts += ["-H 'Content-Type: application/json'", f"-d {_quoted(body)}"]
    return " \\\n  ".join([*parts, _address(path)])


def _quoted(value: dict[str, Any], prefix: str = "") -> str:
    return shlex.quote(prefix + json.dumps(value, ensure_ascii=False))


def _address(path: str) -> str:
    return shlex.quote(f"{_base()}/api/v1{path}")


def _base() -> str:
    return (get_services().settings.public_url or request.host_url).rstrip("/")
