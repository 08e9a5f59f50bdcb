"""Who may call: every endpoint asks for a key, unless it is on the short list of open ones."""

import base64
import binascii
import hashlib
import hmac
import re
import secrets

from quart import Quart, g, request
from sqlmodel.ext.asyncio.session import AsyncSession
from werkzeug.exceptions import NotFound as UnknownRoute

from app.models.account import Account
from app.models.api_key import ApiKey, insert_api_key, select_live_keys
from app.services import get_services
from config.errors import Unauthorized

OPEN_ENDPOINTS = frozenset(
    {
        "files.download",
        "health.healthz",
        "health.readyz",
        "openapi",
        "swagger_ui",
        "docs.asset",
        "docs.home",
    }
)
"""Endpoints that answer without a key."""

REALM = 'Basic realm="Knowledge Engine"'

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KEY_LENGTH = 40
_KEY = re.compile(r"ke-[0-9A-Za-z]{32,64}", re.ASCII)
_HINT_LENGTH = 9  # "ke-" and six characters: enough to find the row, too little to guess the rest


def require_key(app: Quart) -> None:
    """Ask for a key before every request of the application, in this one place."""

    @app.before_request
    async def authenticate() -> None:
        is_unknown_page = isinstance(
            request.routing_exception, UnknownRoute
        ) and not request.path.startswith("/api/")
        if request.endpoint in OPEN_ENDPOINTS or is_unknown_page:
            return
        key = _presented_key(request.headers.get("Authorization", ""))
        async with get_services().database.transaction() as session:
            g.account = await _account_of(session, key)


def current_account() -> Account:
    """Return the account whose key this request carries."""
    account: Account = g.account
    return account


def new_api_key() -> str:
    """Make a key: `ke-` and 40 base62 characters (238 bits)."""
    return "ke-" + "".join(secrets.choice(_BASE62) for _ in range(_KEY_LENGTH))


async def issue_api_key(session: AsyncSession, account: Account, name: str) -> str:
    """Make a key for an account and return it; only its hash is kept."""
    assert account.id is not None
    key = new_api_key()
    row = ApiKey(account_id=account.id, name=name, hint=key[:_HINT_LENGTH], digest=_digest(key))
    await insert_api_key(session, row)
    return key


def _presented_key(header: str) -> str:
    """Return the key of an Authorization header: Basic (with an empty password) or Bearer."""
    scheme, _, value = header.strip().partition(" ")
    key = value.strip()
    if scheme.lower() == "basic":
        try:
            decoded = base64.b64decode(key, validate=True).decode("ascii")
        except (binascii.Error, UnicodeDecodeError) as error:
            raise Unauthorized from error
        key, colon, password = decoded.partition(":")
        if not colon or password:
            raise Unauthorized
    elif scheme.lower() != "bearer":
        raise Unauthorized
    if not _KEY.fullmatch(key):
        raise Unauthorized
    return key


async def _account_of(session: AsyncSession, key: str) -> Account:
    digest = _digest(key)
    for row, account in await select_live_keys(session, key[:_HINT_LENGTH]):
        if hmac.compare_digest(row.digest, digest):
            return account
    raise Unauthorized


def _digest(key: str) -> bytes:
    # The keys are random and long, so one round of SHA-256 cannot be searched through.
    return hashlib.sha256(key.encode()).digest()
