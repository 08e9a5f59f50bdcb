"""Several data sources in one request; one bad item never harms another."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from quart import Blueprint, Response, request
from quart_schema import DataSource as FormSource
from quart_schema import document_querystring, document_request, document_response, tag_blueprint

from app import ids
from app.access import find_data_source
from app.blueprints.deletion_receipts import receipt_response, wants_receipt
from app.current import get_services
from app.deleting import DeletedRows, Deletion, delete_rest, delete_rows
from app.idempotency import KeyedRequest, idempotent, keyed_request
from app.models.data_source import DataSource
from app.request_body import form_data, parse_array, parse_object
from app.responses import answered_list
from app.schemas import BatchDeleteItem, BatchDeletionParameters, ErrorResponse
from app.schemas_data_sources import BatchForm, BatchItem, DataSourceResponse
from app.services import Services
from app.uploading import parse_upload, store_upload
from config.errors import (
    InvalidRequest,
    NotFound,
    ServiceError,
    UnsupportedContentType,
    ValidationFailed,
)

MAX_ITEMS = 1000

File = tuple[IO[bytes], str | None]

blueprint = Blueprint("data_source_batch", __name__, url_prefix="/api/v1/data-sources/batch")
tag_blueprint(blueprint, ["Data sources"])


async def _create_again(keyed: KeyedRequest) -> Response | None:
    if not keyed.is_answered:
        return None  # What is made of it already is found one by one.
    errors = json.loads(keyed.row.answer or b"{}")
    items = [
        await _item_again(keyed, str(fields.get("name", "")), number, errors.get(str(number)))
        for number, (fields, _) in enumerate(await _pairs())
    ]
    return answered_list(items)


@blueprint.post("")
@document_request(BatchForm, source=FormSource.FORM_MULTIPART)
@document_response(list[BatchItem])
@document_response(ErrorResponse, 400)
@idempotent(_create_again)
async def create_data_sources() -> Response:
    """Upload several documents.

    A multipart form: `data`, a JSON array with an object per data source as for a single upload,
    and the files, as parts named `files[]`, in the order of their entries. The answer has one entry
    per data source, in that order.
    """
    pairs, services, keyed = await _pairs(), get_services(), keyed_request()
    items = [
        await _create_one(services, fields, file, number)
        for number, (fields, file) in enumerate(pairs)
    ]
    if keyed is not None:
        await _keep_errors(keyed, items)
    return answered_list(items)


@blueprint.delete("")
@document_querystring(BatchDeletionParameters)
@document_response(list[BatchDeleteItem])
@document_response(ErrorResponse, 400)
async def delete_data_sources() -> Response:
    """Delete several data sources: `{"ids": […]}` as JSON, or `?ids=a,b`.

    With `?receipt=true`, answer and keep a signed receipt for each.
    """
    wanted = wants_receipt()
    data_source_ids = await _ids_to_delete()
    items = await delete_each(get_services(), data_source_ids, with_receipts=wanted)
    return answered_list(items, exclude_none=True)


def pair(
    entries: Sequence[Mapping[str, Any]], files: Sequence[File]
) -> list[tuple[Mapping[str, Any], File | None]]:
    """Give each entry its file: by position, or to those of type `file` in their order.

    Raises:
        InvalidRequest: the numbers do not fit; the message names both.
    """
    if len(files) == len(entries):
        return list(zip(entries, files, strict=True))
    wanting = [entry.get("type") == "file" for entry in entries]
    if len(files) != sum(wanting):
        raise InvalidRequest(
            f"the number of files ({len(files)}) does not match the number of entries "
            f"({len(entries)}, {sum(wanting)} of them of type file)"
        )
    rest = iter(files)
    return [
        (entry, next(rest) if wants else None)
        for entry, wants in zip(entries, wanting, strict=True)
    ]


async def _pairs() -> list[tuple[Mapping[str, Any], File | None]]:
    if request.mimetype != "multipart/form-data":
        raise UnsupportedContentType("multipart/form-data")
    form, files = await request.form, await request.files
    entries = parse_array(form_data(form, files))
    _check_count(len(entries))
    parts = [
        (part.stream, part.filename)
        for name, part in files.items(multi=True)
        if name == "file" or name.startswith("files")
    ]
    return pair(entries, parts)


async def _create_one(
    services: Services, fields: Mapping[str, Any], file: File | None, number: int
) -> BatchItem:
    name = str(fields.get("name", ""))
    try:
        if data_source := await _made_before(number):
            return _uploaded(name, data_source)
        content, file_name = file or (None, None)
        upload = parse_upload(fields, content, file_name)
        data_source = await store_upload(services, upload, number)
    except ServiceError as error:
        return BatchItem(name=name, success=False, error=error.message)
    return _uploaded(name, data_source)


async def _made_before(number: int) -> DataSource | None:
    """Return what an attempt at this request that was broken off has made of an entry."""
    keyed = keyed_request()
    if keyed is None or not keyed.is_repeat:
        return None
    try:
        return await _find(keyed, number)
    except NotFound:
        return None


async def _find(keyed: KeyedRequest, number: int) -> DataSource:
    async with keyed.services.database.reading() as session:
        return await find_data_source(session, keyed.id_of(ids.DATA_SOURCE, number))


def _uploaded(name: str, data_source: DataSource) -> BatchItem:
    response = DataSourceResponse.as_uploaded(data_source)
    return BatchItem(name=name, success=True, data_source=response)


async def _keep_errors(keyed: KeyedRequest, items: Sequence[BatchItem]) -> None:
    """Keep why entries have failed, for of them there is nothing to answer with."""
    errors = {number: item.error for number, item in enumerate(items) if not item.success}
    async with keyed.services.database.transaction() as session:
        await keyed.answered(session, json.dumps(errors).encode())


async def _item_again(keyed: KeyedRequest, name: str, number: int, error: str | None) -> BatchItem:
    try:
        if error is None:
            return _uploaded(name, await _find(keyed, number))
    except NotFound as gone:
        error = gone.message
    return BatchItem(name=name, success=False, error=error)


async def delete_each(
    services: Services, data_source_ids: Sequence[str], *, with_receipts: bool = False
) -> list[BatchDeleteItem]:
    """Delete data sources one by one; what keeps one of them from it stands in its item.

    Their files go together at the end: a store that is away then stands in the items of all.
    """
    _check_count(len(data_source_ids))
    tried = [await _delete_rows(services, one, with_receipts) for one in data_source_ids]
    deleted = [one for one in tried if isinstance(one, DeletedRows)]
    ends: Iterator[Deletion | ServiceError]
    try:
        ends = iter(await delete_rest(services, deleted))
    except ServiceError as error:
        ends = itertools.repeat(error)
    return [
        _item_deleted(given_id, next(ends) if isinstance(one, DeletedRows) else one)
        for given_id, one in zip(data_source_ids, tried, strict=True)
    ]


async def _delete_rows(
    services: Services, data_source_id: str, with_receipt: bool
) -> DeletedRows | ServiceError:
    try:
        return await delete_rows(services, data_source_id, with_receipt=with_receipt)
    except ServiceError as error:
        return error


def _item_deleted(given_id: str, end: Deletion | ServiceError) -> BatchDeleteItem:
    if isinstance(end, ServiceError):
        return BatchDeleteItem(id=given_id, success=False, error=end.message)
    return BatchDeleteItem(id=given_id, success=True, receipt=receipt_response(end.receipt))


async def _ids_to_delete() -> list[str]:
    """Read which to delete; none is an error, and never means all."""
    in_query = [one for one in request.args.get("ids", "").split(",") if one]
    raw = await request.get_data()
    given = parse_object(raw).get("ids", []) if raw else []
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise _ids_failed("type")
    if not given and not in_query:
        raise _ids_failed("required")
    return [*given, *in_query]


def _ids_failed(rule: str) -> ValidationFailed:
    field = "BatchDeleteRequest.IDs"
    return ValidationFailed(
        f"Key: '{field}' Error:Field validation for 'IDs' failed on the '{rule}' tag"
    )


def _check_count(count: int) -> None:
    if count > MAX_ITEMS:
        raise InvalidRequest(f"a batch holds at most {MAX_ITEMS} items, not {count}")
