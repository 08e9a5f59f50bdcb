import asyncio
import json
import re
from typing import Any

import pytest

from app.extracting import work_on
from app.ids import TOOL_RUN, new_id
from app.services import Services
from app.work_line import TOO_MANY_RUNS, WorkLine
from config.model_table import BUILT_IN
from tests.app.blueprints.tool_runs import RENT, TENANT, a_tool, jobs, tagged
from tests.app.test_deleting import while_deleted
from tests.client import Client, Event, parse_events
from tests.conftest import FILES

pytestmark = pytest.mark.usefixtures("without_a_key")

KIND = {
    "field_name": "Kind",
    "description": "what is leased",
    "type": "single_select",
    "options": ["warehouse", "office", 3],
}


async def test_finished_run_is_returned_and_found_at_its_location(
    client: Client, engine: str, source: str
) -> None:
    body = {"tool": a_tool(engine, source), "notes": {"batch": 7}}

    response = await client.call("POST", "/api/v1/tool-runs", json=body)

    created = await response.get_json()
    assert (response.status_code, created["status"]) == (201, "completed")
    assert response.headers["Location"] == f"/api/v1/tool-runs/{created['id']}"
    assert await client.get(f"/tool-runs/{created['id']}") == created
    assert await client.get("/tool-runs") == [created]


async def test_run_has_the_documented_fields(client: Client, engine: str, source: str) -> None:
    tool = a_tool(engine, source, RENT, KIND, TENANT)

    run = await client.post("/tool-runs", tool=tool, notes={"batch": 7})

    result = run["result"]
    fields = result["extracted_fields"]
    assert list(run) == ["id", "status", "created_at", "tool", "result", "usage", "error"]
    assert run["tool"] == tool | {
        "include_confidence_scores": True,
        "stream_response": False,
        "async_response": False,
        "notes": {"batch": 7},
    }
    assert list(fields) == ["Yearly rent", "Kind", "Tenant"]
    assert [field["type"] for field in fields.values()] == ["currency", "single_select", "text"]
    assert [field.get("options") for field in fields.values()] == [None, KIND["options"], None]
    assert all(0 <= field["confidence"] <= 1 for field in fields.values())
    assert result["metadata"]["sources_analyzed"] == 1
    assert result["metadata"]["model_used"] == BUILT_IN
    assert result["metadata"]["processing_time"] > 0
    assert run["usage"]["prompt_tokens"] == 0
    assert run["error"] is None


async def test_value_has_its_evidence(client: Client, engine: str, source: str) -> None:
    run = await client.post("/tool-runs", tool=a_tool(engine, source, RENT))

    field = run["result"]["extracted_fields"]["Yearly rent"]
    evidence = field["evidence"][0]
    pages = {page["page_number"] for page in await client.get(f"/data-sources/{source}/pages")}
    assert evidence["data_source_id"] == source
    assert evidence["file_name"] == "warehouse-lease.pdf"
    assert evidence["page_number"] in pages
    assert len(evidence["bbox"]) == 4
    assert field["reason"]


async def test_what_the_documents_do_not_hold_is_null_and_uncertain(
    client: Client, engine: str, source: str
) -> None:
    field = {"field_name": "Hull", "description": "length of the ship's hull", "type": "number"}

    run = await client.post("/tool-runs", tool=a_tool(engine, source, RENT, field))

    found = run["result"]["extracted_fields"]["Hull"]
    assert (run["status"], found["value"], found["evidence"]) == ("completed", None, [])
    assert found["confidence"] <= 0.3
    assert run["result"]["metadata"]["fields_extracted"] == 1


async def test_least_certain_field_is_looked_at_first(
    client: Client, engine: str, source: str
) -> None:
    run = await client.post("/tool-runs", tool=a_tool(engine, source, RENT, KIND, TENANT))

    fields, metadata = run["result"]["extracted_fields"], run["result"]["metadata"]
    confidences = [fields[name]["confidence"] for name in metadata["review_order"]]
    assert sorted(metadata["review_order"]) == ["Kind", "Tenant", "Yearly rent"]
    assert confidences == sorted(confidences)
    assert metadata["average_confidence"] == pytest.approx(sum(confidences) / 3, abs=1e-4)


async def test_confidence_can_be_left_out(client: Client, engine: str, source: str) -> None:
    tool = a_tool(engine, source, include_confidence_scores=False)

    run = await client.post("/tool-runs", tool=tool)
    streamed = await stream(client, tool=tool)

    metadata = run["result"]["metadata"]
    fields = run["result"]["extracted_fields"].values()
    assert run["tool"]["include_confidence_scores"] is False
    assert not any("confidence" in field for field in fields)
    assert not {"average_confidence", "review_order"} & set(metadata)
    assert not any("confidence" in json.loads(event.data) for event in streamed[:-1])


