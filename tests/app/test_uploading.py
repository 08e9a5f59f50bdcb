from io import BytesIO
from typing import Any

import pytest
from quart import Quart, g

from app.models.account import Account
from app.schemas_data_sources import DataSourceRequest
from app.services import Services
from app.uploading import parse_upload, store_upload, ticket_text
from config.errors import ReferenceNotFound, UploadTooLarge, ValidationFailed
from tests.client import Client
from tests.conftest import FILES

HANDBOOK = (FILES / "supplier-handbook.docx").read_bytes()
FIELDS: dict[str, Any] = {"name": "Handbook", "type": "file", "knowledge_engine_id": "kng_1"}
TICKET = FIELDS | {"type": "ticket", "name": "Lamp broken"}


def test_file_keeps_its_name() -> None:
    upload = parse_upload(FIELDS, BytesIO(HANDBOOK), "C:\\docs\\handbook.docx")

    assert (upload.file_name, upload.request.name) == ("handbook.docx", "Handbook")
    assert upload.content.read() == HANDBOOK


def test_file_without_a_name_has_that_of_the_data_source() -> None:
    assert parse_upload(FIELDS, BytesIO(HANDBOOK), None).file_name == "Handbook"


def test_long_name_is_cut() -> None:
    assert len(parse_upload(FIELDS, BytesIO(HANDBOOK), "n" * 1000).file_name) == 255


def test_data_source_of_type_file_needs_a_file() -> None:
    with pytest.raises(ValidationFailed, match=r"'DataSourceRequest\.File' .* 'required' tag"):
        parse_upload(FIELDS, None, None)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        pytest.param({"content": "It flickers."}, "It flickers.", id="content"),
        pytest.param({}, "Lamp broken\n", id="name"),
        pytest.param({"notes": {"priority": 1}}, "Lamp broken\n\npriority: 1", id="notes"),
    ],
)
def test_ticket_without_a_file_is_its_text(fields: dict[str, Any], text: str) -> None:
    upload = parse_upload(TICKET | fields, None, None)

    assert upload.file_name == "Lamp broken.txt"
    assert upload.content.read().decode() == text


def test_ticket_is_written_out_line_by_line() -> None:
    request = DataSourceRequest.model_validate(TICKET | {"notes": {"a": 1, "b": "two"}})

    assert ticket_text(request) == "Lamp broken\n\na: 1\nb: two"


@pytest.mark.parametrize(
    ("note", "written"),
    [
        pytest.param(None, "null", id="null"),
        pytest.param(True, "true", id="truth"),
        pytest.param(2.5, "2.5", id="number"),
        pytest.param({"seit": "März"}, '{"seit": "März"}', id="object"),
        pytest.param(["a", None], '["a", null]', id="list"),
        pytest.param('say "no"', 'say "no"', id="text"),
    ],
)
def test_note_of_a_ticket_is_written_as_it_was_sent(note: Any, written: str) -> None:
    request = DataSourceRequest.model_validate(TICKET | {"notes": {"note": note}})

    assert ticket_text(request) == f"Lamp broken\n\nnote: {written}"


async def test_stored_upload_is_claimed(app: Quart, client: Client, services: Services) -> None:
    fields = FIELDS | {"knowledge_engine_id": await client.create_engine()}

    async with app.test_request_context("/"):
        g.account = Account(id=1, name="first")
        upload = parse_upload(fields, BytesIO(HANDBOOK), "handbook.docx")
        data_source = await store_upload(services, upload)

    folder = services.settings.data_dir / "files"
    assert (folder / data_source.blob_key).read_bytes() == HANDBOOK
    assert list(services.settings.work_dir.iterdir()) == []
    assert (data_source.file_format, data_source.size_bytes) == ("docx", len(HANDBOOK))


async def test_file_over_the_limit_is_refused(
    app: Quart, client: Client, services: Services
) -> None:
    fields = FIELDS | {"knowledge_engine_id": await client.create_engine()}
    too_large = BytesIO(b"a" * (services.settings.max_upload_bytes + 1))

    async with app.test_request_context("/"):
        g.account = Account(id=1, name="first")
        with pytest.raises(UploadTooLarge, match="the limit of 2 MB"):
            await store_upload(services, parse_upload(fields, too_large, "a.pdf"))

    assert list(services.settings.work_dir.iterdir()) == []


async def test_engine_must_be_there(app: Quart, services: Services) -> None:
    fields = FIELDS | {"knowledge_engine_id": "kng_0123456789abcd"}

    async with app.test_request_context("/"):
        g.account = Account(id=1, name="first")
        with pytest.raises(ReferenceNotFound):
            await store_upload(services, parse_upload(fields, BytesIO(HANDBOOK), "a"))
