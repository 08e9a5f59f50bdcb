"""`client.audit_log`: who did what in the account."""

from collections.abc import AsyncIterator, Iterator
from typing import TypedDict, Unpack

from knowledge_engine.calls import Call, ListPage, listing, path
from knowledge_engine.models import AuditEntry
from knowledge_engine.transport import AsyncTransport, Transport

_AUDIT_LOG = "audit-log"


class AuditFilter(TypedDict, total=False):
    """Which entries a list has."""

    action: str  # "data_source.deleted", for example


class AuditLog:
    """The audit log of an account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, page_size: int = 100, **filters: Unpack[AuditFilter]) -> Iterator[AuditEntry]:
        """Yield the entries, newest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size, filters))


class AsyncAuditLog:
    """The audit log of an account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self, *, page_size: int = 100, **filters: Unpack[AuditFilter]
    ) -> AsyncIterator[AuditEntry]:
        """Yield the entries, newest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size, filters))


def _list(page_size: int, filters: AuditFilter) -> Call[ListPage[AuditEntry]]:
    return listing(AuditEntry, path(_AUDIT_LOG), page_size, {**filters})
