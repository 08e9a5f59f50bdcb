"""Calls that a known key was refused, noted in the audit log so that no caller can fill it."""

import time
from collections.abc import Callable

from app.audit import Actor, record
from app.models.api_key import ApiKey
from app.models.audit_entry import Action, ActionOutcome, ActorKind
from app.services import Services

NOTED_SECONDS = 3600.0
"""How long a process notes no second refusal of the same kind to the same key."""


class RefusedCalls:
    """What this process has noted of late.

    It grows with the keys that were ever made, and not with the calls. What no key has made, or
    one that nobody knows, is in no account, and is counted with all requests (`app/metrics.py`).
    """

    def __init__(self, services: Services, clock: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._clock = clock
        self._noted_at: dict[tuple[int | None, Action], float] = {}

    def note(self, api_key: ApiKey, action: Action) -> None:
        """Note that a key was refused something; the caller does not wait for it."""
        now = self._clock()
        noted_at = self._noted_at.get((api_key.id, action))
        if noted_at is None or now - noted_at >= NOTED_SECONDS:
            self._noted_at[api_key.id, action] = now
            self._services.in_background(self._record(api_key, action))

    async def _record(self, api_key: ApiKey, action: Action) -> None:
        actor = Actor(api_key.account_id, ActorKind.KEY, api_key)
        async with self._services.database.transaction() as session:
            await record(session, action, by=actor, outcome=ActionOutcome.REFUSED)
