"""The original files: links to them, and the bytes behind a link."""

from quart import Blueprint, Response, request
from quart_schema import document_response, tag_blueprint
from werkzeug.datastructures import Range
from werkzeug.http import parse_range_header

from app.access import find_data_source
from app.current import get_services
from app.links import LINK_SECONDS, file_headers, maker_of_links, read_link, sign_link
from app.models.data_source import DataSource
from app.responses import answered
from app.schemas import ErrorResponse
from app.schemas_data_sources import PresignedUrl
from app.services import Services
from config.errors import NotFound, RangeNotSatisfiable

blueprint = Blueprint("files", __name__)
tag_blueprint(blueprint, ["Data sources"])


@blueprint.get("/api/v1/data-sources/<data_source_id>/presigned-url")
@document_response(PresignedUrl)
@document_response(ErrorResponse, 404)
async def create_presigned_url(data_source_id: str) -> Response:
    """Return a link to the original file; it works without a key for an hour.

    Where the file store has no links of its own, it ends with the key that it was made with.
    """
    return answered(PresignedUrl(presigned_url=await presign(get_services(), data_source_id)))


async def presign(services: Services, given_id: str) -> str:
    """Return a link to the original file of a data source: the store's own, or one of ours."""
    async with services.database.transaction() as session:
        data_source = await find_data_source(session, given_id)
        url = await services.files.presign(data_source.blob_key, LINK_SECONDS)
        if url is None:
            base = services.settings.public_url or request.host_url
            token = await sign_link(session, data_source.id, maker_of_links())
            url = f"{base.rstrip('/')}/files/{token}"
    return url


@blueprint.get("/files/<token>")
async def download(token: str) -> Response:
    """Send the file behind a link, or the part of it that a Range header asks for."""
    services = get_services()
    async with services.database.transaction() as session:
        data_source = await session.get(DataSource, await read_link(session, token))
    if data_source is None:
        raise NotFound("file")
    size = data_source.size_bytes
    wanted = _range_asked_for(size)
    part = wanted.range_for_length(size) if wanted else (0, size)
    if part is None:
        raise RangeNotSatisfiable(size)
    start, end = part
    try:
        # Opened before the answer begins, for a file that is gone must be a 404.
        body = await services.files.read(data_source.blob_key, start, end)
    except FileNotFoundError as error:
        raise NotFound("file") from error
    headers = file_headers(data_source) | {
        "Accept-Ranges": "bytes",
        "Content-Length": str(end - start),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    if wanted:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    response = Response(body, status=206 if wanted else 200, headers=headers)
    response.timeout = None
    return response


def _range_asked_for(size: int) -> Range | None:
    """Return the one range of bytes that is asked for; None for whatever means all of them."""
    # A part is wanted only of a file with a certain tag or date, and these are sent with none; and
    # only by GET has a range a meaning.
    if "If-Range" in request.headers or request.method != "GET":
        return None
    wanted = parse_range_header(request.headers.get("Range"))
    if wanted is None or wanted.units != "bytes" or len(wanted.ranges) != 1:
        return None
    start, end = wanted.ranges[0]
    # The last bytes of a file that has not as many are all of it: RFC 9110, 14.1.2.
    return Range("bytes", [(max(start, -size), end)])
