"""Links to stored files that work without a key, for a while, and cannot be altered."""

from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.service_secret import get_or_insert_secret
from config.errors import NotFound

LINK_SECONDS = 3600
"""How long a link works."""

_SECRET = "file links"


async def sign_link(session: AsyncSession, data_source_id: str) -> str:
    """Return the token of a link to the file of a data source."""
    return (await _serializer(session)).dumps(data_source_id)


async def read_link(session: AsyncSession, token: str) -> str:
    """Return the id of the data source that a token names.

    Raises:
        NotFound: the token was altered, made up, or is too old.
    """
    try:
        return str((await _serializer(session)).loads(token, max_age=LINK_SECONDS))
    except BadSignature as error:
        raise NotFound("file") from error


async def _serializer(session: AsyncSession) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(await get_or_insert_secret(session, _SECRET), salt=_SECRET)
