"""A request for every way of answering that a POST has, and what an answer to it says."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

from quart.wrappers import Response
from werkzeug.datastructures import FileStorage

from tests.client import Client, parse_events
from tests.conftest import FILES

Options = dict[str, Any]

ENGINES = "/api/v1/knowledge-engines"
SOURCES = "/api/v1/data-sources"
BATCH = "/api/v1/data-sources/batch"
WORKFLOWS = "/api/v1/workflows"
TOOL_RUNS = "/api/v1/tool-runs"
QUERY = "/api/v1/knowledge-engines/<engine_id>/query"
RETRIEVE = "/api/v1/knowledge-engines/<engine_id>/retrieve"
CHAT = "/v1/chat/completions"
WEBHOOKS = "/api/v1/webhooks"
REPLAY = "/api/v1/webhooks/<webhook_id>/deliveries/<delivery_id>/replay"


def an_upload(engine: str) -> Options:
    data = {"name": "Notes", "type": "file", "knowledge_engine_id": engine}
    file = FileStorage(BytesIO(b"# Notes\n\nThe roof was repaired.\n"), filename="notes.md")
    return {"form": {"data": json.dumps(data)}, "files": {"file": file}}


def a_batch(engine: str) -> Options:
    """Two tickets that are taken, and one that is not."""
    ticket = {"type": "ticket", "knowledge_engine_id": engine}
    data = [ticket | {"name": "One"}, ticket | {"name": ""}, ticket | {"name": "Three"}]
    return {"form": {"data": json.dumps(data)}, "files": {}}


def a_workflow(engine: str) -> Options:
    question = {"name": "End", "type": "query", "query": "When does the lease end?"}
    return {"json": question | {"knowledge_engine_id": engine}}


def a_run(engine: str, source: str, **flags: bool) -> Options:
    fields = [{"field_name": "Tenant", "description": "name of the tenant", "type": "text"}]
    tool = {
        "type": "extract_fields_from_data_sources",
        "model": "gamma-1.5-pro",
        "knowledge_engine_id": engine,
        "tagged_data_sources": [{"id": source}],
        "fields": fields,
    }
    return {"json": {"tool": tool, **flags}}


def a_chat(engine: str, **options: Any) -> Options:
    return {
        "json": {"model": engine, "messages": [{"role": "user", "content": "When?"}], **options}
    }


def a_webhook() -> Options:
    return {"json": {"url": "https://example.com/hook", "events": ["data_source.finished"]}}


def a_query() -> Options:
    return {"json": {"name": "End", "query": "When does the lease end?"}}


Example = tuple[str, Callable[[str, str], Options]]

EXAMPLES: dict[str, Example] = {
    "engine": (ENGINES, lambda *_: {"json": {"name": "Leases", "notes": {"team": "legal"}}}),
    "upload": (SOURCES, lambda engine, _: an_upload(engine)),
    "batch": (BATCH, lambda engine, _: a_batch(engine)),
    "workflow": (WORKFLOWS, lambda engine, _: a_workflow(engine)),
    "query": (QUERY, lambda *_: a_query()),
    "retrieve": (RETRIEVE, lambda *_: {"json": {"query": "roof"}}),
    "run": (TOOL_RUNS, a_run),
    "queued run": (TOOL_RUNS, lambda *ids: a_run(*ids, async_response=True)),
    "streamed run": (TOOL_RUNS, lambda *ids: a_run(*ids, stream_response=True)),
    "chat": (CHAT, lambda engine, _: a_chat(engine)),
    "streamed chat": (CHAT, lambda engine, _: a_chat(engine, stream=True)),
    "webhook": (WEBHOOKS, lambda *_: a_webhook()),
    "replay": (REPLAY, lambda *_: {}),
}
"""A request for every way of answering that a POST has; a new route needs one here."""

CREATED_IN = {
    "engine": "knowledge_engine",
    "upload": "data_source",
    "batch": "data_source",
    "workflow": "workflow",
    "query": "workflow",
    "retrieve": "knowledge_engine",
    "run": "tool_run",
    "queued run": "tool_run",
    "streamed run": "tool_run",
    "chat": "workflow",
    "streamed chat": "workflow",
    "webhook": "webhook",
    "replay": "webhook_delivery",
}


async def answer(response: Response) -> Any:
    """Return what a response says; of a stream what is said together, and its end."""
    body = await response.get_data(as_text=True)
    if "text/event-stream" not in str(response.content_type):
        return json.loads(body)
    if "data: [DONE]" in body or "chat.completion.chunk" in body:
        return chat_answer(body)
    events = parse_events(body)
    return "".join(event.data for event in events[:-1]), events[-1]


def chat_answer(body: str) -> Any:
    blocks = [json.loads(line[6:]) for line in body.splitlines() if line.startswith("data: {")]
    deltas = [choice["delta"] for one in blocks for choice in one.get("choices", [])]
    said = "".join(delta.get("content") or "" for delta in deltas)
    heads = {(one.get("id"), one.get("created"), one.get("model")) for one in blocks}
    return said, heads, deltas[-1], body.rstrip().endswith("data: [DONE]")


async def a_delivery(client: Client, engine: str) -> dict[str, str]:
    """Have a webhook told of something, and return the names of both."""
    webhook = await client.post("/webhooks", **a_webhook()["json"])
    await client.add(engine, FILES / "delivery.eml")
    (delivery,) = await client.get(f"/webhooks/{webhook['id']}/deliveries")
    return {"webhook_id": webhook["id"], "delivery_id": delivery["id"]}
