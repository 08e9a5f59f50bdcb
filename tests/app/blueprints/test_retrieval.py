import asyncio
from io import BytesIO
from typing import Any

import openpyxl
import pytest

from app.ids import DATA_SOURCE, new_id
from app.schemas_retrieval import MAX_FILTER_KEYS, MAX_FILTER_VALUES
from app.services import Services
from app.work_line import WorkLine
from tests.client import Client
from tests.conftest import FILES, ReadLease

RULE = "Key: 'RetrieveRequest.{0}' Error:Field validation for '{0}' failed on the '{1}' tag"
RULE_OF_FILTER = (
    "Key: 'RetrieveRequest.{0}' Error:Field validation for '{1}' failed on the '{2}' tag"
)
TAGS = {"tags": ["x"]}


@pytest.fixture(scope="module")
async def tickets(onlooker: Client) -> str:
    """The id of an engine that holds four tickets, told apart by their notes."""
    engine_id = await onlooker.create_engine()
    await add_ticket(onlooker, engine_id, "a", {"year": 2024, "dept": "hr", "final": True})
    await add_ticket(onlooker, engine_id, "b", {"year": 2024.0, "dept": "legal", "final": 1} | TAGS)
    await add_ticket(onlooker, engine_id, "c", {"year": "2024", "dept": None})
    await add_ticket(onlooker, engine_id, "d", {})
    return engine_id


@pytest.fixture(scope="module")
async def lamps(onlooker: Client) -> str:
    """The id of an engine that holds far more chunks than can be asked for."""
    engine_id = await onlooker.create_engine()
    await onlooker.upload(engine_id, spreadsheet(rows=700))
    await onlooker.read_all(engine_id)
    return engine_id


async def test_chunk_has_the_documented_fields(onlooker: Client, read_lease: ReadLease) -> None:
    engine = read_lease.engine_id
    path = f"/knowledge-engines/{engine}"

    found = await onlooker.post(f"{path}/retrieve", query="yearly rent", top_k=1)

    (data_source,) = await onlooker.get(f"{path}/data-sources")
    (chunk,) = found.pop("chunks")
    assert found == {"query": "yearly rent", "knowledge_engine_id": engine, "total_chunks": 1}
    assert "The yearly rent is 48,000 pounds" in chunk["content"]
    assert chunk["page_number"] == 2
    assert chunk["filename"] == "warehouse-lease.pdf"
    assert chunk["data_source_id"] == data_source["id"]
    assert chunk["chunk_id"].startswith(data_source["id"])
    assert chunk["section"] == "2 Rent and Deposit"
    assert chunk["score"] > 0


async def test_one_data_source_can_be_searched_alone(client: Client, engine: str) -> None:
    handbook = await client.add(engine, FILES / "supplier-handbook.docx")
    path = f"/knowledge-engines/{engine}/retrieve"

    found = await client.post(
        path, query="yearly rent", top_k=20, data_source_id=f"dsc_{handbook['id'][3:]}"
    )

    assert found["data_source_id"] == handbook["id"]
    assert {chunk["data_source_id"] for chunk in found["chunks"]} == {handbook["id"]}
    assert found["total_chunks"] == handbook["chunk_count"]


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        pytest.param({}, "abcd", id="nothing asked for"),
        pytest.param({"year": 2024}, "ab", id="a number"),
        pytest.param({"year": 2024.0}, "ab", id="the same number"),
        pytest.param({"year": "2024"}, "c", id="a text of digits"),
        pytest.param({"dept": "hr"}, "a", id="a text"),
        pytest.param({"dept": "HR"}, "", id="another case"),
        pytest.param({"dept": ["hr", "legal"]}, "ab", id="one of several"),
        pytest.param({"dept": []}, "", id="one of none"),
        pytest.param({"year": 2024, "dept": ["legal", "it"]}, "b", id="both keys"),
        pytest.param({"final": True}, "a", id="true"),
        pytest.param({"final": 1}, "b", id="one"),
        pytest.param({"dept": None}, "cd", id="null, or not there"),
        pytest.param({"dept": [None, "hr"]}, "acd", id="null or a text"),
        pytest.param({"tags": "x"}, "", id="a value that is a list"),
        pytest.param({"tags": None}, "acd", id="a list is not null"),
        pytest.param({"nowhere": "x"}, "", id="unknown key"),
        pytest.param({"year' OR '1'='1": 1}, "", id="a hostile key"),
        pytest.param({"dept": "hr' OR '1'='1"}, "", id="a hostile value"),
    ],
)
async def test_filter_finds_what_the_notes_say(
    onlooker: Client, tickets: str, filter_: dict[str, Any], expected: str
) -> None:
    path = f"/knowledge-engines/{tickets}/retrieve"
    found = await onlooker.post(path, query="ticket", filter=filter_)

    assert sorted(chunk["content"][-1] for chunk in found["chunks"]) == list(expected)


