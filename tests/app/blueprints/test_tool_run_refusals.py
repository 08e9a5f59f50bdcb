"""Tool runs that are refused before they begin: with what text, and nothing left behind."""

from typing import Any

import pytest

from app.ids import DATA_SOURCE, KNOWLEDGE_ENGINE, new_id
from app.schemas_tool_runs import MAX_FIELDS
from app.services import Services
from tests.app.blueprints.tool_runs import RENT, TENANT, a_tool, execute, jobs, tagged
from tests.client import Client
from tests.conftest import FILES, ReadLease

BROKEN_RULE = "Key: 'ToolRunRequest.{0}' Error:Field validation for '{1}' failed on the '{2}' tag"


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
    onlooker: Client, body: dict[str, Any], messages: list[str]
) -> None:
    assert await onlooker.error("POST", "/tool-runs", json=body) == (400, "\n".join(messages))


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
    onlooker: Client, read_lease: ReadLease, changes: Any, message: str
) -> None:
    body = {"tool": a_tool(read_lease.engine_id, read_lease.source_id) | changes}

    assert await onlooker.error("POST", "/tool-runs", json=body) == (400, message)


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
    onlooker: Client, read_lease: ReadLease, changes: Any, messages: list[str]
) -> None:
    tool = a_tool(read_lease.engine_id, read_lease.source_id, TENANT, RENT | changes)

    failure = await onlooker.error("POST", "/tool-runs", json={"tool": tool})

    assert failure == (400, "\n".join(messages))


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
    onlooker: Client, read_lease: ReadLease, page_range: str, reason: str
) -> None:
    source = read_lease.source_id
    tool = a_tool(read_lease.engine_id, source, tagged_data_sources=[tagged(source, page_range)])

    assert await onlooker.error("POST", "/tool-runs", json={"tool": tool}) == (
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
