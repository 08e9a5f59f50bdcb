"""A pause for a service that has just failed, in which nobody waits for it."""

import time

REST_SECONDS = 15.0


class Rest:
    """Says whether a service is to be left alone; it may be asked from several threads."""

    def __init__(self, seconds: float = REST_SECONDS) -> None:
        self._seconds = seconds
        self._ends_at = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the service has failed a moment ago."""
        return time.monotonic() < self._ends_at

    def begin(self) -> None:
        """Leave the service alone for a while."""
        self._ends_at = time.monotonic() + self._seconds
