import asyncio
import json
import logging
from io import BytesIO
from typing import Any

import docx
import pytest
from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import text
from werkzeug.datastructures import FileStorage

from app.ids import DATA_SOURCE, KNOWLEDGE_ENGINE, new_id
from app.services import Services
from indexing.partition.formats import DAMAGED, PASSWORD_PROTECTED, UNSUPPORTED
from tests.client import Client
from tests.conftest import FILES

HANDBOOK = FILES / "supplier-handbook.docx"
REQUIRED = (
    "Key: 'DataSourceRequest.{0}' Error:Field validation for '{0}' failed on the 'required' tag"
)
NOT_FOUND = (404, "data source not found")


async def test_upload_is_answered_at_once_and_read_later(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()

    response = await onlooker.upload(engine_id, HANDBOOK, name="Handbook", notes={"year": 2024})

    created = await response.get_json()
    assert response.status_code == 201
    assert response.headers["Location"] == f"/api/v1/data-sources/{created['id']}"
    assert (created["name"], created["type"], created["notes"]) == (
        "Handbook",
        "file",
        {"year": 2024},
    )
    assert (created["status"], created["outcome"], created["stage"]) == (
        "processing",
        None,
        "queued",
    )
    assert await onlooker.get(f"/data-sources/{created['id']}") == created


async def test_read_data_source_has_its_figures(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()

    data_source = await onlooker.add(engine_id, HANDBOOK)

    assert (data_source["status"], data_source["outcome"]) == ("processed", "ok")
    assert (data_source["progress"], data_source["stage"]) == (1.0, "done")
    assert data_source["file_name"] == "supplier-handbook.docx"
    assert data_source["size_bytes"] == HANDBOOK.stat().st_size
    assert data_source["page_count"] == 3
    assert data_source["chunk_count"] >= 3


async def test_document_without_text_has_failed(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    engine_id = await client.create_engine()
    uploaded = await (await client.upload(engine_id, document())).get_json()

    with caplog.at_level(logging.INFO, "app.reading"):
        await client.read_all(engine_id)

    data_source = await client.get(f"/data-sources/{uploaded['id']}")
    assert (data_source["status"], data_source["outcome"]) == ("processed", "failed")
    assert data_source["error"].startswith("the document holds no text")
    assert data_source["chunk_count"] == 0
    assert caplog.messages == []


async def test_text_named_pdf_is_refused(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()

    response = await client.upload(engine_id, FILES / "plain-text.pdf")

    assert response.status_code == 400
    assert (await response.get_json())["error"].startswith("the file is named .pdf but holds")
    await assert_nothing_is_left(services)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
        pytest.param(b"\x7fELF\x02\x01\x01" + bytes(range(256)), UNSUPPORTED, id="program"),
        pytest.param(HANDBOOK.read_bytes()[:2000], DAMAGED, id="truncated"),
        pytest.param(b"%PDF-1.7\nnothing", DAMAGED, id="damaged pdf"),
    ],
)
async def test_unreadable_file_is_refused(
    client: Client, services: Services, content: bytes, message: str
) -> None:
    engine_id = await client.create_engine()

    response = await client.upload(engine_id, content)

    assert (response.status_code, await response.get_json()) == (400, {"error": message})
    await assert_nothing_is_left(services)


async def test_locked_pdf_is_refused(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    locked = BytesIO()
    canvas = Canvas(locked, encrypt="secret")
    canvas.drawString(100, 700, "The rent is 900.")
    canvas.save()

    response = await client.upload(engine_id, locked.getvalue())

    assert await response.get_json() == {"error": PASSWORD_PROTECTED}
    await assert_nothing_is_left(services)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(None, REQUIRED.format("Data"), id="missing"),
        pytest.param("", REQUIRED.format("Data"), id="empty"),
        pytest.param("name", "Expecting value: line 1 column 1 (char 0)", id="not JSON"),
        pytest.param("[]", "expected a JSON object, not an array", id="array"),
        pytest.param("NaN", "not a JSON text: NaN is not a JSON value", id="NaN"),
        pytest.param(
            "{}",
            "\n".join(REQUIRED.format(name) for name in ("Name", "Type", "KnowledgeEngineID")),
            id="no fields",
        ),
    ],
)
async def test_data_must_be_an_object(
    client: Client, services: Services, data: str | None, message: str
) -> None:
    form = {} if data is None else {"data": data}

    assert await upload_form(client, form) == (400, message)
    await assert_nothing_is_left(services)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param(
            {"knowledge_engine_id": new_id(KNOWLEDGE_ENGINE)},
            "knowledge engine not found",
            id="unknown engine",
        ),
        pytest.param(
            {"knowledge_engine_id": "kb_1"}, "Invalid knowledge engine ID", id="bad engine id"
        ),
        pytest.param(
            {"type": "video"},
            "Key: 'DataSourceRequest.Type' Error:Field validation for 'Type' failed on the "
            "'oneof' tag",
            id="type",
        ),
        pytest.param({"name": ""}, REQUIRED.format("Name"), id="empty name"),
        pytest.param(
            {"notes": "none"},
            "Key: 'DataSourceRequest.Notes' Error:Field validation for 'Notes' failed on the "
            "'type' tag",
            id="notes",
        ),
        pytest.param(
            {"name": "a\x00b"},
            "a text holds a character that cannot be stored (NUL or half a pair)",
            id="NUL",
        ),
    ],
)
async def test_upload_with_a_fault_leaves_nothing(
    client: Client, services: Services, changes: dict[str, Any], message: str
) -> None:
    engine_id = await client.create_engine()

    response = await client.upload(engine_id, HANDBOOK, **changes)

    assert (response.status_code, await response.get_json()) == (400, {"error": message})
    await assert_nothing_is_left(services)


