from io import BytesIO
from typing import Any

import openpyxl
import pytest

from app.ids import DATA_SOURCE, new_id
from tests.client import Client
from tests.conftest import FILES

RULE = "Key: 'RetrieveRequest.{0}' Error:Field validation for '{0}' failed on the '{1}' tag"


async def test_chunk_has_the_documented_fields(client: Client, engine: str) -> None:
    found = await client.post(f"/knowledge-engines/{engine}/retrieve", query="yearly rent", top_k=1)

    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    (chunk,) = found.pop("chunks")
    assert found == {"query": "yearly rent", "knowledge_engine_id": engine, "total_chunks": 1}
    assert "The yearly rent is 48,000 pounds" in chunk["content"]
    assert chunk["page_number"] == 2
    assert chunk["filename"] == "warehouse-lease.pdf"
    assert chunk["data_source_id"] == data_source["id"]
    assert chunk["chunk_id"].startswith(data_source["id"])


async def test_one_data_source_can_be_searched_alone(client: Client, engine: str) -> None:
    handbook = await client.add(engine, FILES / "supplier-handbook.docx")
    path = f"/knowledge-engines/{engine}/retrieve"

    found = await client.post(
        path, query="yearly rent", top_k=20, data_source_id=f"dsc_{handbook['id'][3:]}"
    )

    assert found["data_source_id"] == handbook["id"]
    assert {chunk["data_source_id"] for chunk in found["chunks"]} == {handbook["id"]}
    assert found["total_chunks"] == handbook["chunk_count"]


async def test_spreadsheet_rows_are_on_no_page(client: Client) -> None:
    engine_id = await client.create_engine()
    await client.add(engine_id, FILES / "price-list.xlsx")

    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="storm lantern")

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
async def test_top_k_limits_the_chunks(client: Client, body: dict[str, Any], expected: int) -> None:
    engine_id = await client.create_engine()
    await client.upload(engine_id, spreadsheet(rows=700))
    await client.read_all(engine_id)

    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query="lamp", **body)

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
    ],
)
async def test_search_with_a_fault_is_refused(
    client: Client, body: dict[str, Any], message: str
) -> None:
    path = f"/knowledge-engines/{await client.create_engine()}/retrieve"

    assert await client.error("POST", path, json=body) == (400, message)


async def test_data_source_of_another_engine_is_not_found(client: Client, engine: str) -> None:
    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    path = f"/knowledge-engines/{await client.create_engine()}/retrieve"

    failure = await client.error("POST", path, json=search(data_source["id"]))

    assert failure == (400, "data source not found")


async def test_data_source_of_another_account_is_not_found(
    client: Client, stranger: Client, engine: str
) -> None:
    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    path = f"/knowledge-engines/{await stranger.create_engine()}/retrieve"

    failure = await stranger.error("POST", path, json=search(data_source["id"]))

    assert failure == (400, "data source not found")


async def test_empty_engine_has_no_chunks(client: Client) -> None:
    path = f"/knowledge-engines/{await client.create_engine()}/retrieve"

    found = await client.post(path, query="anything")

    assert (found["chunks"], found["total_chunks"]) == ([], 0)


async def test_engine_can_be_searched_while_it_grows(client: Client, engine: str) -> None:
    await client.upload(engine, FILES / "supplier-handbook.docx")

    found = await client.post(f"/knowledge-engines/{engine}/retrieve", query="yearly rent")

    assert found["total_chunks"] > 0


@pytest.mark.parametrize(
    "query", ["'; DROP TABLE workflow; --", "%_\\", "🏠", "a" * 20_000, "\n", "\u202e"]
)
async def test_any_text_can_be_searched_for(client: Client, engine: str, query: str) -> None:
    found = await client.post(f"/knowledge-engines/{engine}/retrieve", query=query)

    assert found["query"] == query


def search(data_source_id: str) -> dict[str, str]:
    return {"query": "q", "data_source_id": data_source_id}


def spreadsheet(rows: int) -> bytes:
    workbook = openpyxl.Workbook()
    for number in range(rows):
        workbook.worksheets[0].append([f"LN-{number}", "A lamp for the deck", number])
    file = BytesIO()
    workbook.save(file)
    return file.getvalue()
