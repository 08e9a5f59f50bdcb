"""What belongs to another account is, in every answer of every route, as if it did not exist.

The calls are made from the routes that the application has. No time is measured: the same
statements, with other values, are what takes the same time.
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from sqlalchemy import event, func
from sqlmodel import SQLModel, col, delete, select, update

from app import ids
from app.api_keys import REMEMBERED_SECONDS
from app.models.api_key import ApiKey, update_revoked
from app.models.data_source import DataSourceStatus
from app.models.deletion_receipt import DeletionReceipt
from app.models.knowledge_engine import KnowledgeEngine, delete_knowledge_engine
from app.models.stream import Stream
from app.models.tool_run import ToolRun, ToolRunStatus
from app.models.webhook import Webhook
from app.models.webhook_delivery import WebhookDelivery
from app.scopes import Scope
from app.services import Services
from tests.app.console.browser import Browser, signed_in
from tests.app.models.rows import data_source, workflow
from tests.app.test_keys_of_one_engine import CHAT, QUESTION, call, fill, tool_run
from tests.app.test_scopes import routes
from tests.client import Client
from tests.conftest import new_key

KINDS = {
    "engine_id": ids.KNOWLEDGE_ENGINE,
    "data_source_id": ids.DATA_SOURCE,
    "workflow_id": ids.WORKFLOW,
    "run_id": ids.TOOL_RUN,
    "webhook_id": ids.WEBHOOK,
    "delivery_id": ids.WEBHOOK_DELIVERY,
    "receipt_id": ids.DELETION_RECEIPT,
    "stream_id": ids.IdKind("stream", "strm"),
}
"""What the routes call their ids, and those of streams."""

Ids = dict[str, str]

URL = "https://example.com/hook"

BODIES: dict[str, dict[str, Any]] = {
    "knowledge_engines.update_knowledge_engine": {"json": {"name": "Mine"}},
    "retrieval.retrieve": {"json": {"query": "rent"}},
    "queries.query": {"json": QUESTION},
    "webhooks.update_webhook": {"json": {"description": "Mine"}},
}
"""What a route with an id must be sent, or the id would not be looked at."""

OWN_ENGINE = "/api/v1/knowledge-engines/{own_engine_id}"

ELSEWHERE: list[tuple[str, str, dict[str, Any]]] = [
    (
        "POST",
        "/api/v1/workflows",
        {"json": {**QUESTION, "type": "query", "knowledge_engine_id": "{engine_id}"}},
    ),
    (
        "POST",
        "/api/v1/data-sources",
        {
            "json": {
                "name": "n",
                "type": "ticket",
                "content": "c",
                "knowledge_engine_id": "{engine_id}",
            }
        },
    ),
    ("DELETE", "/api/v1/data-sources/batch", {"json": {"ids": ["{data_source_id}"]}}),
    ("POST", "/api/v1/tool-runs", {"json": tool_run("{engine_id}", "{data_source_id}")}),
    ("POST", "/api/v1/tool-runs", {"json": tool_run("{own_engine_id}", "{data_source_id}")}),
    ("POST", "/api/v1/tool-runs", {"headers": {"Last-Event-ID": "{run_id}-1"}}),
    (
        "POST",
        f"{OWN_ENGINE}/retrieve",
        {"json": {"query": "rent", "data_source_id": "{data_source_id}"}},
    ),
    ("POST", f"{OWN_ENGINE}/query", {"headers": {"Last-Event-ID": "{stream_id}-1"}}),
    (
        "POST",
        "/api/v1/webhooks",
        {
            "json": {
                "url": URL,
                "events": ["data_source.finished"],
                "knowledge_engine_id": "{engine_id}",
            }
        },
    ),
    ("POST", "/v1/chat/completions", {"json": CHAT | {"model": "{engine_id}"}}),
    ("GET", "/api/v1/workflows?knowledge_engine_id={engine_id}", {}),
    ("GET", "/api/v1/tool-runs?knowledge_engine_id={engine_id}", {}),
    ("GET", "/api/v1/knowledge-engines?after={engine_id}", {}),
    ("GET", f"{OWN_ENGINE}/data-sources?after={{data_source_id}}", {}),
    ("GET", "/api/v1/workflows?after={workflow_id}", {}),
    ("GET", "/api/v1/tool-runs?after={run_id}", {}),
    ("GET", "/api/v1/deletion-receipts?after={receipt_id}", {}),
    ("GET", "/api/v1/webhooks?after={webhook_id}", {}),
]
"""Ids that stand in bodies, headers and queries."""

FORM = {"name": "n", "content": "c", "value": "v", "data_source_id": "{data_source_id}"}
"""What the forms of the console ask for."""

LOOKED_AT_LATER = {
    "console.ask.ask",
    "console.documents.create_ticket",
    "console.documents.delete_documents",
    "console.documents.upload_document",
    "console.extract.start_extraction",
}
"""Forms that are refused for something else first; the API's routes behind them are tried."""