async def test_odd_names_of_fields_are_names(client: Client, engine: str, source: str) -> None:
    names = ["__class__", "a.b", "💶 total", " ", "field_0", "Größe\u2028'\"", "*", "model_config"]
    names += [f"field number {number}" for number in range(192)]
    fields = [{"field_name": one, "description": "the rent", "type": "currency"} for one in names]

    run = await client.post("/tool-runs", tool=a_tool(engine, source, *fields))

    assert list(run["result"]["extracted_fields"]) == names


async def test_page_range_is_where_is_looked(client: Client, engine: str, source: str) -> None:
    elsewhere = a_tool(engine, source, RENT, tagged_data_sources=[tagged(source, "3")])
    there = a_tool(engine, source, RENT, tagged_data_sources=[tagged(source, "2-3")])

    missed = await client.post("/tool-runs", tool=elsewhere)
    found = await client.post("/tool-runs", tool=there)

    assert {one["page_number"] for one in evidence_of(missed)} <= {3}
    assert {one["page_number"] for one in evidence_of(found)} == {2}
    assert missed["tool"]["tagged_data_sources"] == [{"id": source, "page_range": "3"}]


async def test_several_data_sources_are_looked_at(client: Client, engine: str, source: str) -> None:
    other = await client.add(engine, FILES / "supplier-handbook.docx")
    days = {"field_name": "d", "description": "invoices are paid within days", "type": "number"}
    tool = a_tool(
        engine, source, RENT, days, tagged_data_sources=[tagged(source), tagged(other["id"])]
    )

    run = await client.post("/tool-runs", tool=tool)

    assert run["result"]["metadata"]["sources_analyzed"] == 2
    assert {one["data_source_id"] for one in evidence_of(run)} == {source, other["id"]}


async def test_synonyms_of_ids_are_understood(client: Client, engine: str, source: str) -> None:
    tool = a_tool(f"ke_{engine[4:]}", f"dsc_{source[3:]}")

    run = await client.post("/tool-runs", tool=tool)

    assert run["status"] == "completed"
    assert run["tool"]["knowledge_engine_id"] == engine
    assert run["tool"]["tagged_data_sources"] == [{"id": source}]


async def test_null_counts_as_left_out(client: Client, engine: str, source: str) -> None:
    tool = a_tool(engine, source, RENT | {"options": None}, tagged_data_sources=[tagged(source)])
    tool |= {"include_confidence_scores": None}

    run = await client.post("/tool-runs", tool=tool, notes=None, async_response=None)

    assert run["status"] == "completed"
    assert run["tool"]["include_confidence_scores"] is True
    assert run["tool"]["fields"] == [RENT]


async def test_what_another_account_owns_is_as_if_it_did_not_exist(
    client: Client, stranger: Client, engine: str, source: str
) -> None:
    run = await client.post("/tool-runs", tool=a_tool(engine, source))
    own = await stranger.create_engine()

    for method in ("GET", "DELETE"):
        missing = await stranger.error(method, f"/tool-runs/{new_id(TOOL_RUN)}")
        assert await stranger.error(method, f"/tool-runs/{run['id']}") == missing
        assert missing == (404, "tool run not found")
    assert await stranger.get("/tool-runs") == []
    assert await stranger.error("POST", "/tool-runs", json={"tool": a_tool(engine, source)}) == (
        400,
        "knowledge engine not found",
    )
    assert await stranger.error("POST", "/tool-runs", json={"tool": a_tool(own, source)}) == (
        400,
        "data source not found",
    )
    resumed = await stranger.error(
        "POST", "/tool-runs", headers={"Last-Event-ID": f"{run['id']}-0"}
    )
    assert resumed == (404, "tool run not found")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_id_of_another_form_is_refused(onlooker: Client, method: str) -> None:
    assert await onlooker.error(method, "/tool-runs/wfl_0123456789") == (400, "Invalid tool run ID")


async def test_list_has_the_newest_first_a_page_at_a_time(
    client: Client, engine: str, source: str
) -> None:
    other = await client.create_engine()
    tool = a_tool(engine, source, RENT)
    made = [(await client.post("/tool-runs", tool=tool))["id"] for _ in range(3)]

    first = await client.call("GET", "/api/v1/tool-runs?limit=2")
    rest = await client.get(f"/tool-runs?limit=2&after={made[1]}")

    assert [run["id"] for run in await first.get_json()] == [made[2], made[1]]
    assert f"after={made[1]}" in first.headers["Link"]
    assert [run["id"] for run in rest] == [made[0]]
    assert await client.get(f"/tool-runs?knowledge_engine_id={other}") == []
    assert len(await client.get(f"/tool-runs?knowledge_engine_id={engine}")) == 3


async def test_deleted_run_is_gone(client: Client, engine: str, source: str) -> None:
    run = await client.post("/tool-runs", tool=a_tool(engine, source))

    deleted = await client.call("DELETE", f"/api/v1/tool-runs/{run['id']}")

    assert await deleted.get_json() == {"id": run["id"], "deleted": True}
    assert await client.error("GET", f"/tool-runs/{run['id']}") == (404, "tool run not found")


