"""Receipts as the service writes them; tests/app/blueprints has what clients see of them."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import text

from app.models.data_source import DataSource, delete_data_source
from app.models.deletion_receipt import select_pending_receipts
from app.models.knowledge_engine import KnowledgeEngine
from app.models.stream import insert_stream
from app.models.workflow import insert_workflow
from app.receipts import (
    begin_data_source_receipt,
    begin_engine_receipt,
    canonical,
    complete_pending_receipts,
    complete_receipt,
)
from app.services import Services
from tests.app.models.rows import workflow
from tests.app.test_deleting import held_storing, until_blocked
from tests.client import Client
from tests.conftest import FILES

LEASE = FILES / "warehouse-lease.pdf"


async def test_receipt_of_a_data_source_counts_what_there_was(
    client: Client, services: Services, engine: str
) -> None:
    data_source = await first_data_source(client, engine)
    drawn = await client.call("GET", f"/api/v1/data-sources/{data_source['id']}/pages/1.png")
    cited = [{"data_source_id": data_source["id"], "text": "Dock Road"}]
    async with services.database.transaction() as session:
        await insert_workflow(session, workflow(1, engine, 1, citations=cited))

    content = (await delete(client, f"data-sources/{data_source['id']}"))["content"]

    assert drawn.status_code == 200
    erased = content["erased"]
    assert erased["rows"]["data_source_page"] == data_source["page_count"] == 3
    assert erased["chunks"] == erased["vectors"] == data_source["chunk_count"]
    assert erased["postings"] > erased["chunks"]
    assert (erased["files"], erased["page_images"]) == (3, 1)
    assert erased["bytes"] > data_source["size_bytes"] == LEASE.stat().st_size
    assert content["kept"] == {"citing_workflows": 1, "tool_runs": 0}
    assert everything(content["found"]) == {0}
    assert content["deleted_at"] <= content["checked_at"]


async def test_receipt_of_an_engine_counts_what_there_was(
    client: Client, services: Services, engine: str
) -> None:
    data_source = await first_data_source(client, engine)
    async with services.database.transaction() as session:
        await insert_workflow(session, workflow(1, engine, 1))

    content = (await delete(client, f"knowledge-engines/{engine}"))["content"]

    erased = content["erased"]
    assert (erased["rows"]["data_source"], erased["rows"]["data_source_page"]) == (1, 3)
    assert (erased["rows"]["workflow"], erased["rows"]["context"]) == (1, 1)
    assert erased["chunks"] == erased["vectors"] == data_source["chunk_count"]
    assert (erased["files"], erased["bytes"]) == (1, data_source["size_bytes"])
    assert everything(content["found"]) == {0}


async def test_what_was_streamed_of_an_engine_counts_as_erased(
    client: Client, engine: str, services: Services
) -> None:
    data_source = await first_data_source(client, engine)
    async with services.database.transaction() as session:
        await insert_stream(session, "strm_1", 1, engine)

    content = (await delete(client, f"data-sources/{data_source['id']}"))["content"]

    assert content["erased"]["rows"]["stream"] == 1


async def test_receipt_says_nothing_of_what_the_document_was(client: Client, engine: str) -> None:
    data_source = await first_data_source(client, engine)

    receipt = await delete(client, f"data-sources/{data_source['id']}")

    text_of_it = canonical(receipt).decode()
    assert data_source["id"] in text_of_it
    assert not any(word in text_of_it for word in (data_source["name"], "lease", "sha256", "pdf"))


async def test_what_is_just_being_stored_is_counted(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    uploaded: Any = await (await client.upload(engine_id, LEASE)).get_json()

    async with held_storing(services, uploaded["id"], "chunks"):
        deletion = asyncio.create_task(delete(client, f"data-sources/{uploaded['id']}"))
        await until_blocked(services, deletion)

    erased = (await deletion)["content"]["erased"]
    assert erased["chunks"] > 0
    assert erased["postings"] > 0


async def test_receipt_of_a_service_that_died_is_completed_by_the_upkeep(
    client: Client, services: Services, engine: str
) -> None:
    data_source = await first_data_source(client, engine)
    async with services.database.transaction() as session:
        row = await session.get_one(DataSource, data_source["id"])
        receipt = await begin_data_source_receipt(services, session, row)
        await delete_data_source(session, row)
        await services.indexes.delete(await session.connection(), engine, row.id)
    path = f"/deletion-receipts/{receipt.id}"
    await complete_pending_receipts(services)
    with_the_file = await client.get(path)

    await services.files.delete([f"{engine}/{row.id}"])
    await complete_pending_receipts(services)

    assert (with_the_file["status"], with_the_file["signature"]) == ("pending", "")
    signed = await client.get(path)
    assert signed["status"] == "signed"
    assert everything(signed["content"]["found"]) == {0}


@pytest.mark.parametrize(
    "left",
    [
        pytest.param("UPDATE data_source SET id = id", id="rows"),
        pytest.param("DELETE FROM lexical_runs_{0}", id="no postings, but chunks"),
        pytest.param("DELETE FROM data_{0}", id="no chunks, but postings"),
    ],
)
async def test_receipt_is_not_signed_while_anything_is_left(
    client: Client, services: Services, engine: str, left: str
) -> None:
    data_source = await first_data_source(client, engine)
    await services.files.delete([f"{engine}/{data_source['id']}"])
    async with services.database.transaction() as session:
        row = await session.get_one(DataSource, data_source["id"])
        receipt = await begin_data_source_receipt(services, session, row)
        if "UPDATE" not in left:
            await delete_data_source(session, row)
    await execute(services, left.format(engine))

    await complete_receipt(services, receipt)

    assert (await client.get(f"/deletion-receipts/{receipt.id}"))["status"] == "pending"


async def test_deletion_that_fails_has_no_receipt(
    client: Client, services: Services, engine: str
) -> None:
    async def fail() -> None:
        async with services.database.transaction() as session:
            row = await session.get_one(KnowledgeEngine, engine)
            await begin_engine_receipt(services, session, row)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    assert await client.get("/deletion-receipts") == []


async def test_file_of_an_upload_that_comes_too_late_keeps_the_receipt_of_an_engine_pending(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    await services.files.save(f"{engine_id}/ds_late", LEASE)

    pending = await delete(client, f"knowledge-engines/{engine_id}")
    await services.files.delete([f"{engine_id}/ds_late"])
    await complete_pending_receipts(services)

    assert pending["status"] == "pending"
    async with services.database.transaction() as session:
        assert await select_pending_receipts(session) == []


async def first_data_source(client: Client, engine: str) -> Any:
    return (await client.get(f"/knowledge-engines/{engine}/data-sources"))[0]


async def delete(client: Client, path: str) -> Any:
    """Delete something and return the receipt."""
    response = await client.call("DELETE", f"/api/v1/{path}?receipt=true")
    assert response.status_code == 200
    return (await response.get_json())["receipt"]


def everything(found: dict[str, Any]) -> set[int]:
    """Return the different counts of what was found."""
    return {*found["rows"].values(), *(count for name, count in found.items() if name != "rows")}


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))