MALFORMED = [
    "nonsense",
    "_",
    "xyz_0123456789abcd",
    "{prefix}",
    "{prefix}_",
    "{prefix}_short",
    "{prefix}_0123456789012345678901",
    "{prefix}_0123456789abc%00",
    "{prefix}_0123456789abc%20",
    "{prefix}_0123456789abc%27",
    "{prefix}_0123456789abc%D9%A3",
    "%E2%80%8B{prefix}_0123456789abcd",
    "..",
]
"""Nothing that an id looks like; the last but one begins with a space without width."""


@dataclass
class World:
    """Two accounts that hold everything; `client` is of the second one."""

    client: Client
    own: Ids
    foreign: Ids  # of the first account
    deleted: Ids  # were of the second account
    absent: Ids


@pytest.fixture
async def world(client: Client, stranger: Client, services: Services) -> World:
    own = await filled(stranger, services, 2, "own")
    deleted = await filled(stranger, services, 2, "deleted")
    foreign = await filled(client, services, 1, "foreign")
    services.is_awake = True  # Else each request looks whether there is something to ask about.
    await stranger.call("DELETE", f"/api/v1/knowledge-engines/{deleted['engine_id']}")
    await stranger.call("DELETE", f"/api/v1/webhooks/{deleted['webhook_id']}")
    async with services.database.transaction() as session:
        receipt = col(DeletionReceipt.id) == deleted["receipt_id"]
        await session.exec(delete(DeletionReceipt).where(receipt))
    return World(stranger, own, foreign, deleted, new_ids("absent"))


@pytest.mark.parametrize("scope", Scope)
async def test_foreign_and_deleted_answer_as_what_never_was(
    world: World, services: Services, scope: Scope
) -> None:
    await narrow(services, scope)

    for each in calls(world):
        absent = await answer(world, *each, world.absent)
        assert await answer(world, *each, world.foreign) == absent, each
        assert await answer(world, *each, world.deleted) == absent, each


async def test_key_of_one_engine_does_not_tell_the_others_from_what_never_was(
    world: World, services: Services
) -> None:
    world.client.key = await new_key(services, engine_id=await other_engine(services))
    world.own["engine_id"] = await other_engine(services)

    for each in calls(world):
        absent = await answer(world, *each, world.absent)
        assert await answer(world, *each, world.foreign) == absent, each


async def test_own_answers_otherwise(world: World) -> None:
    """Else the tests above would hold for a service that always says the same."""
    # After the only one of a kind there is nothing, as after none; and it is deleted only once.
    named = [one for one in calls(world) if "?after=" not in one[1] and "/batch" not in one[1]]
    for each in sorted(named, key=lambda one: (one[0] == "DELETE", "{engine_id}" in one[1])):
        own = await answer(world, *each, world.own)
        assert own[:2] != (await answer(world, *each, world.absent))[:2], each


async def test_routes_say_that_what_never_was_is_not_there(world: World) -> None:
    for method, path, options in in_paths(world):
        status, body, _ = await answer(world, method, path, options, world.absent)
        assert (status, "not found" in str(body)) == (404, True), (method, path)


async def test_malformed_id_is_refused_without_being_looked_up(world: World) -> None:
    for form, (method, path, options) in product(MALFORMED, in_paths(world)):
        malformed = {name: form.format(prefix=kind.prefix) for name, kind in KINDS.items()}
        status, body, statements = await answer(world, method, path, options, malformed)
        unknown = re.fullmatch(r"Not Found|Method Not Allowed", str(body["error"]))
        asked = (form, method, path)
        assert unknown or (status, "Invalid " in str(body)) == (400, True), (asked, body)
        assert statements == [], asked


@pytest.mark.parametrize("state", ["none", "garbage", "unknown", "revoked", "of a deleted engine"])
async def test_key_that_opens_nothing_tells_nothing(
    world: World, services: Services, state: str
) -> None:
    world.client.key = await dead_key(services, state)
    malformed = dict.fromkeys(KINDS, "nonsense")

    for _, method, path in routes(world.client.app):
        path = as_template(path)
        refused = await answer(world, method, path, {}, world.absent)
        assert (refused[0], refused[2], "Unauthorized" in str(refused[1])) == (401, [], True), path
        for given in (world.foreign, world.own, malformed):
            assert await answer(world, method, path, {}, given) == refused, (method, path)


async def test_pages_of_the_console_take_foreign_for_what_never_was(
    world: World, services: Services
) -> None:
    browser = await signed_in(world.client.app, services)  # To the first account.
    unlike: set[str] = set()

    for rule in world.client.app.url_map.iter_rules():
        if not rule.endpoint.startswith("console.") or "_id>" not in rule.rule:
            continue
        path = as_template(re.sub("[<>]", "", rule.rule))
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            absent = await page(browser, services, method, path, world.absent)
            assert await page(browser, services, method, path, world.own) == absent, (method, path)
            unlike |= set() if absent[0] == 404 else {rule.endpoint}

    assert unlike == LOOKED_AT_LATER


