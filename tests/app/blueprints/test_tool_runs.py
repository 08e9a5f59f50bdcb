import asyncio
import json
import re
from typing import Any

import pytest
from sqlalchemy import text

from app.extracting import work_on
from app.ids import DATA_SOURCE, KNOWLEDGE_ENGINE, TOOL_RUN, new_id
from app.schemas_tool_runs import MAX_FIELDS
from app.services import Services
from app.work_line import TOO_MANY_RUNS, WorkLine
from config.model_table import BUILT_IN, load_model_table
from tests.client import Client, Event, parse_events
from tests.conftest import FILES

BROKEN_RULE = "Key: 'ToolRunRequest.{0}' Error:Field validation for '{1}' failed on the '{2}' tag"
TENANT = {"field_name": "Tenant", "description": "name of the tenant", "type": "text"}
RENT = {"field_name": "Yearly rent", "description": "the yearly rent", "type": "currency"}
KIND = {
    "field_name": "Kind",
    "description": "what is leased",
    "type": "single_select",
    "options": ["warehouse", "office", 3],
}


@pytest.fixture(autouse=True)
def without_a_key(services: Services) -> None:
    """Nothing but the built-in extractor is there, unless a test enables a model."""
    services.models = load_model_table(services.settings.models_file, lambda name: "")


@pytest.fixture
async def source(client: Client, engine: str) -> str:
    """The id of the warehouse lease."""
    (found,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    return str(found["id"])


def a_tool(engine: str, source: str, *fields: dict[str, Any], **changes: Any) -> dict[str, Any]:
    tool = {
        "type": "extract_fields_from_data_sources",
        "model": "gamma-1.5-pro",
        "knowledge_engine_id": engine,
        "tagged_data_sources": [{"id": source}],
        "fields": list(fields) or [TENANT, RENT],
    }
    return {key: value for key, value in (tool | changes).items() if value is not None}


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


def broken(field: str, rule: str) -> str:
    return BROKEN_RULE.format(field, field.rpartition(".")[2].partition("[")[0], rule)


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        pytest.param({}, [broken("Tool", "required")], id="empty"),
        pytest.param({"tool": None}, [broken("Tool", "required")], id="null"),
        pytest.param({"tool": "x"}, [broken("Tool", "type")], id="no object"),
        pytest.param(
            {"tool": {}},
            [
                broken(f"Tool.{name}", "required")
                for name in ("Type", "Model", "KnowledgeEngineID", "TaggedDataSources", "Fields")
            ],
            id="empty tool",
        ),
        pytest.param(
            {"tool": {}, "async_response": 1, "stream_response": "yes", "notes": []},
            [
                broken(f"Tool.{name}", "required")
                for name in ("Type", "Model", "KnowledgeEngineID", "TaggedDataSources", "Fields")
            ]
            + [broken(name, "type") for name in ("StreamResponse", "AsyncResponse", "Notes")],
            id="flags",
        ),
    ],
)
async def test_body_without_what_is_required_is_refused(
    client: Client, body: dict[str, Any], messages: list[str]
) -> None:
    assert await client.error("POST", "/tool-runs", json=body) == (400, "\n".join(messages))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"type": "summarize"}, broken("Tool.Type", "oneof"), id="type"),
        pytest.param({"model": "gamma-2.5"}, "Model gamma-2.5 not supported", id="model"),
        pytest.param({"model": "auto"}, "Model auto not supported", id="auto"),
        pytest.param({"model": ""}, broken("Tool.Model", "required"), id="no model"),
        pytest.param(
            {"include_confidence_scores": "no"},
            broken("Tool.IncludeConfidenceScores", "type"),
            id="flag",
        ),
        pytest.param({"fields": []}, broken("Tool.Fields", "required"), id="no fields"),
        pytest.param({"fields": "Rent"}, broken("Tool.Fields", "type"), id="fields"),
        pytest.param({"fields": ["Rent"]}, broken("Tool.Fields[0]", "type"), id="a text"),
        pytest.param(
            {"fields": [TENANT | {"field_name": f"{n}"} for n in range(MAX_FIELDS + 1)]},
            broken("Tool.Fields", "max"),
            id="many fields",
        ),
        pytest.param(
            {"fields": [TENANT, RENT, TENANT]}, broken("Tool.Fields", "unique"), id="same name"
        ),
        pytest.param(
            {"tagged_data_sources": []},
            broken("Tool.TaggedDataSources", "required"),
            id="no data sources",
        ),
        pytest.param(
            {"tagged_data_sources": [{}, {"id": ""}, {"id": None}]},
            "\n".join(broken(f"Tool.TaggedDataSources[{n}].ID", "required") for n in range(3)),
            id="no ids",
        ),
        pytest.param(
            {"tagged_data_sources": [{"id": "ds_0123456789"}, {"id": "dsc_0123456789"}]},
            broken("Tool.TaggedDataSources", "unique"),
            id="same data source",
        ),
        pytest.param(
            {"tagged_data_sources": [{"id": "ds_0123456789", "page_range": 3}]},
            broken("Tool.TaggedDataSources[0].PageRange", "type"),
            id="page range",
        ),
        pytest.param(
            {"tagged_data_sources": [{"id": "nonsense"}]}, "Invalid data source ID", id="bad id"
        ),
        pytest.param(
            {"knowledge_engine_id": "nonsense"}, "Invalid knowledge engine ID", id="bad engine"
        ),
        pytest.param(
            {"tagged_data_sources": [{"id": new_id(DATA_SOURCE)}]},
            "data source not found",
            id="unknown data source",
        ),
        pytest.param(
            {"knowledge_engine_id": new_id(KNOWLEDGE_ENGINE)},
            "knowledge engine not found",
            id="unknown engine",
        ),
    ],
)
async def test_wrong_tool_is_refused(
    client: Client, engine: str, source: str, changes: Any, message: str
) -> None:
    body = {"tool": a_tool(engine, source) | changes}

    assert await client.error("POST", "/tool-runs", json=body) == (400, message)


