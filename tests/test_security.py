"""Holes that other services of this kind have had, and that no single file can hold closed.

`docs/security.md` names, for each hole, the test that holds it closed.
"""

import ast
import json
import logging
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from quart import Quart
from sqlalchemy import text
from sqlmodel import SQLModel

from app.api_keys import issue_api_key
from app.application import create_app
from app.console.protection import POLICY
from app.console.sessions import OPEN_PAGES
from app.models.account import select_first_account
from app.models.api_key import select_api_keys, update_revoked
from app.models.knowledge_engine import KnowledgeEngine
from app.models.webhook import Webhook
from app.schemas import RequestBody
from app.services import Services
from app.webhooks.delivering import deliver_due
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import ScriptedLLM

ROOT = Path(__file__).parents[1]

OPEN_TO_ALL = {
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/docs/assets/<path:name>",
    "/files/<token>",
}
"""The routes of the API that need no key; here too, so that no other becomes one unnoticed."""

HOSTILE_SQL = [
    "' OR '1'='1",
    "'; DROP TABLE knowledge_engine; --",
    "\\'; DROP TABLE knowledge_engine; --",
    "x') OR (1=1) --",
    "$1",
    "%(id)s",
]


# --- Revoked keys ------------------------------------------------------------------------------


async def test_revoked_key_opens_nothing_by_what_it_has_begun(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["The lease ends in March."]]
    path = f"/api/v1/knowledge-engines/{engine}/query"
    body = {"name": "End", "query": "When does the lease end?"}
    once = {"Idempotency-Key": "once"}
    stream = await client.call("POST", path, json=body, headers=once)
    event_id = re.findall(r"id: (\S+)", await stream.get_data(as_text=True))[0]
    again = [(once, body), ({"Last-Event-ID": event_id}, body)]
    for headers, repeated in again:
        answer = await client.call("POST", path, json=repeated, headers=headers)
        assert "March" in await answer.get_data(as_text=True)

    elsewhere = await after_revocation(client, services)

    for headers, repeated in again:
        answer = await elsewhere.call("POST", path, json=repeated, headers=headers)
        assert answer.status_code == 401


