"""Data sources: upload, read and delete them."""

from quart import Blueprint, Response, request
from quart_schema import DataSource as FormSource
from quart_schema import document_querystring, document_request, document_response, tag_blueprint

from app import ids
from app.access import find_data_source
from app.blueprints.deletion_receipts import deleted, wants_receipt
from app.current import get_services
from app.deleting import delete_with_everything
from app.idempotency import KeyedRequest, idempotent
from app.models.data_source_page import select_pages
from app.request_body import form_data, parse_object
from app.responses import answered, answered_list, created
from app.schemas import Deleted, DeletionParameters, ErrorResponse
from app.schemas_data_sources import DataSourceResponse, PageResponse, UploadForm
from app.uploading import Upload, parse_upload, store_upload
from config.errors import UnsupportedContentType

blueprint = Blueprint("data_sources", __name__, url_prefix="/api/v1/data-sources")
tag_blueprint(blueprint, ["Data sources"])


async def _create_again(keyed: KeyedRequest) -> Response:
    async with keyed.services.database.reading() as session:
        data_source = await find_data_source(session, keyed.id_of(ids.DATA_SOURCE))
    return _created(DataSourceResponse.as_uploaded(data_source))


@blueprint.post("")
@document_request(UploadForm, source=FormSource.FORM_MULTIPART)
@document_response(DataSourceResponse, 201)
@document_response(ErrorResponse, 400)
@idempotent(_create_again)
async def create_data_source() -> Response:
    """Upload a document into a knowledge engine.

    A multipart form with two parts: `file`, the document, and `data`, a JSON object with `name`,
    `type` (`file` or `ticket`), `knowledge_engine_id` and, if you like, `notes`. A ticket may come
    without a file, also as a plain JSON body: its text is `content`, or else its name and notes.
    """
    upload = await _parse_upload()
    data_source = await store_upload(get_services(), upload)
    return _created(DataSourceResponse.from_data_source(data_source))


@blueprint.get("/<data_source_id>")
@document_response(DataSourceResponse)
@document_response(ErrorResponse, 404)
async def get_data_source(data_source_id: str) -> Response:
    """Return a data source, and how far its reading is."""
    async with get_services().database.transaction() as session:
        data_source = await find_data_source(session, data_source_id)
    return answered(DataSourceResponse.from_data_source(data_source))


@blueprint.get("/<data_source_id>/pages")
@document_response(list[PageResponse])
@document_response(ErrorResponse, 404)
async def list_pages(data_source_id: str) -> Response:
    """List the pages of a data source, and how each was read; they appear as they are read."""
    async with get_services().database.transaction() as session:
        data_source = await find_data_source(session, data_source_id)
        pages = await select_pages(session, data_source.id)
    return answered_list([PageResponse.from_page(page) for page in pages])


@blueprint.delete("/<data_source_id>")
@document_querystring(DeletionParameters)
@document_response(Deleted)
@document_response(ErrorResponse, 404)
async def delete_one(data_source_id: str) -> Response:
    """Delete a data source: its row, chunks, postings and stored file.

    With `?receipt=true`, answer and keep a signed receipt.
    """
    wanted = wants_receipt()
    return deleted(
        await delete_with_everything(get_services(), data_source_id, with_receipt=wanted)
    )


def _created(data_source: DataSourceResponse) -> Response:
    return created(data_source, f"{blueprint.url_prefix}/{data_source.id}")


async def _parse_upload() -> Upload:
    """Read the two parts of an upload, or the JSON body of a ticket.

    Raises:
        InvalidRequest: one of them is missing, or `data` is not what it should be.
    """
    if request.is_json:
        return parse_upload(parse_object(await request.get_data()), None, None)
    if request.mimetype != "multipart/form-data":
        raise UnsupportedContentType("multipart/form-data")
    form, files = await request.form, await request.files
    fields = parse_object(form_data(form, files))
    file = files.get("file")
    if file is None:
        return parse_upload(fields, None, None)
    return parse_upload(fields, file.stream, file.filename)
