"""How long a provider that refuses a call asks to be left alone."""

import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def retry_after(error: Exception) -> float | None:
    """Return the seconds that the provider asks to wait for, None if it does not say.

    RFC 9110, section 10.2.3: a number of seconds, or a date. LiteLLM keeps the headers with most
    errors, and not with those of every provider.
    """
    headers: Mapping[str, str] = getattr(error, "litellm_response_headers", None) or {}
    asked = headers.get("retry-after")
    if asked is None:
        return None
    try:
        seconds = float(asked)
    except ValueError:
        seconds = _seconds_until(asked)
    return max(seconds, 0) if math.isfinite(seconds) else None


def _seconds_until(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except ValueError:
        return math.nan
