"""Who is signed in to the console.

The cookie holds a signed random id, the database the hash of it: so a session ends everywhere at
once when its row goes. The browser sends the cookie by itself, so every request that changes
something must also carry the session's CSRF token, and must not say that it comes from elsewhere.
"""

import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from quart import Quart, current_app, g, request
from quart_auth import AuthUser, QuartAuth, current_user, login_user, logout_user
from sqlmodel.ext.asyncio.session import AsyncSession

from app.auth import is_console
from app.current import get_services
from app.models.console_session import (
    ConsoleSession,
    delete_console_session,
    insert_console_session,
    select_session_account,
)
from app.models.service_secret import get_or_insert_secret
from app.tenancy import act_for

COOKIE = "ke_session"
VALID_FOR = timedelta(days=14)
CSRF_HEADER = "X-CSRF-Token"
CSRF_FIELD = "csrf_token"

OPEN_PAGES = frozenset({"console.static", "console.sign_in.sign_in", "console.sign_in.welcome"})
"""Pages of the console that nobody needs to be signed in for."""

_SECRET = "console sessions"
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class SignedOut(Exception):
    """Nobody is signed in, or no longer."""


class Forged(Exception):
    """The request may have been made by another site in the owner's name."""


def require_session(app: Quart) -> None:
    """Let only who is signed in see the pages of the console."""
    settings = app.extensions["services"].settings
    # Replaced by the secret of all processes before the first cookie is read.
    app.secret_key = secrets.token_hex()
    QuartAuth(
        app,
        cookie_name=COOKIE,
        cookie_samesite="Lax",
        cookie_secure=settings.public_url.startswith("https://"),
        duration=int(VALID_FOR.total_seconds()),
    )

    app.before_request(_load_secret)
    app.before_request(_authenticate)


async def begin_session(session: AsyncSession, account_id: int) -> None:
    """Sign the browser of this request in; its cookie goes with the response."""
    session_id = secrets.token_urlsafe(32)
    row = ConsoleSession(
        digest=_digest(session_id), account_id=account_id, expires_at=datetime.now(UTC) + VALID_FOR
    )
    await insert_console_session(session, row)
    login_user(AuthUser(session_id), remember=True)


async def end_session(session: AsyncSession) -> None:
    """Sign the browser of this request out."""
    if current_user.auth_id is not None:
        await delete_console_session(session, _digest(current_user.auth_id))
    logout_user()


def csrf_token() -> str:
    """Return what a change in this session must carry; "" where nobody is signed in."""
    session_id = current_user.auth_id
    if session_id is None:
        return ""
    app_secret = str(current_app.secret_key).encode()
    return hmac.new(app_secret, f"csrf {session_id}".encode(), hashlib.sha256).hexdigest()


async def _load_secret() -> None:
    is_needed = is_console() or COOKIE in request.cookies
    if "console_secret" in current_app.extensions or not is_needed:
        return
    async with get_services().database.transaction() as session:
        current_app.secret_key = await get_or_insert_secret(session, _SECRET)
    current_app.extensions["console_secret"] = True


async def _authenticate() -> None:
    if not is_console():
        return
    is_change = request.method not in _SAFE_METHODS
    if is_change and _is_from_elsewhere():
        raise Forged
    if request.endpoint in OPEN_PAGES:
        return
    session_id = current_user.auth_id
    if session_id is None:
        raise SignedOut
    async with get_services().database.reading() as session:
        account = await select_session_account(session, _digest(session_id))
    if account is None:
        raise SignedOut
    if is_change and not hmac.compare_digest(await _presented_token(), csrf_token().encode()):
        raise Forged
    g.account = account
    act_for(account.id)


async def _presented_token() -> bytes:
    token = request.headers.get(CSRF_HEADER, "")
    if not token and request.mimetype == "application/x-www-form-urlencoded":
        token = (await request.form).get(CSRF_FIELD, "")
    return token.encode()


def _is_from_elsewhere() -> bool:
    """Tell whether the browser says that another site has made this request."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    public_url = get_services().settings.public_url
    # "null", which is what a browser says of a page without an origin, has no host.
    host = origin.partition("://")[2]
    return not host or host not in {request.host, urlsplit(public_url).netloc}


def _digest(session_id: str) -> bytes:
    return hashlib.sha256(session_id.encode()).digest()