async def test_filter_and_data_source_must_both_hold(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    one = await add_ticket(onlooker, engine_id, "a", {"year": 2024})
    await add_ticket(onlooker, engine_id, "b", {"year": 2024})
    path = f"/knowledge-engines/{engine_id}/retrieve"

    both = await onlooker.post(path, query="q", data_source_id=one, filter={"year": 2024})
    neither = await onlooker.post(path, query="q", data_source_id=one, filter={"year": 2023})

    assert [chunk["data_source_id"] for chunk in both["chunks"]] == [one]
    assert (neither["chunks"], neither["total_chunks"]) == ([], 0)
    assert neither["data_source_id"] == one


async def test_spreadsheet_rows_are_on_no_page(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    await onlooker.add(engine_id, FILES / "price-list.xlsx")

    found = await onlooker.post(f"/knowledge-engines/{engine_id}/retrieve", query="storm lantern")

    assert found["chunks"]
    assert {chunk["page_number"] for chunk in found["chunks"]} == {-1}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param({}, 5, id="left out"),
        pytest.param({"top_k": 1}, 1, id="least"),
        pytest.param({"top_k": 20}, 20, id="most"),
        pytest.param({"top_k": 21}, 20, id="one too many"),
        pytest.param({"top_k": 500}, 20, id="far too many"),
    ],
)
async def test_top_k_limits_the_chunks(
    onlooker: Client, lamps: str, body: dict[str, Any], expected: int
) -> None:
    found = await onlooker.post(f"/knowledge-engines/{lamps}/retrieve", query="lamp", **body)

    assert found["total_chunks"] == len(found["chunks"]) == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        pytest.param({}, RULE.format("Query", "required"), id="no query"),
        pytest.param({"query": ""}, RULE.format("Query", "required"), id="empty query"),
        pytest.param({"query": 7}, RULE.format("Query", "type"), id="query is a number"),
        pytest.param({"query": "q", "top_k": 0}, RULE.format("TopK", "min"), id="zero"),
        pytest.param({"query": "q", "top_k": -3}, RULE.format("TopK", "min"), id="negative"),
        pytest.param({"query": "q", "top_k": "x"}, RULE.format("TopK", "type"), id="text"),
        pytest.param({"query": "q", "top_k": "5"}, RULE.format("TopK", "type"), id="digits"),
        pytest.param({"query": "q", "top_k": True}, RULE.format("TopK", "type"), id="true"),
        pytest.param({"query": "q", "top_k": 2.5}, RULE.format("TopK", "type"), id="fraction"),
        pytest.param({"query": "q", "data_source_id": "42"}, "Invalid data source ID", id="bad id"),
        pytest.param(
            {"query": "q", "data_source_id": new_id(DATA_SOURCE)},
            "data source not found",
            id="missing data source",
        ),
        *(
            pytest.param({"query": "q", "filter": filter_}, RULE_OF_FILTER.format(*place), id=name)
            for name, filter_, place in [
                ("filter is a list", [], ("Filter", "Filter", "type")),
                ("object", {"year": {"a": 1}}, ("Filter.Year", "Year", "type")),
                ("nested list", {"year": [1, [2]]}, ("Filter.Year[1]", "Year", "type")),
                ("object in list", {"year": [{}]}, ("Filter.Year[0]", "Year", "type")),
                ("keys", dict.fromkeys(map(str, range(21)), 1), ("Filter", "Filter", "max")),
                ("values", {"year": [1] * 101}, ("Filter.Year", "Year", "max")),
            ]
        ),
    ],
)
async def test_search_with_a_fault_is_refused(
    onlooker: Client, read_lease: ReadLease, body: dict[str, Any], message: str
) -> None:
    path = f"/knowledge-engines/{read_lease.engine_id}/retrieve"

    assert await onlooker.error("POST", path, json=body) == (400, message)


async def test_data_source_of_another_engine_is_not_found(
    onlooker: Client, read_lease: ReadLease
) -> None:
    path = f"/knowledge-engines/{await onlooker.create_engine()}/retrieve"

    failure = await onlooker.error("POST", path, json=search(read_lease.source_id))

    assert failure == (400, "data source not found")