async def test_revoked_key_opens_no_route(client: Client, services: Services, engine: str) -> None:
    (source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    place = {"engine_id": engine, "data_source_id": source["id"]}
    elsewhere = await after_revocation(client, services)

    answers = {
        (method, rule): (await elsewhere.call(method, filled(rule, place))).status_code
        for method, rule in guarded_routes(elsewhere.app)
    }

    assert len(answers) > 30
    assert set(answers.values()) == {401}, answers


def test_nobody_comes_into_the_console_but_by_signing_in() -> None:
    assert {name.removeprefix("console.") for name in OPEN_PAGES} == {
        "static",
        "sign_in.sign_in",
        "sign_in.welcome",
    }


async def after_revocation(client: Client, services: Services) -> Client:
    """Revoke the key of a client; return the same client at another process."""
    async with services.database.transaction() as session:
        (row,) = await select_api_keys(session)
        assert row.id is not None
        await update_revoked(session, row.id)
    return Client(create_app(services), services, client.key)


async def test_key_follows_from_nothing_that_is_known(services: Services, client: Client) -> None:
    async with services.database.transaction() as session:
        account = await select_first_account(session)
        assert account is not None
        keys = set()
        for _ in range(2):
            random.seed(0)
            keys.add(await issue_api_key(session, account, "same"))

    assert len(keys) == 2


# --- Mass assignment ---------------------------------------------------------------------------

CHANGEABLE = {
    "/api/v1/knowledge-engines/<engine_id>": (KnowledgeEngine, {"name", "description", "notes"}),
    "/api/v1/webhooks/<webhook_id>": (Webhook, {"url", "events", "description", "disabled"}),
}
"""What a request may change of the row behind a path."""


def test_every_route_that_changes_a_row_is_tried(app: Quart) -> None:
    changing = {rule for method, rule in guarded_routes(app) if method in ("PUT", "PATCH")}

    assert changing == set(CHANGEABLE)


@pytest.mark.parametrize("rule", CHANGEABLE)
async def test_change_reaches_only_what_may_be_changed(
    client: Client, stranger: Client, services: Services, rule: str
) -> None:
    table, changeable = CHANGEABLE[rule]
    place = {"engine_id": await client.create_engine()}
    webhook = {"url": "https://example.com/hook", "events": ["data_source.finished"]}
    place["webhook_id"] = (await client.post("/webhooks", **webhook))["id"]
    other = {"engine_id": await stranger.create_engine()}
    other["webhook_id"] = (await stranger.post("/webhooks", **webhook))["id"]
    (name,) = re.findall("<(.*?)>", rule)
    before, foreign = [await row_of(services, table, ids[name]) for ids in (place, other)]
    taken = {column: foreign[column] for column in foreign if column not in changeable}
    assert {"id", "account_id", "created_at"} <= set(taken)

    written = {column: str(value) for column, value in taken.items()} | {"account_id": 2}
    response = await client.call("PUT", filled(rule, place), json=written)

    assert response.status_code == 200
    assert await row_of(services, table, place[name]) == before


@pytest.mark.parametrize("path", ["/knowledge-engines", "/webhooks"])
async def test_new_row_is_of_the_account_that_calls(
    client: Client, stranger: Client, path: str
) -> None:
    body = {"name": "n", "url": "https://example.com/hook", "events": ["data_source.finished"]}

    made = await client.post(path, **body, id="kng_aaaaaaaaaaaaaa", account_id=2, created_at=0)

    assert made["id"] != "kng_aaaaaaaaaaaaaa"
    assert [one["id"] for one in await client.get(path)] == [made["id"]]
    assert await stranger.get(path) == []


async def row_of(services: Services, table: type[SQLModel], row_id: str) -> dict[str, Any]:
    async with services.database.transaction() as session:
        row = await session.get(table, row_id)
    assert row is not None
    return row.model_dump()


# --- Injection ---------------------------------------------------------------------------------


@pytest.mark.parametrize("hostile", HOSTILE_SQL)
async def test_hostile_text_in_an_address_is_refused(onlooker: Client, hostile: str) -> None:
    engines = await onlooker.get("/knowledge-engines")

    answers = {}
    for method, rule in guarded_routes(onlooker.app):
        if "<" in rule and "path:" not in rule:
            path = re.sub("<.*?>", hostile.replace("%", "%25"), rule)
            answers[method, rule] = (await onlooker.call(method, path, json={})).status_code

    assert set(answers.values()) <= {400, 404, 415}, answers
    assert await onlooker.get("/knowledge-engines") == engines != []


@pytest.mark.parametrize("hostile", HOSTILE_SQL)
async def test_hostile_text_in_a_filter_finds_nothing(
    client: Client, stranger: Client, hostile: str
) -> None:
    await stranger.create_engine("Foreign")
    names = ("after", "knowledge_engine_id", "context_id", "status", "type", "action", "limit")

    for method, rule in guarded_routes(client.app):
        for name in names if method == "GET" and "<" not in rule else ():
            response = await client.call("GET", rule, query_string={name: hostile})
            answer = await response.get_data(as_text=True)
            assert response.status_code in (200, 400, 404), (rule, name, answer)
            assert "Foreign" not in answer, (rule, name)


@pytest.mark.parametrize("hostile", HOSTILE_SQL)
async def test_hostile_text_is_stored_and_searched_as_text(client: Client, hostile: str) -> None:
    engine_id = await client.create_engine(hostile)
    ticket = {"name": hostile, "type": "ticket", "content": f"The lamp is lit. {hostile}"}
    await client.post(
        "/data-sources", knowledge_engine_id=engine_id, notes={hostile: hostile}, **ticket
    )
    await client.read_all(engine_id)
    path = f"/knowledge-engines/{engine_id}/retrieve"

    found = await client.post(path, query=hostile, filter={hostile: hostile})
    others = await client.post(path, query=hostile, filter={hostile: "another"})

    assert [chunk["filename"] for chunk in found["chunks"]] != []
    assert others["chunks"] == []
    assert (await client.get(f"/knowledge-engines/{engine_id}"))["name"] == hostile


@pytest.mark.parametrize("hostile", HOSTILE_SQL)
@pytest.mark.parametrize("key", ["{}", "ke-{}", "{key}{}", "ke-000000{}"])
async def test_hostile_text_is_no_key(onlooker: Client, key: str, hostile: str) -> None:
    hostile_key = key.format(hostile, key=onlooker.key)
    client = Client(onlooker.app, onlooker.services, hostile_key)

    assert await client.error("GET", "/knowledge-engines") == (401, "Unauthorized")


SQL = re.compile(
    r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|DROP|CREATE|ALTER|SET|WITH|COPY|WHERE|AND|OR)\s"
)