async def test_run_that_is_just_being_deleted_is_not_deleted_twice(
    client: Client, services: Services, engine: str, source: str
) -> None:
    run = await client.post("/tool-runs", tool=a_tool(engine, source))
    path = f"/api/v1/tool-runs/{run['id']}"

    second = await while_deleted(services, "tool_run", client.call("DELETE", path))

    assert second.result().status_code == 404


async def test_more_runs_than_can_wait_are_refused(
    client: Client, services: Services, engine: str, source: str
) -> None:
    services.extractions = WorkLine(0, longest_line=0, refusal=TOO_MANY_RUNS)

    response = await client.call("POST", "/api/v1/tool-runs", json={"tool": a_tool(engine, source)})
    queued = await client.post("/tool-runs", tool=a_tool(engine, source), async_response=True)

    assert response.status_code == 503
    assert await response.get_json() == {"error": "too many tool runs at once"}
    assert response.headers["Retry-After"]
    assert queued["status"] == "queued"


async def test_run_that_nobody_waits_for_is_queued(
    client: Client, services: Services, engine: str, source: str
) -> None:
    body = {"tool": a_tool(engine, source), "async_response": True}

    response = await client.call("POST", "/api/v1/tool-runs", json=body)
    queued = await response.get_json()

    assert (response.status_code, queued["status"]) == (201, "queued")
    assert queued["result"]["extracted_fields"] == {}
    assert queued["result"]["metadata"]["average_confidence"] == 0
    assert await jobs(services) == ["extract"]
    await work_on(services, queued["id"])
    finished = await client.get(f"/tool-runs/{queued['id']}")
    assert finished["status"] == "completed"
    assert list(finished["result"]["extracted_fields"]) == ["Tenant", "Yearly rent"]


async def test_stream_has_each_field_and_then_the_whole_run(
    client: Client, engine: str, source: str
) -> None:
    *messages, done = await stream(client, tool=a_tool(engine, source))

    run = await client.get(f"/tool-runs/{done.data['id']}")
    fields = [json.loads(message.data) for message in messages]
    assert [message.event for message in messages] == ["message", "message"]
    assert (done.event, done.data) == ("done", run)
    assert {field.pop("field_name"): field for field in fields} == run["result"]["extracted_fields"]
    assert (run["tool"]["stream_response"], run["status"]) == (True, "completed")


async def test_stream_says_where_its_run_is(client: Client, engine: str, source: str) -> None:
    body = {"tool": a_tool(engine, source), "stream_response": True}

    response = await client.call("POST", "/api/v1/tool-runs", json=body)
    text = await response.get_data(as_text=True)

    assert response.status_code == 200
    assert text.startswith(": \n\nid: trun_")
    assert response.headers["Location"].removeprefix("/api/v1/tool-runs/") in text


async def test_stream_of_a_queued_run_follows_its_worker(
    client: Client, services: Services, engine: str, source: str
) -> None:
    tool = a_tool(engine, source)

    streaming = asyncio.create_task(
        stream(client, tool=tool, stream_response=True, async_response=True)
    )
    run_id = await until_queued(client)
    await work_on(services, run_id)
    events = await streaming

    assert [event.event for event in events] == ["message", "message", "done"]
    assert events[-1].data["id"] == run_id


async def test_stream_can_be_resumed_behind_any_event(
    client: Client, engine: str, source: str
) -> None:
    body = {"tool": a_tool(engine, source), "stream_response": True}
    response = await client.call("POST", "/api/v1/tool-runs", json=body)
    whole = await response.get_data(as_text=True)
    event_ids = [response.headers["Last-Event-ID"], *re.findall(r"^id: (.*)$", whole, re.M)]

    resumed = [await resume(client, one) for one in event_ids]

    events = parse_events(whole)
    assert len(events) == 3
    assert [parse_events(one) for one in resumed] == [events[number:] for number in range(4)]


@pytest.mark.parametrize("event_id", ["nonsense", "wfl_0123456789-1", "trun_0123456789-x"])
async def test_event_id_of_another_form_is_refused(onlooker: Client, event_id: str) -> None:
    status, message = await onlooker.error(
        "POST", "/tool-runs", headers={"Last-Event-ID": event_id}
    )

    assert status == 400
    assert message in ("Invalid event ID", "Invalid tool run ID")


def evidence_of(run: Any) -> list[Any]:
    fields = run["result"]["extracted_fields"].values()
    return [one for field in fields for one in field["evidence"]]


async def stream(client: Client, **body: Any) -> list[Event]:
    response = await client.call("POST", "/api/v1/tool-runs", json={"stream_response": True} | body)
    assert response.content_type == "text/event-stream; charset=utf-8"
    return parse_events(await response.get_data(as_text=True))


async def resume(client: Client, event_id: str) -> str:
    headers = {"Last-Event-ID": event_id}
    response = await client.call("POST", "/api/v1/tool-runs", headers=headers)
    return str(await response.get_data(as_text=True))


async def until_queued(client: Client) -> str:
    async with asyncio.timeout(30):
        while True:
            if runs := await client.get("/tool-runs"):
                return str(runs[0]["id"])
            await asyncio.sleep(0.02)
