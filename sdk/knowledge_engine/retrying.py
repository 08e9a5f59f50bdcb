"""Whether a request that failed is sent again, and when.

An answer below 500 is final. Any other failure is tried again, after a pause that doubles. A call
that creates something carries a key, by which the service carries it out once however often it
comes. Only if the service was silent for too long is such a call not sent again: it may be at work,
and would begin anew.
"""

import re
from dataclasses import dataclass
from typing import Any, TypeAlias

import httpx

from knowledge_engine.calls import Call
from knowledge_engine.errors import ConnectionFailed, error_of

Failure: TypeAlias = httpx.Response | httpx.RequestError
"""A response that is an error, or what kept one from coming."""

LONGEST_PAUSE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a request is sent at most, and the first pause; the others double."""

    attempts: int = 3
    delay_seconds: float = 0.5

    def pause_after(self, call: Call[Any], failure: Failure, attempt: int) -> float:
        """Return how many seconds to wait before the call is sent again; the first attempt is 1.

        Raises:
            ServiceError: it is not sent again, and this is what it was answered.
            ConnectionFailed: it is not sent again, and was not answered.
        """
        if attempt >= self.attempts or not may_send_again(call, failure):
            if isinstance(failure, httpx.Response):
                raise error_of(failure)
            reason = str(failure) or type(failure).__name__
            url = failure.request.url
            raise ConnectionFailed(f"{url.scheme}://{url.netloc.decode()}: {reason}") from failure
        pause = self.delay_seconds * 2.0 ** (attempt - 1)
        return max(pause, _asked_for(failure))


def may_send_again(call: Call[Any], failure: Failure) -> bool:
    """Tell whether a failure may pass, and the call does no harm once more."""
    if isinstance(failure, httpx.Response):
        return failure.status_code >= 500
    if isinstance(failure, httpx.ReadTimeout):
        return call.is_repeatable
    return isinstance(failure, httpx.TransportError)


def _asked_for(failure: Failure) -> float:
    """Return the seconds of `Retry-After`; 0 where there is none, or a date."""
    if isinstance(failure, httpx.RequestError):
        return 0.0
    seconds = failure.headers.get("Retry-After", "")
    is_number = re.fullmatch("[0-9]{1,9}", seconds) is not None
    return min(float(seconds), LONGEST_PAUSE_SECONDS) if is_number else 0.0