async def test_data_source_of_another_account_is_not_found(
    client: Client, stranger: Client, engine: str
) -> None:
    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    path = f"/knowledge-engines/{await stranger.create_engine()}/retrieve"

    failure = await stranger.error("POST", path, json=search(data_source["id"]))

    assert failure == (400, "data source not found")


async def test_empty_engine_has_no_chunks(onlooker: Client) -> None:
    path = f"/knowledge-engines/{await onlooker.create_engine()}/retrieve"

    found = await onlooker.post(path, query="anything")

    assert (found["chunks"], found["total_chunks"]) == ([], 0)


async def test_engine_can_be_searched_while_it_grows(client: Client, engine: str) -> None:
    await client.upload(engine, FILES / "supplier-handbook.docx")

    found = await client.post(f"/knowledge-engines/{engine}/retrieve", query="yearly rent")

    assert found["total_chunks"] > 0


@pytest.mark.parametrize(
    "query", ["'; DROP TABLE workflow; --", "%_\\", "🏠", "a" * 20_000, "\n", "\u202e"]
)
async def test_any_text_can_be_searched_for(
    onlooker: Client, read_lease: ReadLease, query: str
) -> None:
    path = f"/knowledge-engines/{read_lease.engine_id}/retrieve"
    found = await onlooker.post(path, query=query)

    assert found["query"] == query


async def test_most_of_a_filter_is_taken(onlooker: Client, read_lease: ReadLease) -> None:
    keys = {f"key {number}": list(range(MAX_FILTER_VALUES)) for number in range(MAX_FILTER_KEYS)}

    path = f"/knowledge-engines/{read_lease.engine_id}/retrieve"
    found = await onlooker.post(path, query="q", filter=keys)

    assert found["chunks"] == []


async def test_search_beyond_the_line_is_refused(
    client: Client, services: Services, engine: str
) -> None:
    services.searches = WorkLine(at_work=1, longest_line=0)
    path = f"/api/v1/knowledge-engines/{engine}/retrieve"

    async with services.searches.turn():
        refused = await client.call("POST", path, json={"query": "rent"})
    found = await client.call("POST", path, json={"query": "rent"})

    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert await refused.get_json() == {"error": "too many searches at once"}
    assert found.status_code == 200


async def test_search_in_line_is_done_when_its_turn_comes(
    client: Client, services: Services, engine: str
) -> None:
    services.searches = WorkLine(at_work=1, longest_line=1)
    path = f"/knowledge-engines/{engine}/retrieve"

    async with services.searches.turn():
        waiting = asyncio.create_task(client.post(path, query="rent"))
        await asyncio.sleep(0.1)
        has_waited = not waiting.done()

    assert has_waited
    assert (await waiting)["total_chunks"] > 0


async def test_searches_of_32_clients_at_once_are_all_done(client: Client, engine: str) -> None:
    path = f"/api/v1/knowledge-engines/{engine}/retrieve"

    answers = await asyncio.gather(
        *(client.call("POST", path, json={"query": f"rent {number}"}) for number in range(32))
    )

    assert {answer.status_code for answer in answers} == {200}


@pytest.mark.parametrize("path", ["/workflows", "/knowledge-engines/{}/query"])
async def test_question_beyond_the_line_is_refused_before_the_stream(
    client: Client, services: Services, engine: str, path: str
) -> None:
    services.searches = WorkLine(at_work=1, longest_line=0)
    body = {"name": "n", "type": "query", "query": "When?", "knowledge_engine_id": engine}

    async with services.searches.turn():
        refusal = await client.error("POST", path.format(engine), json=body)

    assert refusal == (503, "too many searches at once")


async def add_ticket(client: Client, engine_id: str, name: str, notes: dict[str, Any]) -> str:
    body = {"name": name, "type": "ticket", "knowledge_engine_id": engine_id}
    ticket = await client.post("/data-sources", content=f"The ticket {name}", notes=notes, **body)
    await client.read_all(engine_id)
    data_source_id: str = ticket["id"]
    return data_source_id


def search(data_source_id: str) -> dict[str, str]:
    return {"query": "q", "data_source_id": data_source_id}


def spreadsheet(rows: int) -> bytes:
    workbook = openpyxl.Workbook()
    for number in range(rows):
        workbook.worksheets[0].append([f"LN-{number}", "A lamp for the deck", number])
    file = BytesIO()
    workbook.save(file)
    return file.getvalue()
