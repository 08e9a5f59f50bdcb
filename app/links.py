"""Links to stored files that work without a key, for a while, and cannot be altered."""

from urllib.parse import quote

from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlmodel.ext.asyncio.session import AsyncSession

from app.current import current_key_id
from app.models.api_key import is_live_key
from app.models.data_source import DataSource
from app.models.service_secret import get_or_insert_secret
from config.errors import NotFound

LINK_SECONDS = 3600
"""How long a link works."""

_SECRET = "file links"

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


def file_headers(data_source: DataSource) -> dict[str, str]:
    """Return what every link says of a file: its type and its name, and to save it.

    It is never shown in place: what was uploaded must not run as a page of whoever sends it.
    """
    return {
        "Content-Type": MEDIA_TYPES.get(data_source.file_format, "application/octet-stream"),
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(data_source.file_name)}",
    }


def maker_of_links() -> int | None:
    """Return the number of the key that this request carries; None for the console."""
    return current_key_id()


async def sign_link(session: AsyncSession, data_source_id: str, key_id: int | None) -> str:
    """Return the token of a link to the file of a data source, made for who has this key."""
    made_by = "" if key_id is None else str(key_id)
    return (await _serializer(session)).dumps(f"{data_source_id} {made_by}")


async def read_link(session: AsyncSession, token: str) -> str:
    """Return the id of the data source that a token names.

    Raises:
        NotFound: the token was altered, made up, or is too old, or its key has been revoked.
    """
    try:
        named = str((await _serializer(session)).loads(token, max_age=LINK_SECONDS))
    except BadSignature as error:
        raise NotFound("file") from error
    data_source_id, _, made_by = named.partition(" ")
    if made_by and not await is_live_key(session, int(made_by)):
        raise NotFound("file")
    return data_source_id


async def _serializer(session: AsyncSession) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(await get_or_insert_secret(session, _SECRET), salt=_SECRET)
