"""An upload on its way in: checked, kept, and queued, or refused with nothing left behind."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any

from app import ids
from app.access import account_id, find_knowledge_engine
from app.audit import record
from app.file_store import receive
from app.idempotency import id_for, keyed_request
from app.links import file_headers
from app.models.audit_entry import Action
from app.models.data_source import DataSource, insert_data_source
from app.models.unclaimed_file import delete_unclaimed, insert_unclaimed
from app.request_body import missing_field, validate
from app.schemas_data_sources import DataSourceRequest
from app.services import Services
from app.work_folder import work_folder
from config.errors import ServiceError, UploadTooLarge
from indexing.partition.formats import check_readable

SHORT_BYTES = 256 * 1024
"""A file of up to so many bytes is mostly read in seconds: it does not wait for long ones."""

_LONGEST_FILE_NAME = 255


@dataclass(frozen=True, slots=True)
class Upload:
    """A data source as it was sent."""

    request: DataSourceRequest
    file_name: str
    content: IO[bytes]


def parse_upload(
    fields: Mapping[str, Any], file: IO[bytes] | None, file_name: str | None
) -> Upload:
    """Check what came with a file; a ticket may come without one, as text.

    Raises:
        InvalidRequest: a field breaks a rule, or the file is missing.
    """
    request = validate(DataSourceRequest, fields)
    if file is not None:
        return Upload(request, _base_name(file_name) or request.name, file)
    if request.type == "file":
        raise missing_field("DataSourceRequest", "File")
    text = request.content or ticket_text(request)
    return Upload(request, f"{_base_name(request.name)}.txt", BytesIO(text.encode()))


def ticket_text(request: DataSourceRequest) -> str:
    """Write a ticket out that came without text: its name, then what its notes say."""
    lines = [f"{key}: {_note_text(value)}" for key, value in request.notes.items()]
    return "\n".join([request.name, "", *lines])


def _note_text(value: Any) -> str:
    """Write a note as it was sent: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


async def store_upload(services: Services, upload: Upload, item: int = 0) -> DataSource:
    """Keep a file and queue it for reading; `item` is its place where a request has several.

    Raises:
        InvalidRequest: the engine is not there, the file cannot be read, or is there already.
        FileStoreAway: the file cannot be kept now.
    """
    async with services.database.reading() as session:
        engine = await find_knowledge_engine(
            session, upload.request.knowledge_engine_id, in_body=True
        )
    with work_folder(services.settings.work_dir, "upload-") as folder:
        file = await asyncio.to_thread(receive, upload.content, folder)
        if file.size_bytes > services.settings.max_upload_bytes:
            raise UploadTooLarge(services.settings.max_upload_bytes)
        file_format = await asyncio.to_thread(check_readable, file.path, upload.file_name)
        data_source_id = id_for(ids.DATA_SOURCE, item)
        data_source = DataSource(
            id=data_source_id,
            account_id=account_id(),
            knowledge_engine_id=engine.id,
            name=upload.request.name,
            type=upload.request.type,
            notes=upload.request.notes,
            file_name=upload.file_name,
            file_format=file_format,
            size_bytes=file.size_bytes,
            sha256=file.sha256,
            blob_key=_blob_key(engine.id, data_source_id),
        )
        async with services.database.transaction() as session:
            await insert_unclaimed(session, [data_source.blob_key])
        await services.files.save(data_source.blob_key, file.path, file_headers(data_source))
    try:
        async with services.database.transaction() as session:
            await insert_data_source(session, data_source)
            await record(session, Action.DATA_SOURCE_CREATED, data_source.id)
            await delete_unclaimed(session, [data_source.blob_key])
            is_short = data_source.size_bytes <= SHORT_BYTES
            await services.queue.defer(session, data_source.id, engine.id, is_short=is_short)
    except ServiceError:
        await discard_files(services, [data_source.blob_key])
        raise
    return data_source


def _blob_key(engine_id: str, data_source_id: str) -> str:
    keyed = keyed_request()
    # The file of an attempt that was taken for dead may be claimed yet, or be deleted.
    suffix = f"-{keyed.row.attempt}" if keyed and keyed.is_repeat else ""
    return f"{engine_id}/{data_source_id}{suffix}"


async def discard_files(services: Services, keys: Sequence[str]) -> None:
    """Delete files that are noted as unclaimed, and strike them out."""
    await services.files.delete(keys)
    async with services.database.transaction() as session:
        await delete_unclaimed(session, keys)


def _base_name(file_name: str | None) -> str:
    """Return the last part of a name that a client gave; it is shown, never used as a path."""
    name = (file_name or "").replace("\\", "/").rpartition("/")[2]
    return "".join(character for character in name if character.isprintable())[:_LONGEST_FILE_NAME]
