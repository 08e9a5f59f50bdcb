"""Waiting for something in the service to come about."""

import time
from collections.abc import Callable

from knowledge_engine.calls import Call, Flow, Result, step
from knowledge_engine.errors import WaitTimeout

SHORTEST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 2.0


def until(
    call: Call[Result],
    is_over: Callable[[Result], bool],
    *,
    timeout_seconds: float | None = None,
    on_progress: Callable[[Result], None] | None = None,
) -> Flow[Result]:
    """Look again and again, less and less often, until it is over; tell each time what was seen.

    Raises:
        WaitTimeout: it was not over in time.
    """
    began = time.monotonic()
    pause = 0.0
    while True:
        seen = yield from step(call, pause)
        if on_progress is not None:
            on_progress(seen)
        if is_over(seen):
            return seen
        pause = min(max(pause * 1.5, SHORTEST_PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)
        if timeout_seconds is not None and time.monotonic() + pause > began + timeout_seconds:
            raise WaitTimeout(f"not over after {timeout_seconds:g} s: {call.path}")
