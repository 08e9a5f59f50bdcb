import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import Connection, event
from werkzeug.datastructures import FileStorage

from app.blueprints.data_source_batch import pair
from app.services import Services
from config.errors import InvalidRequest
from tests.client import Client
from tests.conftest import FILES

LEASE = (FILES / "warehouse-lease.pdf").read_bytes()
PRICES = (FILES / "price-list.xlsx").read_bytes()


async def upload(client: Client, entries: list[Any], files: list[bytes]) -> Any:
    """Send a batch and return what is answered."""
    parts = {
        f"files[{number}]": FileStorage(BytesIO(content), filename=f"{number}.bin")
        for number, content in enumerate(files)
    }
    form = {"data": json.dumps(entries)}
    response = await client.call("POST", "/api/v1/data-sources/batch", form=form, files=parts)
    return await response.get_json()


def entry(engine_id: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "type": "file", "knowledge_engine_id": engine_id} | fields


async def test_each_entry_gets_its_file(onlooker: Client) -> None:
    engine = await onlooker.create_engine()

    items = await upload(onlooker, [entry(engine, "a"), entry(engine, "b")], [LEASE, PRICES])

    assert [item["success"] for item in items] == [True, True]
    assert [item["data_source"]["size_bytes"] for item in items] == [len(LEASE), len(PRICES)]


async def test_data_source_of_an_entry_is_whole(onlooker: Client) -> None:
    engine = await onlooker.create_engine()

    (item,) = await upload(onlooker, [entry(engine, "a")], [LEASE])

    assert list(item) == ["name", "success", "data_source"]
    assert item["data_source"] == await onlooker.get(f"/data-sources/{item['data_source']['id']}")


async def test_bad_item_harms_no_other(onlooker: Client) -> None:
    engine = await onlooker.create_engine()
    entries = [entry(engine, "empty"), entry(engine, "good"), entry(engine, "same")]

    items = await upload(onlooker, entries, [b"", LEASE, LEASE])

    assert items[0] == {"name": "empty", "success": False, "error": "the file is empty"}
    assert items[1]["success"]
    assert items[2] == {"name": "same", "success": False, "error": "Duplicate file"}


async def test_numbers_that_do_not_fit_are_refused_before_anything_is_written(
    onlooker: Client,
) -> None:
    engine = await onlooker.create_engine()

    answer = await upload(onlooker, [entry(engine, "a"), entry(engine, "b")], [LEASE])

    assert answer == {
        "error": "the number of files (1) does not match the number of entries "
        "(2, 2 of them of type file)"
    }
    assert await onlooker.get(f"/knowledge-engines/{engine}/data-sources") == []


def test_tickets_may_do_without_a_file() -> None:
    file = (BytesIO(b"x"), "x")

    pairs = pair([{"type": "ticket"}, {"type": "file"}], [file])

    assert pairs == [({"type": "ticket"}, None), ({"type": "file"}, file)]


def test_too_many_files_are_refused() -> None:
    with pytest.raises(InvalidRequest, match=r"files \(2\) .* entries \(1, 1 of them"):
        pair([{"type": "file"}], [(BytesIO(), ""), (BytesIO(), "")])


async def test_several_are_deleted_in_order(client: Client, engine: str) -> None:
    [data_source] = await client.get(f"/knowledge-engines/{engine}/data-sources")
    ids = [data_source["id"], "ds_missing0000000", "nonsense"]

    response = await client.call("DELETE", "/api/v1/data-sources/batch", json={"ids": ids})

    assert await response.get_json() == [
        {"id": ids[0], "success": True},
        {"id": ids[1], "success": False, "error": "data source not found"},
        {"id": ids[2], "success": False, "error": "Invalid data source ID"},
    ]


async def test_ids_may_stand_in_the_query(client: Client, engine: str) -> None:
    [data_source] = await client.get(f"/knowledge-engines/{engine}/data-sources")

    await client.call("DELETE", f"/api/v1/data-sources/batch?ids={data_source['id']}")

    assert await client.get(f"/knowledge-engines/{engine}/data-sources") == []


async def test_no_ids_never_mean_all(client: Client, engine: str) -> None:
    status, message = await client.error("DELETE", "/data-sources/batch")

    assert status == 400
    assert message.endswith("Field validation for 'IDs' failed on the 'required' tag")
    assert len(await client.get(f"/knowledge-engines/{engine}/data-sources")) == 1


async def test_each_deletion_of_a_batch_takes_one_transaction(
    client: Client, services: Services
) -> None:
    engine = await client.create_engine()
    few, many = await add_tickets(client, engine, 2), await add_tickets(client, engine, 5)

    with counted_commits(services) as of_few:
        await delete(client, few)
    with counted_commits(services) as of_many:
        await delete(client, many)

    assert len(of_many) - len(of_few) == 3


async def test_file_that_cannot_be_deleted_is_told_and_nothing_is_found_any_longer(
    client: Client, services: Services
) -> None:
    engine = await client.create_engine()
    ids = await add_tickets(client, engine, 2)
    file = services.settings.data_dir / "files" / engine / ids[0]
    file.unlink()
    file.mkdir()

    items = await delete(client, [*ids, "ds_missing0000000"])

    assert [item["error"] for item in items] == [
        "the file store does not answer",
        "the file store does not answer",
        "data source not found",
    ]
    assert await client.get(f"/knowledge-engines/{engine}/data-sources") == []


async def add_tickets(client: Client, engine_id: str, count: int) -> list[str]:
    """Add tickets that differ from all others, and return their ids."""
    fields = {"name": "Lamp", "type": "ticket", "knowledge_engine_id": engine_id}
    added = [
        await client.post("/data-sources", **fields, content=f"{count} {number}")
        for number in range(count)
    ]
    return [one["id"] for one in added]


async def delete(client: Client, ids: list[str]) -> Any:
    response = await client.call("DELETE", "/api/v1/data-sources/batch", json={"ids": ids})
    return await response.get_json()


@contextmanager
def counted_commits(services: Services) -> Iterator[list[Connection]]:
    commits: list[Connection] = []
    count = commits.append
    event.listen(services.database.engine.sync_engine, "commit", count)
    yield commits
    event.remove(services.database.engine.sync_engine, "commit", count)