async def test_file_part_must_be_there(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    data = {"name": "n", "type": "file", "knowledge_engine_id": engine_id}

    failure = await upload_form(client, {"data": json.dumps(data)}, part="document")

    assert failure == (400, REQUIRED.format("File"))
    await assert_nothing_is_left(services)


async def test_only_a_form_is_read(onlooker: Client) -> None:
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "application/pdf"):
        headers = {"Content-Type": content_type}
        failure = await onlooker.error("POST", "/data-sources", data="x", headers=headers)

        assert failure == (415, "Content-Type must be multipart/form-data")


async def test_json_alone_brings_no_file(client: Client, services: Services) -> None:
    body = {"name": "n", "type": "file", "knowledge_engine_id": await client.create_engine()}

    failure = await client.error("POST", "/data-sources", json=body)

    assert failure == (400, REQUIRED.format("File"))
    await assert_nothing_is_left(services)


async def test_data_may_be_a_file_part(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    data = {"name": "n", "type": "file", "knowledge_engine_id": engine_id}
    files = {
        "data": FileStorage(BytesIO(json.dumps(data).encode()), filename="data.json"),
        "file": FileStorage(BytesIO(HANDBOOK.read_bytes()), filename="x.docx"),
    }

    response = await onlooker.call("POST", "/api/v1/data-sources", files=files)

    assert response.status_code == 201


async def test_upload_to_the_engine_of_another_account_is_refused(
    client: Client, stranger: Client, services: Services
) -> None:
    engine_id = await client.create_engine()

    response = await stranger.upload(engine_id, HANDBOOK)

    assert response.status_code == 400
    assert await response.get_json() == {"error": "knowledge engine not found"}
    await assert_nothing_is_left(services)


@pytest.mark.parametrize(
    ("file_name", "kept"),
    [
        pytest.param("../../etc/passwd", "passwd", id="path"),
        # Doubled, as a header has to write it; the test client sends what it is given.
        pytest.param(r"C:\\Users\\Ann\\lease.docx", "lease.docx", id="Windows path"),
        pytest.param("Mietvertrag für 🏠.docx", "Mietvertrag für 🏠.docx", id="not ASCII"),
        pytest.param("a\tb.docx", "ab.docx", id="control character"),
        pytest.param("/", "Handbook", id="nothing left"),
    ],
)
async def test_file_name_is_only_a_name(onlooker: Client, file_name: str, kept: str) -> None:
    engine_id = await onlooker.create_engine()
    data = {"name": "Handbook", "type": "file", "knowledge_engine_id": engine_id}
    files = {"file": FileStorage(BytesIO(HANDBOOK.read_bytes()), filename=file_name)}

    response = await onlooker.call(
        "POST", "/api/v1/data-sources", form={"data": json.dumps(data)}, files=files
    )

    assert (await response.get_json())["file_name"] == kept


async def test_same_bytes_are_a_duplicate(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    await client.upload(engine_id, HANDBOOK)

    again = await client.upload(engine_id, HANDBOOK, name="Another name")

    assert (again.status_code, await again.get_json()) == (400, {"error": "Duplicate file"})
    assert await counts(services) == (1, 1, 1)


async def test_same_bytes_are_welcome_in_another_engine(onlooker: Client) -> None:
    for engine_id in (await onlooker.create_engine(), await onlooker.create_engine()):
        assert (await onlooker.upload(engine_id, HANDBOOK)).status_code == 201


async def test_same_bytes_at_the_same_instant_are_taken_once(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()

    responses = await asyncio.gather(*(client.upload(engine_id, HANDBOOK) for _ in range(4)))

    assert sorted(response.status_code for response in responses) == [201, 400, 400, 400]
    assert await counts(services) == (1, 1, 1)


async def test_deleted_document_can_be_uploaded_again(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    first = await (await onlooker.upload(engine_id, HANDBOOK)).get_json()
    await onlooker.call("DELETE", f"/api/v1/data-sources/{first['id']}")

    assert (await onlooker.upload(engine_id, HANDBOOK)).status_code == 201


async def test_failed_document_can_be_uploaded_again(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    without_text = document()
    await onlooker.upload(engine_id, without_text)
    await onlooker.read_all(engine_id)

    assert (await onlooker.upload(engine_id, without_text)).status_code == 201
    assert (await onlooker.upload(engine_id, without_text)).status_code == 400


async def test_deleted_data_source_leaves_nothing(client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    data_source = await client.add(engine_id, HANDBOOK)

    response = await client.call("DELETE", f"/api/v1/data-sources/dsc_{data_source['id'][3:]}")

    assert response.status_code == 200
    assert await response.get_json() == {"id": data_source["id"], "deleted": True}
    assert stored_files(services) == []
    for table in ("data_source", *await tables_of(services, engine_id)):
        assert await count(services, table) == 0, table


async def test_deleted_data_source_is_not_found_again(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    data_source = await onlooker.add(engine_id, HANDBOOK)
    path = f"/data-sources/{data_source['id']}"
    before = await onlooker.post(f"/knowledge-engines/{engine_id}/retrieve", query="invoices paid")

    await onlooker.call("DELETE", f"/api/v1{path}")

    after = await onlooker.post(f"/knowledge-engines/{engine_id}/retrieve", query="invoices paid")
    assert before["total_chunks"] > 0
    assert after["chunks"] == []
    assert await onlooker.get(f"/knowledge-engines/{engine_id}/data-sources") == []
    assert await onlooker.error("GET", path) == await onlooker.error("DELETE", path) == NOT_FOUND


async def test_other_data_sources_stay(client: Client, engine: str) -> None:
    handbook = await client.add(engine, HANDBOOK)

    await client.call("DELETE", f"/api/v1/data-sources/{handbook['id']}")

    found = await client.post(f"/knowledge-engines/{engine}/retrieve", query="invoices", top_k=20)
    assert {chunk["filename"] for chunk in found["chunks"]} == {"warehouse-lease.pdf"}


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_data_source_of_another_account_answers_as_a_missing_one(
    client: Client, stranger: Client, method: str
) -> None:
    uploaded = await (await client.upload(await client.create_engine(), HANDBOOK)).get_json()
    places = [f"/data-sources/{one}" for one in (uploaded["id"], new_id(DATA_SOURCE))]

    failures = [await stranger.error(method, place) for place in places]

    assert failures == [NOT_FOUND, NOT_FOUND]
    assert await client.get(f"/data-sources/{uploaded['id']}") == uploaded


@pytest.mark.parametrize("bad_id", ["ds_", "kng_0123456789abcd", "ds_012345678", "ds_0123456789é"])
async def test_id_of_another_form_is_refused(onlooker: Client, bad_id: str) -> None:
    failure = await onlooker.error("GET", f"/data-sources/{bad_id}")

    assert failure == (400, "Invalid data source ID")


async def test_list_goes_a_page_at_a_time(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    ids = [
        (await (await onlooker.upload(engine_id, document(str(number)))).get_json())["id"]
        for number in range(3)
    ]
    path = f"/api/v1/knowledge-engines/{engine_id}/data-sources"

    first = await onlooker.call("GET", f"{path}?limit=2")
    second = await onlooker.call("GET", f"{path}?limit=2&after={ids[1]}")

    assert [one["id"] for one in await first.get_json()] == ids[:2]
    assert first.headers["Link"] == f'<{path}?limit=2&after={ids[1]}>; rel="next"'
    assert [one["id"] for one in await second.get_json()] == ids[2:]


def document(content: str = "") -> bytes:
    file = BytesIO()
    made = docx.Document()
    made.add_paragraph(content)
    made.save(file)
    return file.getvalue()


async def upload_form(client: Client, form: dict[str, str], part: str = "file") -> tuple[int, str]:
    files = {part: FileStorage(BytesIO(HANDBOOK.read_bytes()), filename="x.docx")}
    return await client.error("POST", "/data-sources", form=form, files=files)


async def assert_nothing_is_left(services: Services) -> None:
    assert await counts(services) == (0, 0, 0)
    assert await count(services, "unclaimed_file") == 0


async def counts(services: Services) -> tuple[int, int, int]:
    """Return how many rows, jobs and stored files there are."""
    rows, jobs = [await count(services, table) for table in ("data_source", "procrastinate_jobs")]
    return rows, jobs, len(stored_files(services))


async def count(services: Services, table: str) -> int:
    async with services.database.engine.connect() as connection:
        found = (await connection.execute(text(f'SELECT count(*) FROM "{table}"'))).scalar_one()
    return int(found)


async def tables_of(services: Services, engine_id: str) -> list[str]:
    statement = text("SELECT tablename FROM pg_tables WHERE tablename LIKE '%' || :id || '%'")
    async with services.database.engine.connect() as connection:
        return list((await connection.execute(statement, {"id": engine_id})).scalars())


def stored_files(services: Services) -> list[str]:
    folder = services.settings.data_dir / "files"
    return [path.name for path in folder.rglob("*") if path.is_file()]
