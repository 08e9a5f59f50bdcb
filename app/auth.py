"""Who may call: every endpoint asks for a key, unless it is on the short list of open ones.

What a key may do is in `app/scopes.py`, what it may see in `app/access.py`.
"""

import base64
import binascii
import re
import time
from collections.abc import Callable

from quart import Quart, g, request
from werkzeug.exceptions import NotFound as UnknownRoute

from app.api_keys import KeyLookups, KeyRevoked
from app.current import get_services
from app.models.api_key import ApiKey
from app.models.audit_entry import Action
from app.scopes import Scope, check_scope
from app.tenancy import act_for
from config.errors import KeyOfNarrowScope, KeyOfOneEngine, Unauthorized

OPEN_ENDPOINTS = frozenset(
    {
        "files.download",
        "health.healthz",
        "health.metrics",
        "health.readyz",
        "openapi",
        "swagger_ui",
        "docs.asset",
    }
)
"""Endpoints that answer without a key."""

REALM = 'Basic realm="Knowledge Engine"'

_KEY = re.compile(r"ke-[0-9A-Za-z]{32,64}", re.ASCII)

NoteRefusal = Callable[[ApiKey, Action], None]
"""Told when a key that is known is refused something."""


def require_key(
    app: Quart, note_refusal: NoteRefusal, clock: Callable[[], float] = time.monotonic
) -> None:
    """Ask for a key that may do it before every request of the application, in this one place."""
    lookups = KeyLookups(clock)

    @app.before_request
    async def authenticate() -> None:
        is_unknown_page = isinstance(
            request.routing_exception, UnknownRoute
        ) and not request.path.startswith("/api/")
        # The console has sessions of its own: app/console/sessions.py.
        if request.endpoint in OPEN_ENDPOINTS or is_unknown_page or is_console():
            return
        key = _presented_key(request.headers.get("Authorization", ""))
        try:
            g.api_key, g.account = await lookups.find(get_services(), key)
        except KeyRevoked as error:
            note_refusal(error.api_key, Action.REVOKED_KEY_USED)
            raise Unauthorized from error
        act_for(g.account.id)
        try:
            _check_endpoint(g.api_key)
        except (KeyOfNarrowScope, KeyOfOneEngine):
            note_refusal(g.api_key, Action.SCOPE_EXCEEDED)
            raise


def is_console() -> bool:
    """Tell whether this request is for a page of the console."""
    return (request.endpoint or "").startswith("console.")


def _check_endpoint(api_key: ApiKey) -> None:
    """Refuse what the key of this request may not do; an unknown route is refused later."""
    if request.endpoint is not None:
        is_of_one_engine = api_key.knowledge_engine_id is not None
        check_scope(request.endpoint, Scope(api_key.scope), is_of_one_engine=is_of_one_engine)


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
