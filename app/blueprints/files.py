"""The original files: links to them, and the bytes behind a link."""

from collections.abc import AsyncIterator
from urllib.parse import quote

from quart import Blueprint, Response, request
from quart_schema import document_response, tag_blueprint
from werkzeug.http import parse_range_header

from app.access import find_data_source
from app.links import LINK_SECONDS, read_link, sign_link
from app.models.data_source import DataSource
from app.responses import answered
from app.schemas import ErrorResponse, PresignedUrl
from app.services import get_services
from config.errors import NotFound

_OPEN_XML = "application/vnd.openxmlformats-officedocument"
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument"

MEDIA_TYPES = {
    "pdf": "application/pdf",
    "docx": f"{_OPEN_XML}.wordprocessingml.document",
    "pptx": f"{_OPEN_XML}.presentationml.presentation",
    "xlsx": f"{_OPEN_XML}.spreadsheetml.sheet",
    "doc": "application/msword",
    "ppt": "application/vnd.ms-powerpoint",
    "xls": "application/vnd.ms-excel",
    "odt": f"{_OPEN_DOCUMENT}.text",
    "odp": f"{_OPEN_DOCUMENT}.presentation",
    "ods": f"{_OPEN_DOCUMENT}.spreadsheet",
    "rtf": "application/rtf",
    "epub": "application/epub+zip",
    "csv": "text/csv",
    "html": "text/html",
    "md": "text/markdown",
    "txt": "text/plain",
    "eml": "message/rfc822",
    "msg": "application/vnd.ms-outlook",
    "png": "image/png",
    "jpg": "image/jpeg",
    "tiff": "image/tiff",
    "webp": "image/webp",
}

blueprint = Blueprint("files", __name__)
tag_blueprint(blueprint, ["Data sources"])


@blueprint.get("/api/v1/data-sources/<data_source_id>/presigned-url")
@document_response(PresignedUrl)
@document_response(ErrorResponse, 404)
async def create_presigned_url(data_source_id: str) -> Response:
    """Return a link to the original file; it works without a key for an hour."""
    services = get_services()
    async with services.database.transaction() as session:
        data_source = await find_data_source(session, data_source_id)
        url = await services.files.presign(data_source.blob_key, LINK_SECONDS)
        if url is None:
            base = services.settings.public_url or request.host_url
            url = f"{base.rstrip('/')}/files/{await sign_link(session, data_source.id)}"
    return answered(PresignedUrl(presigned_url=url))


@blueprint.get("/files/<token>")
async def download(token: str) -> Response:
    """Send the file behind a link, or the part of it that a Range header asks for."""
    services = get_services()
    async with services.database.transaction() as session:
        data_source = await session.get(DataSource, await read_link(session, token))
    if data_source is None:
        raise NotFound("file")
    size = data_source.size_bytes
    headers = {
        "Accept-Ranges": "bytes",
        # Never shown in place: what was uploaded must not run as a page of this service.
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(data_source.file_name)}",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    wanted = parse_range_header(request.headers.get("Range"))
    if wanted is not None and wanted.units == "bytes" and len(wanted.ranges) == 1:
        span = wanted.range_for_length(size)
        if span is None:
            return Response(status=416, headers={"Content-Range": f"bytes */{size}"})
        headers["Content-Range"] = f"bytes {span[0]}-{span[1] - 1}/{size}"
    else:
        span = (0, size)
    headers["Content-Length"] = str(span[1] - span[0])

    async def body() -> AsyncIterator[bytes]:
        async for chunk in services.files.read(data_source.blob_key, *span):
            yield chunk

    response = Response(
        body(),
        status=206 if "Content-Range" in headers else 200,
        headers=headers,
        content_type=MEDIA_TYPES.get(data_source.file_format, "application/octet-stream"),
    )
    response.timeout = None
    return response