@pytest.mark.parametrize("flag", ["notes", "async_response", "stream_response"])
async def test_refused_run_leaves_nothing_behind(
    client: Client, services: Services, engine: str, flag: str
) -> None:
    tool = a_tool(engine, new_id(DATA_SOURCE))
    body = {"tool": tool, flag: {} if flag == "notes" else True}

    failure = await client.error("POST", "/tool-runs", json=body)

    assert failure == (400, "data source not found")
    assert await client.get("/tool-runs") == []
    assert await jobs(services) == []


FIELD = "Tool.Fields[1]."


@pytest.mark.parametrize(
    ("changes", "messages"),
    [
        pytest.param({"field_name": None}, [broken(f"{FIELD}FieldName", "required")], id="name"),
        pytest.param({"field_name": ""}, [broken(f"{FIELD}FieldName", "required")], id="empty"),
        pytest.param({"field_name": 5}, [broken(f"{FIELD}FieldName", "type")], id="number"),
        pytest.param({"field_name": "n" * 501}, [broken(f"{FIELD}FieldName", "max")], id="long"),
        pytest.param(
            {"description": None}, [broken(f"{FIELD}Description", "required")], id="description"
        ),
        pytest.param({"type": "colour"}, [broken(f"{FIELD}Type", "oneof")], id="type"),
        pytest.param({"type": None}, [broken(f"{FIELD}Type", "required")], id="no type"),
        pytest.param(
            {"type": "single_select"}, [broken(f"{FIELD}Options", "required")], id="no options"
        ),
        pytest.param(
            {"type": "multi_select", "options": []},
            [broken(f"{FIELD}Options", "required")],
            id="empty options",
        ),
        pytest.param(
            {"type": "single_select", "options": None},
            [broken(f"{FIELD}Options", "required")],
            id="null options",
        ),
        pytest.param(
            {"options": ["a"]}, [broken(f"{FIELD}Options", "excluded_unless")], id="plain type"
        ),
        pytest.param({"options": "a"}, [broken(f"{FIELD}Options", "type")], id="no list"),
        pytest.param(
            {"type": "multi_select", "options": ["a", "", None, [1], {}, "n" * 501]},
            [
                broken(f"{FIELD}Options[{number}]", rule)
                for number, rule in enumerate(["required", "required", "type", "type", "max"], 1)
            ],
            id="odd options",
        ),
        pytest.param(
            {"field_name": None, "description": None, "type": None},
            [broken(f"{FIELD}{name}", "required") for name in ("FieldName", "Description", "Type")],
            id="all",
        ),
    ],
)
async def test_wrong_field_is_refused(
    client: Client, engine: str, source: str, changes: Any, messages: list[str]
) -> None:
    body = {"tool": a_tool(engine, source, TENANT, RENT | changes)}

    assert await client.error("POST", "/tool-runs", json=body) == (400, "\n".join(messages))


