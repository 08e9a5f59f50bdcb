"""A key of one engine: all else of its account answers exactly as what does not exist."""

import json
import re
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from sqlmodel import SQLModel
from werkzeug.datastructures import FileStorage

from app.models.data_source import DataSourceStatus
from app.models.tool_run import ToolRun
from app.scopes import OF_ENGINES
from app.services import Services
from tests.app.models.rows import data_source, workflow
from tests.client import Client
from tests.conftest import new_key
from tests.fakes import ScriptedLLM

ABSENT = {
    "engine": "kng_0123456789",
    "source": "ds_0123456789",
    "workflow": "wfl_0123456789",
    "run": "trun_0123456789",
}
QUESTION = {"name": "n", "query": "When does the lease end?"}
CHAT = {"model": "{engine}", "messages": [{"role": "user", "content": "When?"}]}
ENGINE, SOURCE = "/api/v1/knowledge-engines/{engine}", "/api/v1/data-sources/{source}"


@dataclass
class Two:
    """A client whose key is for the first of two engines, and what the other one holds."""

    client: Client
    own: dict[str, str]
    foreign: dict[str, str]


@pytest.fixture
async def two(client: Client, services: Services) -> Two:
    own, foreign = [await stored_engine(client, services, number) for number in (1, 2)]
    client.key = await new_key(services, engine_id=own["engine"])
    return Two(client, own, foreign)


async def stored_engine(client: Client, services: Services, number: int) -> dict[str, str]:
    """Make an engine with a data source, a workflow and a tool run; return their ids."""
    engine = await client.create_engine()
    ids = {kind: f"{name[:-1]}{number}" for kind, name in ABSENT.items()} | {"engine": engine}
    status = DataSourceStatus.PROCESSED
    rows: list[SQLModel] = [
        data_source(1, engine, number, id=ids["source"], status=status, outcome="ok"),
        workflow(1, engine, number, id=ids["workflow"]),
        ToolRun(
            id=ids["run"],
            account_id=1,
            knowledge_engine_id=engine,
            tool=tool_run(engine, ids["source"])["tool"],
        ),
    ]
    async with services.database.transaction() as session:
        session.add_all(rows)
    return ids


CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("GET", ENGINE, {}),
    ("PUT", ENGINE, {"json": {"name": "Mine"}}),
    ("DELETE", ENGINE, {}),
    ("GET", f"{ENGINE}/data-sources", {}),
    ("POST", f"{ENGINE}/retrieve", {"json": {"query": "rent"}}),
    ("POST", f"{ENGINE}/query", {"json": QUESTION}),
    ("POST", f"{ENGINE}/query", {"headers": {"Last-Event-ID": "strm_01234567890123-1"}}),
    ("GET", SOURCE, {}),
    ("GET", f"{SOURCE}/pages", {}),
    ("GET", f"{SOURCE}/pages/1.png", {}),
    ("GET", f"{SOURCE}/presigned-url", {}),
    ("DELETE", SOURCE, {}),
    ("GET", "/api/v1/workflows/{workflow}", {}),
    ("DELETE", "/api/v1/workflows/{workflow}", {}),
    ("GET", "/api/v1/tool-runs/{run}", {}),
    ("DELETE", "/api/v1/tool-runs/{run}", {}),
    ("POST", "/api/v1/tool-runs", {"headers": {"Last-Event-ID": "{run}-1"}}),
    ("POST", "/v1/chat/completions", {"json": CHAT}),
]
"""Every way to name something in a path, or as a path would."""


async def test_foreign_id_in_a_path_is_not_there(two: Two) -> None:
    foreign = [await call(two.client, *one, two.foreign) for one in CALLS]
    absent = [await call(two.client, *one, ABSENT) for one in CALLS]

    assert foreign == absent
    assert {status for status, _ in foreign} == {404}


async def test_calls_of_that_test_cover_every_route_with_an_id(two: Two) -> None:
    rules = {
        (method, re.sub("<[^>]+>", "{}", rule.rule))
        for rule in two.client.app.url_map.iter_rules()
        for method in rule.methods or ()
        if "<" in rule.rule and rule.endpoint in OF_ENGINES and method not in ("HEAD", "OPTIONS")
    }

    called = {(method, re.sub("{[^}]+}|1(?=.png)", "{}", path)) for method, path, _ in CALLS}

    assert rules - called == {("GET", "/api/v1/deletion-receipts/{}")}  # its own tests


@pytest.mark.parametrize(
    ("path", "body"),
    [
        pytest.param(
            "/api/v1/workflows",
            {**QUESTION, "type": "query", "knowledge_engine_id": "{engine}"},
            id="workflow",
        ),
        pytest.param(
            "/api/v1/data-sources",
            {"name": "n", "type": "ticket", "content": "c", "knowledge_engine_id": "{engine}"},
            id="ticket",
        ),
    ],
)
async def test_foreign_engine_in_a_body_is_not_there(
    two: Two, path: str, body: dict[str, str]
) -> None:
    foreign = await call(two.client, "POST", path, {"json": body}, two.foreign)
    absent = await call(two.client, "POST", path, {"json": body}, ABSENT)

    assert foreign == absent == (400, {"error": "knowledge engine not found"})


