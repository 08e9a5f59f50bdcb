from typing import Any

import pytest
from sqlalchemy import text

from app.ids import KNOWLEDGE_ENGINE, new_id
from app.services import Services
from tests.app.test_deleting import while_deleted
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import ScriptedLLM

REQUIRED = (
    "Key: 'KnowledgeEngineRequest.Name' Error:Field validation for 'Name' failed on the "
    "'required' tag"
)
TOO_LONG = "Invalid knowledge engine name: exceeds maximum length of 50 characters"
NOT_FOUND = (404, "knowledge engine not found")
LONGEST = [pytest.param("n" * 50, id="50 letters"), pytest.param("🏠" * 50, id="50 emoji")]
TOO_LONGS = [pytest.param("n" * 51, id="51 letters"), pytest.param("🏠" * 51, id="51 emoji")]


async def test_created_engine_is_found_at_its_location(onlooker: Client) -> None:
    body = {"name": "Leases", "description": "All of them", "notes": {"owner": ["Ann", 1.5]}}

    response = await onlooker.call("POST", "/api/v1/knowledge-engines", json=body)

    created = await response.get_json()
    assert response.status_code == 201
    assert response.headers["Location"] == f"/api/v1/knowledge-engines/{created['id']}"
    assert await onlooker.get(f"/knowledge-engines/{created['id']}") == created
    assert created | body | {"status": "ready", "data_source_count": 0} == created


async def test_only_the_name_must_be_given(onlooker: Client) -> None:
    engine = await onlooker.post("/knowledge-engines", name="Leases", notes=None, unknown=1)

    assert (engine["description"], engine["notes"]) == ("", {})


async def test_notes_come_back_as_they_were_sent(onlooker: Client) -> None:
    notes: dict[str, Any] = {"Größe 🏠": [1.5, None, True, {"": "\u2028"}], "n": 10**300}
    for _ in range(90):
        notes = {"deeper": notes}

    engine = await onlooker.post("/knowledge-engines", name="Leases", notes=notes)

    assert (await onlooker.get(f"/knowledge-engines/{engine['id']}"))["notes"] == notes


@pytest.mark.parametrize("name", LONGEST)
async def test_name_has_fifty_characters_at_most(onlooker: Client, name: str) -> None:
    engine_id = await onlooker.create_engine(name)
    path = f"/api/v1/knowledge-engines/{engine_id}"

    changed = await onlooker.call("PUT", path, json={"name": name[::-1]})

    assert changed.status_code == 200
    assert (await onlooker.get(f"/knowledge-engines/{engine_id}"))["name"] == name


@pytest.mark.parametrize("name", TOO_LONGS)
async def test_longer_name_is_refused(client: Client, name: str) -> None:
    path = f"/knowledge-engines/{await client.create_engine()}"

    created = await client.error("POST", "/knowledge-engines", json={"name": name})
    changed = await client.error("PUT", path, json={"name": name})

    assert created == changed == (400, TOO_LONG)
    assert [engine["name"] for engine in await client.get("/knowledge-engines")] == ["Leases"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="missing"),
        pytest.param({"name": ""}, id="empty"),
        pytest.param({"name": None}, id="null"),
    ],
)
async def test_engine_needs_a_name(onlooker: Client, body: dict[str, Any]) -> None:
    assert await onlooker.error("POST", "/knowledge-engines", json=body) == (400, REQUIRED)


async def test_name_cannot_be_emptied(onlooker: Client) -> None:
    path = f"/knowledge-engines/{await onlooker.create_engine()}"

    assert await onlooker.error("PUT", path, json={"name": ""}) == (400, REQUIRED)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, {}, id="nothing"),
        pytest.param({"name": "New"}, {"name": "New"}, id="name"),
        pytest.param({"notes": {"b": 2}}, {"notes": {"b": 2}}, id="notes are replaced whole"),
        pytest.param({"description": ""}, {"description": ""}, id="a description can be emptied"),
        pytest.param({"name": None, "notes": None}, {}, id="null is left out"),
    ],
)
async def test_what_is_left_out_stays(
    onlooker: Client, changes: dict[str, Any], expected: dict[str, Any]
) -> None:
    before = await onlooker.post("/knowledge-engines", name="Old", description="d", notes={"a": 1})
    path = f"/knowledge-engines/{before['id']}"

    response = await onlooker.call("PUT", f"/api/v1{path}", json=changes)

    assert (response.status_code, await response.get_json()) == (200, before | expected)
    assert await onlooker.get(path) == before | expected


