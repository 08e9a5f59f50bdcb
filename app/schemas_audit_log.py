"""What enters and leaves over HTTP about the audit log."""

from pydantic import BaseModel, ConfigDict

from app.models.audit_entry import Action, AuditEntry
from app.schemas import (
    ListParameters,
    RequestBody,
)


class AuditLogRequest(RequestBody):
    """Which entries of the audit log are wanted."""

    # What stands in an address is a text, whatever it means.
    model_config = ConfigDict(strict=False)

    action: Action | None = None


class AuditLogParameters(AuditLogRequest, ListParameters):
    """Which entries of the audit log are wanted, and which part of them."""


class AuditEntryResponse(BaseModel):
    """Something that somebody did."""

    id: str
    created_at: int
    actor: str
    key_id: int | None
    key_name: str | None
    key_hint: str | None
    action: str
    resource_id: str | None
    request_id: str | None
    outcome: str

    @classmethod
    def from_entry(cls, entry: AuditEntry) -> "AuditEntryResponse":
        """Return the entry as clients see it."""
        values = entry.model_dump(exclude={"account_id", "created_at"})
        return cls(created_at=int(entry.created_at.timestamp()), **values)
