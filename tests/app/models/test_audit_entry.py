from datetime import UTC, datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import insert_account
from app.models.audit_entry import (
    Action,
    ActionOutcome,
    ActorKind,
    AuditEntry,
    delete_old_audit_entries,
    insert_audit_entry,
    select_audit_entries,
)
from app.models.page_of_rows import PageRequest
from app.services import Services

NOW = datetime(2026, 3, 1, tzinfo=UTC)
NEWEST_FIRST = PageRequest(newest_first=True)


async def test_entries_of_an_account_come_newest_first(services: Services) -> None:
    async with services.database.transaction() as session:
        own, other = await add_account(session), await add_account(session)
        for account_id, hours in ((own, 2), (own, 1), (other, 3)):
            await add(session, account_id, hours)

        found = await select_audit_entries(session, own, NEWEST_FIRST)

    assert [entry.created_at for entry in found] == [NOW - timedelta(hours=n) for n in (1, 2)]


async def test_entries_of_one_action_can_be_had_alone(services: Services) -> None:
    async with services.database.transaction() as session:
        own = await add_account(session)
        await add(session, own, 2, Action.ENGINE_CREATED)
        await add(session, own, 1, Action.ENGINE_DELETED)

        found = await select_audit_entries(session, own, NEWEST_FIRST, action=Action.ENGINE_DELETED)

    assert [entry.action for entry in found] == ["knowledge_engine.deleted"]


async def test_old_entries_go_and_others_stay(services: Services) -> None:
    async with services.database.transaction() as session:
        own = await add_account(session)
        for hours in (1, 2, 3):
            await add(session, own, hours)

        await delete_old_audit_entries(session, NOW - timedelta(hours=2))

        found = await select_audit_entries(session, own, NEWEST_FIRST)
    assert [entry.created_at for entry in found] == [NOW - timedelta(hours=n) for n in (1, 2)]


async def add_account(session: AsyncSession) -> int:
    account = await insert_account(session, "owner")
    assert account.id is not None
    return account.id


async def add(
    session: AsyncSession, account_id: int, hours: int, action: Action = Action.SIGN_IN
) -> None:
    entry = AuditEntry(
        id=f"aud_{account_id}_{hours}",
        account_id=account_id,
        created_at=NOW - timedelta(hours=hours),
        actor=ActorKind.CONSOLE,
        action=action,
        outcome=ActionOutcome.DONE,
    )
    await insert_audit_entry(session, entry)
