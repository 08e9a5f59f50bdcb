"""What a key may do: the scope that each endpoint asks for, in one table."""

from enum import StrEnum

from config.errors import KeyOfNarrowScope, KeyOfOneEngine


class Scope(StrEnum):
    """How much a key may do; each scope has what those before it have."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def covers(self, needed: "Scope") -> bool:
        """Tell whether a key of this scope may do what takes the other."""
        return _RANKS[self] >= _RANKS[needed]


_RANKS = {scope: rank for rank, scope in enumerate(Scope)}


# Asking and extracting store what was answered, but change nothing that others see.
_READ = (
    "chat_completions.create_chat_completion",
    "chat_completions.list_models",
    "data_sources.get_data_source",
    "data_sources.list_pages",
    "deletion_receipts.get_public_key",
    "deletion_receipts.get_receipt",
    "deletion_receipts.list_receipts",
    "files.create_presigned_url",
    "knowledge_engines.get_knowledge_engine",
    "knowledge_engines.list_data_sources",
    "knowledge_engines.list_knowledge_engines",
    "page_images.get_page_image",
    "queries.query",
    "retrieval.retrieve",
    "tool_runs.create_tool_run",
    "tool_runs.get_tool_run",
    "tool_runs.list_tool_runs",
    "workflows.create_workflow",
    "workflows.get_workflow",
    "workflows.list_workflows",
)

_WRITE = (
    "data_source_batch.create_data_sources",
    "data_source_batch.delete_data_sources",
    "data_sources.create_data_source",
    "data_sources.delete_one",
    "knowledge_engines.update_knowledge_engine",
    "tool_runs.delete_one",
    "workflows.delete_one",
)

_ADMIN = ("knowledge_engines.delete_engine",)

# What is of the account as a whole, and so for no key of one engine.
_ADMIN_OF_ACCOUNT = (
    "audit_log.list_audit_log",
    "knowledge_engines.create_knowledge_engine",
    "webhooks.create_webhook",
    "webhooks.delete_one",
    "webhooks.get_webhook",
    "webhooks.list_deliveries",
    "webhooks.list_webhooks",
    "webhooks.replay_delivery",
    "webhooks.update_webhook",
)

NEEDED_SCOPES = {
    **dict.fromkeys(_READ, Scope.READ),
    **dict.fromkeys(_WRITE, Scope.WRITE),
    **dict.fromkeys((*_ADMIN, *_ADMIN_OF_ACCOUNT), Scope.ADMIN),
}
"""The scope that each endpoint asks for; one that is missing asks for `admin`."""

OF_ENGINES = frozenset((*_READ, *_WRITE, *_ADMIN))
"""Endpoints that show and change only what the engine of a key holds."""


def check_scope(endpoint: str, scope: Scope, *, is_of_one_engine: bool) -> None:
    """Refuse what a key may not do.

    Raises:
        KeyOfNarrowScope: its scope does not cover the endpoint.
        KeyOfOneEngine: the endpoint is about the account as a whole.
    """
    needed = NEEDED_SCOPES.get(endpoint, Scope.ADMIN)
    if not scope.covers(needed):
        raise KeyOfNarrowScope(scope, needed)
    if is_of_one_engine and endpoint not in OF_ENGINES:
        raise KeyOfOneEngine
