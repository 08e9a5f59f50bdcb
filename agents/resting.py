"""A pause for a service that has just failed, in which nobody waits for it."""

import math
import time
from collections.abc import Callable

REST_SECONDS = 15.0

LONGEST_REST_SECONDS = 300.0
"""The most that a service may ask for."""


class Rest:
    """Says whether a service is to be left alone; it may be asked from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends_at = -math.inf

    @property
    def is_on(self) -> bool:
        """Whether the service has failed a moment ago."""
        return self._clock() < self._ends_at

    def begin(self, asked_seconds: float | None = None) -> None:
        """Leave the service alone for a while, or for as long as it asks for."""
        seconds = min(asked_seconds or REST_SECONDS, LONGEST_REST_SECONDS)
        # Of several calls that fail at once, one may have been told more than the others.
        self._ends_at = max(self._ends_at, self._clock() + seconds)
