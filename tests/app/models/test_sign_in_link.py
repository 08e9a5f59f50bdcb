import asyncio
from datetime import UTC, datetime, timedelta

from app.models.account import insert_account
from app.models.sign_in_link import (
    SignInLink,
    delete_sign_in_link,
    insert_sign_in_link,
    select_sign_in_link,
)
from app.services import Services


async def test_link_is_used_up_by_one_of_those_who_use_it_at_once(services: Services) -> None:
    account_id = await add_link(services, b"a", timedelta(hours=1))

    async def use() -> int | None:
        async with services.database.transaction() as session:
            return await delete_sign_in_link(session, b"a")

    used = await asyncio.gather(*(use() for _ in range(4)))

    assert sorted(used, key=str) == [account_id, None, None, None]


async def test_link_is_gone_after_its_time(services: Services) -> None:
    await add_link(services, b"a", timedelta(seconds=-1))

    async with services.database.transaction() as session:
        assert await select_sign_in_link(session, b"a") is None
        assert await delete_sign_in_link(session, b"a") is None


async def add_link(services: Services, digest: bytes, time: timedelta) -> int:
    async with services.database.transaction() as session:
        account = await insert_account(session, "default")
        assert account.id is not None
        expires_at = datetime.now(UTC) + time
        link = SignInLink(digest=digest, account_id=account.id, expires_at=expires_at)
        await insert_sign_in_link(session, link)
    return account.id
