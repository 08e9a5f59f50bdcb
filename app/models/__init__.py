"""The tables. All are loaded together, because they refer to each other."""

from app.models import (
    account,
    api_key,
    data_source,
    data_source_page,
    knowledge_engine,
    service_secret,
    stream,
    unclaimed_file,
    workflow,
)

__all__ = [
    "account",
    "api_key",
    "data_source",
    "data_source_page",
    "knowledge_engine",
    "service_secret",
    "stream",
    "unclaimed_file",
    "workflow",
]
