"""How many searches, drawings and tool runs go on at once, and what happens to one too many."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from config.errors import Unavailable

LONGEST_LINE = 256
"""How many searches may wait for their turn."""

PATIENCE_SECONDS = 10.0
"""How long a search waits before it is refused after all."""

TOO_MANY = "too many searches at once"

PAGES_AT_WORK = 2
"""How many pages are drawn at once in a process: few, for questions come first."""

PAGES_IN_LINE = 32
PAGE_PATIENCE_SECONDS = 30.0
"""Longer than LibreOffice takes for most documents."""

TOO_MANY_PAGES = "too many pages are being drawn at once"

RUNS_IN_LINE = 64
TOO_MANY_RUNS = "too many tool runs at once"


class WorkLine:
    """Work of one kind in a process: some of it is done, the rest in line in the order it came.

    It shares the processors, so more at once would not get more done. What comes when the line is
    full is refused at once: it would only be done too late. By default it is the line of searches.
    """

    def __init__(
        self,
        at_work: int,
        longest_line: int = LONGEST_LINE,
        patience_seconds: float | None = PATIENCE_SECONDS,
        refusal: str = TOO_MANY,
    ) -> None:
        self._turns = asyncio.Semaphore(at_work)
        self._most = at_work + longest_line
        self._taken = 0
        self._patience_seconds = patience_seconds
        self._refusal = refusal

    def refuse_when_full(self) -> None:
        """Raise where more work could not even wait.

        Raises:
            Unavailable: so it is.
        """
        if self._taken >= self._most:
            raise Unavailable(self._refusal)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and keep it until the work is done.

        Raises:
            Unavailable: the line is full, or the turn does not come.
        """
        self.refuse_when_full()
        self._taken += 1
        try:
            await self._wait()
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._taken -= 1

    async def _wait(self) -> None:
        if not self._turns.locked():
            await self._turns.acquire()  # At once; a timeout would cost more than that.
            return
        try:
            async with asyncio.timeout(self._patience_seconds):
                await self._turns.acquire()
        except TimeoutError as error:
            raise Unavailable(self._refusal) from error


def drawing_line() -> WorkLine:
    """Return the line in which pages wait to be drawn."""
    return WorkLine(PAGES_AT_WORK, PAGES_IN_LINE, PAGE_PATIENCE_SECONDS, TOO_MANY_PAGES)


def extraction_line(at_work: int) -> WorkLine:
    """Return the line in which tool runs wait to be worked on, as long as their clients do."""
    return WorkLine(at_work, RUNS_IN_LINE, patience_seconds=None, refusal=TOO_MANY_RUNS)
