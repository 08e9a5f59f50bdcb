"""The audit log: who did what to what, and no word of any document or question."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, delete
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field
from app.models.page_of_rows import PageRequest, one_page


class ActorKind(StrEnum):
    """By what somebody acted."""

    KEY = "key"
    CONSOLE = "console"
    COMMAND_LINE = "command line"


class Action(StrEnum):
    """What was done."""

    ENGINE_CREATED = "knowledge_engine.created"
    ENGINE_CHANGED = "knowledge_engine.changed"
    ENGINE_DELETED = "knowledge_engine.deleted"
    ENGINE_MOVE_TO_MILVUS_BEGUN = "knowledge_engine.move_to_milvus_begun"
    ENGINE_MOVE_TO_POSTGRES_BEGUN = "knowledge_engine.move_to_postgres_begun"
    ENGINE_REEMBEDDING_BEGUN = "knowledge_engine.reembedding_begun"
    DATA_SOURCE_CREATED = "data_source.created"
    DATA_SOURCE_DELETED = "data_source.deleted"
    WORKFLOW_CREATED = "workflow.created"
    WORKFLOW_DELETED = "workflow.deleted"
    TOOL_RUN_CREATED = "tool_run.created"
    TOOL_RUN_CORRECTED = "tool_run.corrected"
    TOOL_RUN_DELETED = "tool_run.deleted"
    WEBHOOK_CREATED = "webhook.created"
    WEBHOOK_CHANGED = "webhook.changed"
    WEBHOOK_DELETED = "webhook.deleted"
    KEY_CREATED = "key.created"
    KEY_REVOKED = "key.revoked"
    REVOKED_KEY_USED = "key.used_after_revocation"
    SCOPE_EXCEEDED = "key.scope_exceeded"
    MODEL_SWITCHED_ON = "model.switched_on"
    MODEL_SWITCHED_OFF = "model.switched_off"
    SIGN_IN_LINK_CREATED = "sign_in_link.created"
    SIGN_IN = "console.sign_in"
    SIGN_OUT = "console.sign_out"
    PASSWORD_CHANGED = "console.password_changed"


class ActionOutcome(StrEnum):
    """Whether it came to pass."""

    DONE = "done"
    REFUSED = "refused"


class AuditEntry(SQLModel, table=True):
    """One thing that somebody did; it outlives what it was done to."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("audit_entry_of_account", "account_id", "created_at", "id"),
        Index("audit_entry_by_age", "created_at"),
    )

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE")
    created_at: datetime = created_at_field()
    actor: str
    key_id: int | None = None  # of the actor, where it was a key; as the key was then
    key_name: str | None = None
    key_hint: str | None = None
    action: str
    resource_id: str | None = None
    request_id: str | None = None
    outcome: str


async def insert_audit_entry(session: AsyncSession, entry: AuditEntry) -> None:
    """Store an entry."""
    session.add(entry)
    await session.flush()


async def select_audit_entries(
    session: AsyncSession, account_id: int, page: PageRequest, *, action: Action | None = None
) -> list[AuditEntry]:
    """Return the entries of this account, or only those of one action, in the page's order."""
    statement = select(AuditEntry).where(AuditEntry.account_id == account_id)
    if action is not None:
        statement = statement.where(AuditEntry.action == action)
    return list((await session.exec(one_page(statement, AuditEntry, page))).all())


async def delete_old_audit_entries(session: AsyncSession, before: datetime) -> None:
    """Delete the entries of all accounts that are older than a moment."""
    await session.exec(delete(AuditEntry).where(col(AuditEntry.created_at) < before))