async def test_null_counts_as_left_out(client: Client, engine: str, source: str) -> None:
    tool = a_tool(engine, source, RENT | {"options": None}, tagged_data_sources=[tagged(source)])
    tool |= {"include_confidence_scores": None}

    run = await client.post("/tool-runs", tool=tool, notes=None, async_response=None)

    assert run["status"] == "completed"
    assert run["tool"]["include_confidence_scores"] is True
    assert run["tool"]["fields"] == [RENT]


@pytest.mark.parametrize(
    ("page_range", "reason"),
    [
        pytest.param("x", "page_range 'x' is neither a page nor a range of pages", id="malformed"),
        pytest.param("3-2", "page_range '3-2' ends before it begins", id="reversed"),
        pytest.param(
            "3-9",
            "page_range '3-9' is outside the document, which has pages 1 to 3",
            id="outside",
        ),
    ],
)
async def test_wrong_pages_are_refused_by_the_name_of_their_source(
    client: Client, engine: str, source: str, page_range: str, reason: str
) -> None:
    tool = a_tool(engine, source, tagged_data_sources=[tagged(source, page_range)])

    assert await client.error("POST", "/tool-runs", json={"tool": tool}) == (
        400,
        f"data source {source} cannot be used: {reason}",
    )


async def test_source_of_another_engine_is_refused(client: Client, source: str) -> None:
    other = await client.create_engine()

    failure = await client.error("POST", "/tool-runs", json={"tool": a_tool(other, source)})

    assert failure == (
        400,
        f"data source {source} cannot be used: it is in another knowledge engine",
    )


async def test_source_that_is_not_read_is_refused(client: Client, engine: str) -> None:
    waiting = await (await client.upload(engine, FILES / "supplier-handbook.docx")).get_json()

    failure = await client.error("POST", "/tool-runs", json={"tool": a_tool(engine, waiting["id"])})

    reason = "it is not read yet, current status: processing"
    assert failure == (400, f"data source {waiting['id']} cannot be used: {reason}")


async def test_source_that_could_not_be_read_is_refused(
    client: Client, services: Services, engine: str, source: str
) -> None:
    await execute(services, "UPDATE data_source SET outcome = 'failed', error = 'it has no text'")

    failure = await client.error("POST", "/tool-runs", json={"tool": a_tool(engine, source)})

    reason = "it could not be read: it has no text"
    assert failure == (400, f"data source {source} cannot be used: {reason}")


async def test_more_pages_than_a_run_takes_are_refused(
    client: Client, services: Services, engine: str, source: str
) -> None:
    await execute(services, "UPDATE data_source SET page_count = 5001")

    failure = await client.error("POST", "/tool-runs", json={"tool": a_tool(engine, source)})

    assert failure == (
        400,
        "the data sources have 5001 pages, and a tool run takes 5000; choose some by page_range",
    )


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
async def test_id_of_another_form_is_refused(client: Client, method: str) -> None:
    assert await client.error(method, "/tool-runs/wfl_0123456789") == (400, "Invalid tool run ID")


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
async def test_event_id_of_another_form_is_refused(client: Client, event_id: str) -> None:
    status, message = await client.error("POST", "/tool-runs", headers={"Last-Event-ID": event_id})

    assert status == 400
    assert message in ("Invalid event ID", "Invalid tool run ID")


def tagged(source: str, page_range: str | None = None) -> dict[str, Any]:
    return {"id": source, "page_range": page_range} if page_range else {"id": source}


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


async def jobs(services: Services) -> list[str]:
    """Return the queue of every job that waits for an extraction."""
    statement = "SELECT queue_name FROM procrastinate_jobs WHERE queue_name <> 'read'"
    async with services.database.engine.connect() as connection:
        return list((await connection.execute(text(statement))).scalars())


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))
