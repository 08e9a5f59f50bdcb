"""API keys: made once, kept as hashes, and looked up."""

import asyncio
import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from contextvars import Context
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import Account
from app.models.api_key import (
    ApiKey,
    insert_api_key,
    select_live_keys,
    select_revoked_key,
    update_last_used,
)
from app.scopes import Scope
from config.errors import Unauthorized

if TYPE_CHECKING:
    from app.services import Services  # The commands that make keys need not load them.

REMEMBERED_SECONDS = 1.0
"""How long a key that was found stays good without being looked up again."""

REMEMBERED_KEYS = 1024
"""How many keys are remembered at most."""

Found = tuple[ApiKey, Account]

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KEY_LENGTH = 40
_HINT_LENGTH = 9  # "ke-" and six characters


class KeyRevoked(Exception):
    """The key was one; the caller is told no more than of any other that opens nothing."""

    def __init__(self, api_key: ApiKey) -> None:
        super().__init__(api_key.hint)
        self.api_key = api_key


class KeyLookups:
    """The latest lookups of keys, so that a burst of requests with one key costs one of them.

    A lookup serves for a second from its beginning, so that is how long a key may outlive its
    revocation, in whatever process it was revoked. Keys that open nothing are not remembered.
    """

    def __init__(self, clock: Callable[[], float], most: int = REMEMBERED_KEYS) -> None:
        self._clock = clock
        self._most = most
        self._lookups: OrderedDict[bytes, tuple[float, asyncio.Task[Found]]] = OrderedDict()

    async def find(self, services: "Services", key: str) -> Found:
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


async def _look_up(services: "Services", key: str, digest: bytes) -> Found:
    async with services.database.reading() as session:
        for row, account in await select_live_keys(session, key_hint(key)):
            if hmac.compare_digest(row.digest, digest):
                _note_use(services, row)
                return row, account
        if revoked := await select_revoked_key(session, digest):
            raise KeyRevoked(revoked)
    raise Unauthorized


def _note_use(services: "Services", row: ApiKey) -> None:
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