async def test_foreign_data_source_in_a_body_is_not_there(two: Two) -> None:
    path = f"/knowledge-engines/{two.own['engine']}/retrieve"
    for given in (two.foreign, ABSENT):
        found = await two.client.error(
            "POST", path, json={"query": "rent", "data_source_id": given["source"]}
        )
        run = await two.client.error(
            "POST", "/tool-runs", json=tool_run(two.own["engine"], given["source"])
        )
        assert found == run == (400, "data source not found")


async def test_tool_run_in_a_foreign_engine_is_not_made(two: Two) -> None:
    for given in (two.foreign, ABSENT):
        body = tool_run(given["engine"], given["source"])
        refused = await two.client.error("POST", "/tool-runs", json=body)
        assert refused == (400, "knowledge engine not found")


async def test_batch_neither_adds_to_nor_deletes_from_a_foreign_engine(
    two: Two, services: Services
) -> None:
    entry = {"name": "n", "type": "file", "knowledge_engine_id": two.foreign["engine"]}
    form = {"data": json.dumps([entry])}
    files = {"files[]": FileStorage(BytesIO(b"text"), filename="a.txt")}
    path = "/api/v1/data-sources/batch"

    added = await (await two.client.call("POST", path, form=form, files=files)).get_json()
    body = {"ids": [two.foreign["source"]]}
    deleted = await (await two.client.call("DELETE", path, json=body)).get_json()

    assert [one["error"] for one in added] == ["knowledge engine not found"]
    assert [one["error"] for one in deleted] == ["data source not found"]
    two.client.key = await new_key(services)
    assert (await two.client.get(f"/data-sources/{two.foreign['source']}"))["outcome"] == "ok"


async def test_citation_of_a_foreign_answer_cannot_be_shown(two: Two) -> None:
    for given in (two.foreign, ABSENT):
        path = f"/data-sources/{two.own['source']}/pages/1.png?highlight={given['workflow']}:1"
        assert await two.client.error("GET", path) == (400, "citation not found")


async def test_lists_show_its_engine_alone(two: Two) -> None:
    engines = await two.client.get("/knowledge-engines")
    models = await (await two.client.call("GET", "/v1/models")).get_json()
    workflows = await two.client.get("/workflows")
    runs = await two.client.get("/tool-runs")

    assert [one["id"] for one in engines] == [two.own["engine"]]
    assert [one["id"] for one in models["data"]] == [two.own["engine"]]
    assert [one["id"] for one in workflows] == [two.own["workflow"]]
    assert [one["id"] for one in runs] == [two.own["run"]]


@pytest.mark.parametrize("path", ["/workflows", "/tool-runs"])
async def test_filter_by_engine_widens_no_list(two: Two, path: str) -> None:
    async def ids(engine_id: str) -> int:
        return len(await two.client.get(f"{path}?knowledge_engine_id={engine_id}"))

    assert await ids(two.own["engine"]) == 1
    assert await ids(two.foreign["engine"]) == await ids(ABSENT["engine"]) == 0


async def test_foreign_place_in_a_list_is_none(two: Two) -> None:
    for kind, path in (("engine", "/knowledge-engines"), ("workflow", "/workflows")):
        foreign = await two.client.get(f"{path}?after={two.foreign[kind]}")
        assert foreign == await two.client.get(f"{path}?after={ABSENT[kind]}")


async def test_engine_that_another_key_has_just_searched_stays_closed(
    client: Client, services: Services, engine: str
) -> None:
    path, body = f"/knowledge-engines/{engine}/retrieve", {"query": "rent"}
    assert (await client.post(path, **body))["total_chunks"] > 0
    client.key = await new_key(services, engine_id=await client.create_engine())

    assert await client.error("POST", path, json=body) == (404, "knowledge engine not found")


async def test_its_own_engine_can_be_asked_searched_and_filled(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]
    client.key = await new_key(services, engine_id=engine)

    answer = await client.ask(engine, "When does the lease end?")
    found = await client.post(f"/knowledge-engines/{engine}/retrieve", query="rent")
    uploaded = await client.upload(engine, b"more", name="more.txt")

    assert answer["status"] == "PROCESSED"
    assert found["total_chunks"] > 0
    assert uploaded.status_code == 201


async def test_key_goes_with_its_engine(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    key = await new_key(services, engine_id=engine_id)

    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine_id}")

    client.key = key
    assert await client.error("GET", "/knowledge-engines") == (401, "Unauthorized")


def tool_run(engine_id: str, source_id: str) -> dict[str, Any]:
    """Return a request that is checked whole, and then waits for a worker."""
    tool = {
        "type": "extract_fields_from_data_sources",
        "model": "gamma-1.5-pro",
        "knowledge_engine_id": engine_id,
        "tagged_data_sources": [{"id": source_id}],
        "include_confidence_scores": True,
        "fields": [{"field_name": "tenant", "description": "who rents", "type": "text"}],
    }
    return {"tool": tool, "async_response": True}


async def call(
    client: Client, method: str, path: str, options: dict[str, Any], ids: dict[str, str]
) -> tuple[int, Any]:
    """Return status and body of a call, in whose parts `{engine}` and the like stand for ids."""
    filled = json.loads(fill(json.dumps(options), ids))
    response = await client.call(method, fill(path, ids), **filled)
    return response.status_code, await response.get_json()


def fill(text: str, ids: dict[str, str]) -> str:
    for kind, given_id in ids.items():
        text = text.replace(f"{{{kind}}}", given_id)
    return text
