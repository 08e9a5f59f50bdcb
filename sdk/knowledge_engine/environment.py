"""Where the service is and with which key: the one place that reads the environment."""

import os

from knowledge_engine.errors import MissingApiKey

DEFAULT_BASE_URL = "http://127.0.0.1:8080"

_API = "/api/v1"


def find_api_key(given: str | None) -> str:
    """Return the key that was given, or that of `KE_API_KEY`.

    Raises:
        MissingApiKey: there is neither.
    """
    key = (given or os.environ.get("KE_API_KEY", "")).strip()
    if not key:
        raise MissingApiKey
    return key


def find_base_url(given: str | None) -> str:
    """Return the address that was given, or that of `KE_BASE_URL`, without `/api/v1`."""
    address = given or os.environ.get("KE_BASE_URL") or DEFAULT_BASE_URL
    return address.strip().rstrip("/").removesuffix(_API)
