"""The tables. All are loaded together, because they refer to each other."""

from app.models import (
    account,
    api_key,
    console_session,
    data_source,
    data_source_page,
    knowledge_engine,
    owner,
    service_secret,
    sign_in_attempt,
    sign_in_link,
    stream,
    tool_run,
    unclaimed_file,
    workflow,
)

__all__ = [
    "account",
    "api_key",
    "console_session",
    "data_source",
    "data_source_page",
    "knowledge_engine",
    "owner",
    "service_secret",
    "sign_in_attempt",
    "sign_in_link",
    "stream",
    "tool_run",
    "unclaimed_file",
    "workflow",
]