STATEMENTS_PUT_TOGETHER = {
    "app/models/migrations/versions/0011_row_level_security.py": "the tables that it lists",
    "app/tenancy.py": "the names of a role and of a setting of ours",
    "indexing/thread_connections.py": "a number of ours",
    "indexing/vector_store.py": "a size of ours",
}
"""Where a statement is put together, and of what."""


def test_values_never_become_part_of_a_statement() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for package in ("app", "indexing", "config")
        for path in (ROOT / package).rglob("*.py")
        if any(SQL.match(begin) for begin in put_together(ast.parse(path.read_text())))
    }

    assert found == set(STATEMENTS_PUT_TOGETHER)


def put_together(tree: ast.AST) -> Iterator[str]:
    """Yield how each text begins that is put together of a literal and a value."""
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=[ast.Constant(value=str(begin)), *_]):
                yield begin
            case ast.BinOp(left=ast.Constant(value=str(begin)), op=ast.Mod() | ast.Add()):
                yield begin
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(begin)), attr="format")):
                yield begin
            case ast.Call(
                func=ast.Name(id="text") | ast.Attribute(attr="text" | "execute" | "SQL"),
                args=[ast.JoinedStr() | ast.BinOp(), *_],
            ):
                yield "WHERE "


# --- Requests to elsewhere ---------------------------------------------------------------------


def test_no_request_but_a_webhook_names_an_address() -> None:
    named = {
        (kind.__name__, field)
        for kind in kinds_of_body(RequestBody)
        for field in re.findall(r"'(\w+)': {", str(kind.model_json_schema()))
        if re.search(r"ur[il]|host|endpoint|api_base|callback|proxy|address", field)
    }

    assert named == {("WebhookRequest", "url"), ("WebhookUpdate", "url")}