def calls(world: World) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield method, path and options of every call that names something."""
    yield from in_paths(world)
    yield from ELSEWHERE


def in_paths(world: World) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield a call of every route of the API that has an id in its path."""
    for endpoint, method, path in routes(world.client.app):
        if "_id" in path:
            yield method, as_template(path), BODIES.get(endpoint, {})


def as_template(path: str) -> str:
    """Put `{engine_id}` and the like where a route has its ids, and 1 for its numbers."""
    named = re.sub(r"(?<=/)(\w+_id)\b", r"{\1}", path)
    return re.sub(r"(?<=/)(int:)?(number|position)\b", "1", named)


async def answer(
    world: World, method: str, path: str, options: dict[str, Any], given: Ids
) -> tuple[int, Any, list[str]]:
    """Return status, body and the statements of a call; ids that it repeats are left out."""
    known = given | {"own_engine_id": world.own["engine_id"]}
    with statements_of(world.client.services) as statements:
        status, body = await call(world.client, method, path, options, known)
    return status, without(given, body), statements


async def page(
    browser: Browser, services: Services, method: str, path: str, given: Ids
) -> tuple[int, str, list[str]]:
    with statements_of(services) as statements:
        form = FORM if method == "POST" else {}
        response = await browser.act(method, fill(path, given), **form)
        text = await response.get_data(as_text=True)
    return response.status_code, without(given, text), statements


def without(given: Ids, body: Any) -> Any:
    """Return a body in which the ids of the call stand as what they are ids of."""
    if isinstance(body, str):
        for name, given_id in given.items():
            body = body.replace(given_id, name)
        return body
    if isinstance(body, list):
        return [without(given, one) for one in body]
    if isinstance(body, dict):
        return {key: without(given, one) for key, one in body.items()}
    return body


@contextmanager
def statements_of(services: Services) -> Iterator[list[str]]:
    """Collect what is sent to the database, but for what is not done at each call.

    That is the look-up of keys, once a second, and the entry of a refused key, once an hour.
    """
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "api_key" not in statement and "INSERT INTO audit_entry" not in statement:
            statements.append(statement)

    engine = services.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    yield statements
    event.remove(engine, "before_cursor_execute", note)


def new_ids(word: str) -> Ids:
    """Return an id of each kind, the same for the same word."""
    return {name: ids.derive_id(kind, word.encode()) for name, kind in KINDS.items()}


async def filled(client: Client, services: Services, account_id: int, word: str) -> Ids:
    """Store one of each kind for an account; return their ids."""
    engine = await client.create_engine()
    known = new_ids(word) | {"engine_id": engine}
    source, run = known["data_source_id"], known["run_id"]
    status = DataSourceStatus.PROCESSED
    tool = tool_run(engine, source)["tool"]
    owner: dict[str, Any] = {"account_id": account_id, "knowledge_engine_id": engine}
    rows: list[SQLModel] = [
        data_source(account_id, engine, 1, id=source, status=status, outcome="ok"),
        workflow(account_id, engine, 1, id=known["workflow_id"]),
        ToolRun(id=run, tool=tool, status=ToolRunStatus.COMPLETED, **owner),
        Stream(id=known["stream_id"], is_over=True, **owner),
        Webhook(id=known["webhook_id"], account_id=account_id, url=URL, events=[]),
        DeletionReceipt(id=known["receipt_id"], content={}, signature="signed", **owner),
    ]
    delivery = WebhookDelivery(
        id=known["delivery_id"], webhook_id=known["webhook_id"], event="e", payload="{}"
    )
    async with services.database.transaction() as session:
        session.add_all(rows)
        await session.flush()
        session.add(delivery)
    return known


async def narrow(services: Services, scope: Scope) -> None:
    """Let the key of the second account do no more than this, and wait until that holds."""
    statement = update(ApiKey).where(col(ApiKey.account_id) == 2).values(scope=scope)
    async with services.database.transaction() as session:
        await session.exec(statement)
    await asyncio.sleep(REMEMBERED_SECONDS)


async def other_engine(services: Services) -> str:
    """Return a further engine of the first account, always the same."""
    engine_id = ids.derive_id(ids.KNOWLEDGE_ENGINE, b"other")
    async with services.database.transaction() as session:
        await session.merge(KnowledgeEngine(id=engine_id, account_id=1, name="Other"))
    return engine_id


async def dead_key(services: Services, state: str) -> str:
    """Return what opens nothing; of the first account, where it once did."""
    if state == "none":
        return ""
    if state == "garbage":
        return "not a key"
    if state == "unknown":
        return f"ke-{'k' * 40}"
    key = await new_key(services, engine_id=await other_engine(services))
    async with services.database.transaction() as session:
        if state == "revoked":
            latest = (await session.exec(select(func.max(ApiKey.id)))).one()
            assert latest is not None
            await update_revoked(session, latest)
        else:
            engine = await session.get_one(KnowledgeEngine, await other_engine(services))
            await delete_knowledge_engine(session, engine)
    return key