async def test_engine_is_processing_while_a_data_source_is(client: Client) -> None:
    engine_id = await client.create_engine()
    statuses = []

    await client.upload(engine_id, FILES / "supplier-handbook.docx")
    statuses.append((await client.get(f"/knowledge-engines/{engine_id}"))["status"])
    await client.read_all(engine_id)
    statuses.append((await client.get(f"/knowledge-engines/{engine_id}"))["status"])

    assert statuses == ["processing", "ready"]
    assert (await client.get("/knowledge-engines"))[0]["data_source_count"] == 1


async def test_list_is_oldest_first_a_page_at_a_time(client: Client) -> None:
    ids = [await client.create_engine(str(number)) for number in range(3)]

    first = await client.call("GET", "/api/v1/knowledge-engines?limit=2")
    link = first.headers["Link"].removeprefix("<").removesuffix('>; rel="next"')
    second = await client.call("GET", link)

    assert [engine["id"] for engine in await client.get("/knowledge-engines")] == ids
    assert [engine["id"] for engine in await first.get_json()] == ids[:2]
    assert link == f"/api/v1/knowledge-engines?limit=2&after={ids[1]}"
    assert [engine["id"] for engine in await second.get_json()] == ids[2:]
    assert "Link" not in second.headers


@pytest.mark.parametrize("prefix", ["kng_", "ke_"])
async def test_prefix_may_be_written_in_two_ways(onlooker: Client, prefix: str) -> None:
    engine_id = await onlooker.create_engine()

    engine = await onlooker.get(f"/knowledge-engines/{prefix}{engine_id[4:]}")

    assert engine["id"] == engine_id


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("GET", "", None, id="read"),
        pytest.param("PUT", "", {"name": "Mine"}, id="change"),
        pytest.param("DELETE", "", None, id="delete"),
        pytest.param("GET", "/data-sources", None, id="list"),
        pytest.param("POST", "/retrieve", {"query": "q"}, id="retrieve"),
        pytest.param("POST", "/query", {"name": "n", "query": "q"}, id="query"),
    ],
)
async def test_engine_of_another_account_answers_as_a_missing_one(
    client: Client, stranger: Client, method: str, path: str, body: dict[str, Any] | None
) -> None:
    engine_id = await client.create_engine()
    before = await client.get(f"/knowledge-engines/{engine_id}")
    places = [f"/knowledge-engines/{one}{path}" for one in (engine_id, new_id(KNOWLEDGE_ENGINE))]

    failures = [await stranger.error(method, place, json=body) for place in places]

    assert failures == [NOT_FOUND, NOT_FOUND]
    assert await stranger.get("/knowledge-engines") == []
    assert await client.get(f"/knowledge-engines/{engine_id}") == before


@pytest.mark.parametrize(
    "bad_id", ["kng_", "kng_0123456789abcdefghijk", "ds_0123456789abcd", "kng_01234567-9abcd", "x"]
)
async def test_id_of_another_form_is_refused(onlooker: Client, bad_id: str) -> None:
    for method in ("GET", "DELETE"):
        failure = await onlooker.error(method, f"/knowledge-engines/{bad_id}")
        assert failure == (400, "Invalid knowledge engine ID")


async def test_deleted_engine_leaves_nothing(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]
    await client.ask(engine, "When?")

    response = await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")

    assert (response.status_code, await response.get_json()) == (
        200,
        {"id": engine, "deleted": True},
    )
    assert await tables_of(services, engine) == []
    for table in ("knowledge_engine", "data_source", "workflow", "context"):
        assert await count(services, table) == 0
    assert not [path for path in services.settings.data_dir.rglob("*") if path.is_file()]


async def test_deleted_engine_is_not_found_again(client: Client, engine: str) -> None:
    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")

    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")

    assert await client.get("/knowledge-engines") == []
    retrieve = f"/knowledge-engines/{engine}/retrieve"
    assert await client.error("POST", retrieve, json={"query": "lease"}) == NOT_FOUND
    assert await client.error("DELETE", f"/knowledge-engines/{engine}") == NOT_FOUND
    failure = await client.error("GET", f"/data-sources/{data_source['id']}")
    assert failure == (404, "data source not found")


async def tables_of(services: Services, engine_id: str) -> list[str]:
    statement = text("SELECT tablename FROM pg_tables WHERE tablename LIKE '%' || :id || '%'")
    async with services.database.engine.connect() as connection:
        return list((await connection.execute(statement, {"id": engine_id})).scalars())


async def count(services: Services, table: str) -> int:
    async with services.database.engine.connect() as connection:
        found = (await connection.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one()
    return int(found)


async def test_change_of_an_engine_that_is_just_being_deleted_finds_none(
    client: Client, services: Services
) -> None:
    path = f"/api/v1/knowledge-engines/{await client.create_engine()}"

    change = await while_deleted(
        services, "knowledge_engine", client.call("PUT", path, json={"name": "New"})
    )

    assert change.result().status_code == 404
