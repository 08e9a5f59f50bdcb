"""An account that has one thing of each kind, so that requests which are made up meet something."""

import json
from typing import Any

from tests.client import Client
from tests.conftest import FILES

FIELD = {"field_name": "Tenant", "description": "name of the tenant", "type": "text"}
HOOK = {"url": "https://example.com/hook", "events": ["data_source.finished", "tool_run.finished"]}


async def furnish(client: Client) -> dict[str, Any]:
    """Make one thing of each kind; return what stands for it, by the names of its parameters."""
    engine_id = await client.create_engine()
    webhook = await client.post("/webhooks", **HOOK)
    source = await client.add(engine_id, FILES / "warehouse-lease.pdf")
    workflow = await client.ask(engine_id, "When does the lease end?")
    tool = {
        "type": "extract_fields_from_data_sources",
        "model": "gamma-1.5-pro",
        "knowledge_engine_id": engine_id,
        "tagged_data_sources": [{"id": source["id"]}],
        "fields": [FIELD],
    }
    run = await client.post("/tool-runs", tool=tool)
    (_, delivery) = await client.get(f"/webhooks/{webhook['id']}/deliveries")
    link = await client.get(f"/data-sources/{source['id']}/presigned-url")
    spare = await client.create_engine("To be deleted")
    receipt = await client.call("DELETE", f"/api/v1/knowledge-engines/{spare}?receipt=true")
    return {
        "engine_id": engine_id,
        "knowledge_engine_id": engine_id,
        "webhook_id": webhook["id"],
        "delivery_id": delivery["id"],
        "data_source_id": source["id"],
        "workflow_id": workflow["id"],
        "context_id": workflow["context_id"],
        "run_id": run["id"],
        "receipt_id": (await receipt.get_json())["receipt"]["id"],
        "token": link["presigned_url"].rpartition("/")[2],
        "number": "1",
        "ids": source["id"],
        "after": engine_id,
        "url": HOOK["url"],
        "tagged_data_sources": [{"id": source["id"], "page_range": "1"}],
        "model": "auto",
    }


def right_body(world: dict[str, Any], endpoint: str) -> dict[str, Any]:
    """Return a body that the endpoint takes, of things that are there; {} where it takes none."""
    engine_id = world["engine_id"]
    question = {"name": "n", "type": "query", "query": "When does the lease end?"}
    bodies: dict[str, dict[str, Any]] = {
        "knowledge_engines.create_knowledge_engine": {"name": "n", "description": "d", "notes": {}},
        "knowledge_engines.update_knowledge_engine": {"name": "n", "description": "d", "notes": {}},
        "queries.query": question | {"context_id": world["context_id"], "model": "auto"},
        "workflows.create_workflow": question | {"knowledge_engine_id": engine_id},
        "retrieval.retrieve": {"query": "lease", "top_k": 5, "filter": {"a": "b"}},
        "webhooks.create_webhook": HOOK | {"description": "d"},
        "webhooks.update_webhook": HOOK | {"description": "d"},
    }
    return bodies.get(endpoint, {})


def meet(world: dict[str, Any], value: Any) -> Any:
    """Return what was made up, with what is there in the place of names that nothing has."""
    if isinstance(value, list):
        return [meet(world, one) for one in value]
    if isinstance(value, dict):
        return {name: world.get(name) or meet(world, one) for name, one in value.items()}
    return value


def meet_in_body(world: dict[str, Any], body: Any, path: str) -> Any:
    """Do the same in the body of a request to a path, whose forms hold JSON as text."""
    body = meet(world, body)
    engine_id = world["engine_id"]
    match path, body:
        case "/v1/chat/completions", {"model": _}:
            return body | {"model": engine_id}
        case "/api/v1/tool-runs", {"tool": {"model": _} as tool}:
            # There is no worker that would do what nobody waits for.
            tool = tool | {"model": "gamma-1.5-pro"}
            return body | {"tool": tool, "async_response": False}
        case "/api/v1/data-sources" | "/api/v1/data-sources/batch", {"data": str() as name}:
            entry = {"name": name or "x", "type": "ticket", "knowledge_engine_id": engine_id}
            is_batch = path.endswith("batch")
            return body | {"data": json.dumps([entry] if is_batch else entry)}
    return body
