"""Data sources: upload, read and delete them."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from quart import Blueprint, Response, request
from quart_schema import DataSource as FormSource
from quart_schema import document_request, document_response, tag_blueprint
from werkzeug.datastructures import FileStorage

from app import ids
from app.access import account_id, find_data_source, find_knowledge_engine
from app.file_store import receive
from app.models.data_source import DataSource, delete_data_source, insert_data_source
from app.request_body import missing_field, parse_object, validate
from app.responses import answered, created
from app.schemas import (
    DataSourceRequest,
    DataSourceResponse,
    Deleted,
    ErrorResponse,
    UploadForm,
)
from app.services import Services, get_services
from config.errors import UnsupportedContentType
from indexing.partition.formats import check_readable

blueprint = Blueprint("data_sources", __name__, url_prefix="/api/v1/data-sources")
tag_blueprint(blueprint, ["Data sources"])


@blueprint.post("")
@document_request(UploadForm, source=FormSource.FORM_MULTIPART)
@document_response(DataSourceResponse, 201)
@document_response(ErrorResponse, 400)
async def create_data_source() -> Response:
    """Upload a document into a knowledge engine.

    A multipart form with two parts: `file`, the document, and `data`, a JSON object with `name`,
    `type` (`file` or `ticket`), `knowledge_engine_id` and, if you like, `notes`.
    """
    body, upload = await _parse_upload()
    services = get_services()
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, body.knowledge_engine_id, in_body=True)
    with TemporaryDirectory(prefix="ke-upload-") as folder:
        data_source = await _store(services, body, upload, engine.id, Path(folder))
    response = DataSourceResponse.from_data_source(data_source)
    return created(response, f"{blueprint.url_prefix}/{data_source.id}")


@blueprint.get("/<data_source_id>")
@document_response(DataSourceResponse)
@document_response(ErrorResponse, 404)
async def get_data_source(data_source_id: str) -> Response:
    """Return a data source, and how far its reading is."""
    async with get_services().database.transaction() as session:
        data_source = await find_data_source(session, data_source_id)
    return answered(DataSourceResponse.from_data_source(data_source))


@blueprint.delete("/<data_source_id>")
@document_response(Deleted)
@document_response(ErrorResponse, 404)
async def delete_one(data_source_id: str) -> Response:
    """Delete a data source: its row, chunks, postings and stored file."""
    services = get_services()
    async with services.database.transaction() as session:
        data_source = await find_data_source(session, data_source_id)
        await delete_data_source(session, data_source)
        await services.indexes.delete(
            await session.connection(), data_source.knowledge_engine_id, data_source.id
        )
    # Should the process die here, the sweep of the workers finds this file (app/upkeep.py).
    await services.files.delete([data_source.blob_key])
    return answered(Deleted(id=data_source.id))


async def _parse_upload() -> tuple[DataSourceRequest, FileStorage]:
    """Read the two parts of an upload.

    Raises:
        InvalidRequest: one of them is missing, or `data` is not what it should be.
    """
    if request.mimetype != "multipart/form-data":
        raise UnsupportedContentType("multipart/form-data")
    form, files = await request.form, await request.files
    raw = form.get("data") or (files["data"].read() if "data" in files else None)
    if not raw:
        raise missing_field("DataSourceRequest", "Data")
    body = validate(DataSourceRequest, parse_object(raw))
    if "file" not in files:
        raise missing_field("DataSourceRequest", "File")
    return body, files["file"]


async def _store(
    services: Services,
    body: DataSourceRequest,
    upload: FileStorage,
    engine_id: str,
    folder: Path,
) -> DataSource:
    """Check a file, keep it, and queue it for reading."""
    file = await asyncio.to_thread(receive, upload.stream, folder)
    file_format = await asyncio.to_thread(check_readable, file.path)
    data_source_id = ids.new_id(ids.DATA_SOURCE)
    data_source = DataSource(
        id=data_source_id,
        account_id=account_id(),
        knowledge_engine_id=engine_id,
        name=body.name,
        type=body.type,
        notes=body.notes,
        file_name=_base_name(upload.filename) or body.name,
        file_format=file_format,
        size_bytes=file.size_bytes,
        sha256=file.sha256,
        blob_key=f"{engine_id}/{data_source_id}",
    )
    await services.files.save(data_source.blob_key, file.path)
    try:
        async with services.database.transaction() as session:
            await insert_data_source(session, data_source)
            await services.queue.defer(session, data_source.id)
    except BaseException:
        await services.files.delete([data_source.blob_key])
        raise
    return data_source


def _base_name(file_name: str | None) -> str:
    """Return the last part of a name that a client gave; it is shown, never used as a path."""
    name = (file_name or "").replace("\\", "/").rpartition("/")[2]
    return "".join(character for character in name if character.isprintable())[:255]
