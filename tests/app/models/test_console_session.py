from datetime import UTC, datetime, timedelta

from app.models.account import insert_account
from app.models.console_session import (
    ConsoleSession,
    delete_console_session,
    delete_console_sessions,
    insert_console_session,
    select_session_account,
)
from app.services import Services


async def test_sessions_end_one_by_one_or_together(services: Services) -> None:
    async with services.database.transaction() as session:
        account = await insert_account(session, "default")
        assert account.id is not None
        for digest in (b"a", b"b", b"c"):
            expires_at = datetime.now(UTC) + timedelta(hours=1)
            row = ConsoleSession(digest=digest, account_id=account.id, expires_at=expires_at)
            await insert_console_session(session, row)

        await delete_console_session(session, b"a")
        after_one = [await select_session_account(session, one) for one in (b"a", b"b", b"c")]
        await delete_console_sessions(session, account.id)
        after_all = [await select_session_account(session, one) for one in (b"a", b"b", b"c")]

    assert after_one == [None, account, account]
    assert after_all == [None, None, None]


async def test_session_is_over_after_its_time(services: Services) -> None:
    async with services.database.transaction() as session:
        account = await insert_account(session, "default")
        assert account.id is not None
        past = datetime.now(UTC) - timedelta(seconds=1)
        row = ConsoleSession(digest=b"a", account_id=account.id, expires_at=past)
        await insert_console_session(session, row)

        assert await select_session_account(session, b"a") is None
