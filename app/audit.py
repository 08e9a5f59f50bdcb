"""Who did what: noted in the transaction of each change, so neither is without the other.

What takes many transactions is noted before the first, or in it: it may end after any of them.
"""

from dataclasses import dataclass

from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.models.api_key import ApiKey
from app.models.audit_entry import (
    Action,
    ActionOutcome,
    ActorKind,
    AuditEntry,
    insert_audit_entry,
)
from app.models.knowledge_engine import KnowledgeEngine
from config.logs import request_id

AUDIT_ENTRY = ids.IdKind("audit entry", "aud")


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a key, or whoever is at the console or the command line."""

    account_id: int
    kind: ActorKind
    api_key: ApiKey | None = None


def current_actor() -> Actor:
    """Return who has sent this request."""
    # Here, for commands record too, and need not load what serves requests.
    from app.access import account_id
    from app.current import current_key

    api_key = current_key()
    kind = ActorKind.CONSOLE if api_key is None else ActorKind.KEY
    return Actor(account_id(), kind, api_key)


async def record(
    session: AsyncSession,
    action: Action,
    resource_id: str | None = None,
    *,
    by: Actor | None = None,
    outcome: ActionOutcome = ActionOutcome.DONE,
) -> None:
    """Note an action beside what it changes.

    Args:
        session: the transaction of the change.
        action: what is done.
        resource_id: what it is done to.
        by: who does it, where that is not who has sent this request.
        outcome: whether it comes to pass.
    """
    actor = by or current_actor()
    entry = AuditEntry(
        id=ids.new_id(AUDIT_ENTRY),
        account_id=actor.account_id,
        actor=actor.kind,
        action=action,
        resource_id=resource_id,
        request_id=request_id.get() or None,
        outcome=outcome,
    )
    if actor.api_key is not None:
        entry.key_id = actor.api_key.id
        entry.key_name = actor.api_key.name
        entry.key_hint = actor.api_key.hint
    await insert_audit_entry(session, entry)


async def record_command(session: AsyncSession, action: Action, engine_id: str) -> None:
    """Note for an engine's owner what a command does to it; nothing where it is gone."""
    engine = await session.get(KnowledgeEngine, engine_id)
    if engine is not None:
        actor = Actor(engine.account_id, ActorKind.COMMAND_LINE)
        await record(session, action, engine_id, by=actor)
