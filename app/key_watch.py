"""What goes on for long with a key ends when the key is revoked, at whatever process."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.models.api_key import select_live_key_ids
from app.reading import AWAY
from app.services import Services
from app.tenancy import act_for

_logger = logging.getLogger(__name__)

WATCH_SECONDS = 0.5
"""How often the keys are looked up, all with one statement."""


class KeyWatch:
    """The keys with which something goes on in this process, and how to end it."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._watched: list[tuple[int, Callable[[], None]]] = []
        self._watching: asyncio.Task[None] | None = None

    @contextmanager
    def watched(self, key_id: int | None, end: Callable[[], None]) -> Iterator[None]:
        """Call `end` when the key is revoked or deleted, again and again while the block lasts.

        The console has no key, and so nothing to watch.
        """
        if key_id is None:
            yield
            return
        one = (key_id, end)
        self._watched.append(one)
        if self._watching is None:
            self._watching = self._services.in_background(self._watch())
        try:
            yield
        finally:
            self._watched.remove(one)
            if not self._watched and self._watching is not None:
                self._watching.cancel()
                self._watching = None

    async def _watch(self) -> None:
        act_for(None)  # Begun by a request, it goes on for those of all accounts.
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                await self._end_revoked()
            except (*AWAY, PoolTimeout) as error:
                _logger.warning("Keys in use cannot be looked up: %s", error)

    async def _end_revoked(self) -> None:
        watched = list(self._watched)
        async with self._services.database.reading() as session:
            live = await select_live_key_ids(session, {key_id for key_id, _ in watched})
        for key_id, end in watched:
            if key_id not in live:
                end()
