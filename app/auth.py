"""Who may call: every endpoint asks for a key, unless it is on the short list of open ones.

What a key may do is in `app/scopes.py`, what it may see in `app/access.py`.
"""

import asyncio
import base64
import binascii
import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import Context
from datetime import UTC, datetime
from functools import partial

from quart import Quart, g, request
from sqlmodel.ext.asyncio.session import AsyncSession
from werkzeug.exceptions import NotFound as UnknownRoute

from app.models.account import Account
from app.models.api_key import (
    ApiKey,
    insert_api_key,
    select_live_keys,
    select_revoked_key,
    update_last_used,
)
from app.models.audit_entry import Action
from app.scopes import Scope, check_scope
from app.services import Services, get_services
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

REMEMBERED_SECONDS = 1.0
"""How long a key that was found stays good without being looked up again."""

REMEMBERED_KEYS = 1024
"""How many keys are remembered at most."""

Found = tuple[ApiKey, Account]

NoteRefusal = Callable[[ApiKey, Action], None]
"""Told when a key that is known is refused something."""

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KEY_LENGTH = 40
_KEY = re.compile(r"ke-[0-9A-Za-z]{32,64}", re.ASCII)
_HINT_LENGTH = 9  # "ke-" and six characters


class KeyRevoked(Exception):
    """The key was one; the caller is told no more than of any other that opens nothing."""

    def __init__(self, api_key: ApiKey) -> None:
        super().__init__(api_key.hint)
        self.api_key = api_key


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


def current_account() -> Account:
    """Return the account whose key this request carries, or whose owner is signed in."""
    account: Account = g.account
    return account


def current_key() -> ApiKey | None:
    """Return the key that this request carries; None for the console."""
    api_key: ApiKey | None = g.get("api_key")
    return api_key


def current_key_id() -> int | None:
    """Return the number of the key that this request carries; None for the console."""
    api_key = current_key()
    return None if api_key is None else api_key.id


class KeyLookups:
    """The latest lookups of keys, so that a burst of requests with one key costs one of them.

    A lookup serves for a second from its beginning, so that is how long a key may outlive its
    revocation, in whatever process it was revoked. Keys that open nothing are not remembered.
    """

    def __init__(self, clock: Callable[[], float], most: int = REMEMBERED_KEYS) -> None:
        self._clock = clock
        self._most = most
        self._lookups: OrderedDict[bytes, tuple[float, asyncio.Task[Found]]] = OrderedDict()

    async def find(self, services: Services, key: str) -> Found:
        """Return what is stored of a key, and the account that it belongs to.

        Raises:
            KeyRevoked: it was a key.
            Unauthorized: it is none.
        """
        digest = _digest(key)
        began_at, lookup = self._lookups.get(digest, (0.0, None))
        now = self._clock()
        if lookup is None or now - began_at >= REMEMBERED_SECONDS:
            # In a context of its own, for a task holds its context, and a request's its body.
            lookup = asyncio.create_task(_look_up(services, key, digest), context=Context())
            lookup.add_done_callback(partial(self._forget_failed, digest))
            self._lookups[digest] = (now, lookup)
            self._lookups.move_to_end(digest)
            if len(self._lookups) > self._most:
                self._lookups.popitem(last=False)
        # A request that goes away must not take the lookup from the others.
        return await asyncio.shield(lookup)

    def _forget_failed(self, digest: bytes, lookup: "asyncio.Task[Found]") -> None:
        has_failed = lookup.cancelled() or lookup.exception() is not None
        if has_failed and self._lookups.get(digest, (0.0, None))[1] is lookup:
            del self._lookups[digest]


def new_api_key() -> str:
    """Make a key: `ke-` and 40 base62 characters (238 bits)."""
    return "ke-" + "".join(secrets.choice(_BASE62) for _ in range(_KEY_LENGTH))


def key_hint(key: str) -> str:
    """Return the beginning of a key: enough to find its row, too little to guess the rest."""
    return key[:_HINT_LENGTH]


async def issue_api_key(
    session: AsyncSession,
    account: Account,
    name: str,
    *,
    scope: Scope = Scope.ADMIN,
    engine_id: str | None = None,
) -> str:
    """Make a key for an account, or for one engine of it, and return it; only its hash is kept."""
    assert account.id is not None
    key = new_api_key()
    row = ApiKey(
        account_id=account.id,
        name=name,
        scope=scope,
        knowledge_engine_id=engine_id,
        hint=key_hint(key),
        digest=_digest(key),
    )
    await insert_api_key(session, row)
    return key


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


async def _look_up(services: Services, key: str, digest: bytes) -> Found:
    async with services.database.reading() as session:
        for row, account in await select_live_keys(session, key_hint(key)):
            if hmac.compare_digest(row.digest, digest):
                _note_use(services, row)
                return row, account
        if revoked := await select_revoked_key(session, digest):
            raise KeyRevoked(revoked)
    raise Unauthorized


def _note_use(services: Services, row: ApiKey) -> None:
    """Note when the key was used, after the request rather than before it."""
    now = datetime.now(UTC)

    async def note(key_id: int) -> None:
        async with services.database.transaction() as session:
            await update_last_used(session, key_id, now)

    if row.id is not None and row.is_due(now):
        services.in_background(note(row.id))


def _digest(key: str) -> bytes:
    # The keys are random and long, so one round of SHA-256 cannot be searched through.
    return hashlib.sha256(key.encode()).digest()
