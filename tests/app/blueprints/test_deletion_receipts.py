from typing import Any

import pytest

from app.scopes import Scope
from app.services import Services
from tests.client import Client
from tests.conftest import FILES, new_key


async def test_receipt_of_a_deletion_is_kept(client: Client, engine: str) -> None:
    given = await delete(client, f"knowledge-engines/{engine}?receipt=true")

    receipt = given.pop("receipt")
    assert given == {"id": engine, "deleted": True}
    assert receipt["status"] == "signed"
    assert receipt["content"]["deleted_id"] == engine
    assert await client.get(f"/deletion-receipts/{receipt['id']}") == receipt
    assert await client.get("/deletion-receipts") == [receipt]


@pytest.mark.parametrize("query", ["", "?receipt=false"])
async def test_without_the_wish_there_is_no_receipt(client: Client, query: str) -> None:
    engine = await client.create_engine()
    data_source = await client.add(engine, FILES / "opening-hours.html")

    answers = [
        await delete(client, f"data-sources/{data_source['id']}{query}"),
        await delete(client, f"knowledge-engines/{engine}{query}"),
    ]

    assert answers == [{"id": one, "deleted": True} for one in (data_source["id"], engine)]
    assert await client.get("/deletion-receipts") == []


async def test_each_data_source_of_a_batch_has_its_receipt(client: Client, engine: str) -> None:
    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    given_ids = [data_source["id"], "ds_0123456789abcd"]

    items = await delete(client, "data-sources/batch?receipt=true", json={"ids": given_ids})

    assert items[0]["receipt"]["content"]["deleted_id"] == data_source["id"]
    assert items[1].keys() == {"id", "success", "error"}
    assert len(await client.get("/deletion-receipts")) == 1


async def test_receipts_come_newest_first_and_in_pages(client: Client) -> None:
    engines = [await client.create_engine() for _ in range(3)]
    given = [await delete(client, f"knowledge-engines/{one}?receipt=true") for one in engines]

    first = await client.call("GET", "/api/v1/deletion-receipts?limit=2")
    link = first.headers["Link"].partition("<")[2].partition(">")[0]
    second = await client.call("GET", link)

    listed = [*await first.get_json(), *await second.get_json()]
    assert listed == [one["receipt"] for one in reversed(given)]


async def test_receipt_is_of_its_account_only(client: Client, stranger: Client) -> None:
    engine = await client.create_engine()
    receipt = (await delete(client, f"knowledge-engines/{engine}?receipt=true"))["receipt"]

    foreign = await stranger.error("GET", f"/deletion-receipts/{receipt['id']}")
    absent = await stranger.error("GET", "/deletion-receipts/drc_0123456789abcd")

    assert foreign == absent == (404, "deletion receipt not found")
    assert await stranger.get("/deletion-receipts") == []


async def test_key_of_one_engine_sees_the_receipts_of_that_engine(
    client: Client, services: Services
) -> None:
    receipts = {}
    for name in ("one", "other"):
        engine = await client.create_engine(name)
        data_source = await (await client.upload(engine, b"The rent is due.")).get_json()
        answer = await delete(client, f"data-sources/{data_source['id']}?receipt=true")
        receipts[engine] = answer["receipt"]
    (engine, own), (_, other) = receipts.items()
    client.key = await new_key(services, scope=Scope.READ, engine_id=engine)

    assert await client.get("/deletion-receipts") == [own]
    assert await client.get(f"/deletion-receipts/{own['id']}") == own
    assert (await client.error("GET", f"/deletion-receipts/{other['id']}"))[0] == 404


@pytest.mark.parametrize(
    ("method", "path", "message"),
    [
        pytest.param(
            "GET", "/deletion-receipts/nonsense", "Invalid deletion receipt ID", id="bad id"
        ),
        pytest.param(
            "DELETE",
            "/knowledge-engines/{0}?receipt=yes",
            "Key: 'DeleteRequest.Receipt' Error:Field validation for 'Receipt' "
            "failed on the 'oneof' tag",
            id="bad wish",
        ),
    ],
)
async def test_bad_request_is_refused_and_changes_nothing(
    client: Client, method: str, path: str, message: str
) -> None:
    engine = await client.create_engine()

    assert await client.error(method, path.format(engine)) == (400, message)

    assert (await client.get(f"/knowledge-engines/{engine}"))["id"] == engine


async def test_key_stays_the_same(client: Client) -> None:
    first = await client.get("/deletion-receipts/public-key")

    assert first["algorithm"] == "Ed25519"
    assert first["public_key"].startswith("-----BEGIN PUBLIC KEY-----\n")
    assert await client.get("/deletion-receipts/public-key") == first


async def delete(client: Client, path: str, **options: Any) -> Any:
    response = await client.call("DELETE", f"/api/v1/{path}", **options)
    assert response.status_code == 200
    return await response.get_json()
