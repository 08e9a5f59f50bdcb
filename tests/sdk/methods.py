"""What the clients of the SDK can do."""

import inspect
from collections.abc import Callable
from typing import Any

from knowledge_engine import AsyncClient, Client

GROUPS = (
    "engines",
    "data_sources",
    "workflows",
    "tool_runs",
    "webhooks",
    "deletion_receipts",
    "audit_log",
)


def methods_of(client: Client | AsyncClient) -> dict[str, Callable[..., Any]]:
    """Return the public methods, those of the groups with their names."""
    groups = {"": client} | {f"{name}.": vars(client)[name] for name in GROUPS}
    return {
        f"{prefix}{name}": method
        for prefix, group in groups.items()
        for name, method in inspect.getmembers(group, inspect.ismethod)
        if not name.startswith("_") and name not in ("close", "aclose")
    }