def kinds_of_body(kind: type[RequestBody]) -> Iterator[type[RequestBody]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from kinds_of_body(narrower)


def test_pages_of_the_console_load_from_here_only() -> None:
    directives = dict(one.split(" ", 1) for one in POLICY.split("; "))

    assert directives["default-src"] == "'self'"
    assert {"object-src", "base-uri", "form-action", "frame-ancestors"} <= set(directives)
    for name, allowed in directives.items():
        # Data within a page reaches nobody.
        assert set(allowed.split()) <= {"'self'", "'none'", "data:"}, name
    assert "data:" not in directives.get("script-src", "")


# --- Secrets -----------------------------------------------------------------------------------


async def test_no_secret_is_stored_logged_or_told(
    client: Client, services: Services, engine: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    webhook = await client.post(
        "/webhooks", url="https://127.0.0.1.example/", events=["data_source.finished"]
    )
    (source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    link = (await client.get(f"/data-sources/{source['id']}/presigned-url"))["presigned_url"]
    await client.add(engine, FILES / "supplier-handbook.docx")
    await deliver_due(services)
    told = [
        await (await client.call("GET", path)).get_data(as_text=True)
        for path in ("/metrics", "/readyz", "/api/v1/audit-log", "/api/v1/webhooks", "/nowhere")
    ]
    stranger = Client(client.app, services, client.key + "x")
    told.append(await (await stranger.call("GET", "/api/v1/workflows")).get_data(as_text=True))

    stored = await everything(services)

    assert source["id"] in stored
    secrets = {
        "key": client.key,
        "secret of a webhook": webhook["secret"].removeprefix("whsec_"),
        "link": link.rpartition("/")[2],
        "credential of a model": "value of ",
    }
    places = {"rows": stored, "logs": caplog.text, "answers": "".join(told)}
    leaks = {
        (name, place)
        for name, secret in secrets.items()
        for place, words in places.items()
        if secret in words
    }
    assert leaks == set()


async def everything(services: Services) -> str:
    """Return all rows of all tables as text: what a copy of the database tells."""
    names = "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'"
    async with services.database.engine.connect() as connection:
        tables = list(await connection.scalars(text(names)))
        rows = [
            str(row)
            for table in tables
            for row in await connection.scalars(text(f"SELECT t::text FROM {table} t"))
        ]
    return "\n".join(rows)


# --- Dependencies ------------------------------------------------------------------------------


def test_every_package_is_pinned_with_its_hashes() -> None:
    lines = (ROOT / "requirements.lock").read_text().replace("\\\n", " ").splitlines()
    packages = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]

    assert len(packages) > 100
    for line in packages:
        assert re.match(r"[a-z0-9-]+(\[[a-z0-9,-]+\])?==[\w.+!]+ ", line), line
        assert "--hash=sha256:" in line, line


def test_packages_are_installed_as_they_are_pinned_only() -> None:
    for name in ("scripts/make-environment", "deploy/Containerfile"):
        installing = [line for line in (ROOT / name).read_text().splitlines() if "pip sync" in line]
        assert installing, name
        assert all("--require-hashes" in line for line in installing), name


FOUND = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["2.0"], "description": ""}


@pytest.mark.parametrize(
    ("vulnerabilities", "code", "says"),
    [
        pytest.param([FOUND], 1, "lamp 1.0: PYSEC-1, mended in 2.0", id="mended"),
        pytest.param([FOUND | {"fix_versions": []}], 0, "mended in no version", id="not mended"),
        pytest.param([], 0, "1 packages looked up, 1 unknown", id="nothing known"),
        pytest.param(None, 0, "cannot be reached", id="nobody to ask"),
    ],
)
def test_audit_fails_on_what_can_be_mended(
    vulnerabilities: list[Any] | None, code: int, says: str, tmp_path: Path
) -> None:
    packages: list[dict[str, Any]] = [{"name": "oil", "skip_reason": "not found"}]
    if vulnerabilities is not None:
        packages.append({"name": "lamp", "version": "1.0", "vulns": vulnerabilities})
    (tmp_path / "report").write_text(json.dumps({"dependencies": packages, "fixes": []}))

    command = [sys.executable, ROOT / "scripts" / "audit", tmp_path / "report"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (code, "")
    assert says in done.stdout


# -----------------------------------------------------------------------------------------------


def guarded_routes(app: Quart) -> list[tuple[str, str]]:
    """Return method and path of each route of the API that asks for a key."""
    return [
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        if not rule.endpoint.startswith(("console", "static"))
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
        if rule.rule not in OPEN_TO_ALL
    ]


def filled(rule: str, place: dict[str, str]) -> str:
    """Write the ids of a place into a path."""
    return re.sub("<(.*?)>", lambda part: place.get(part[1], "wfl_aaaaaaaaaaaaaa"), rule)
