from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import insert_account
from app.models.api_key import (
    ApiKey,
    insert_api_key,
    select_api_keys,
    select_live_key_ids,
    select_live_keys,
    select_revoked_key,
    update_revoked,
)
from app.services import Services
from tests.app.test_deleting import while_deleted


async def test_live_keys_are_found_by_their_hint(services: Services) -> None:
    async with services.database.transaction() as session:
        for name, hint in (("a", "ke-1"), ("b", "ke-1"), ("c", "ke-2")):
            await add(session, name, hint)

        found = await select_live_keys(session, "ke-1")

    assert [(key.name, account.name) for key, account in found] == [("a", "of a"), ("b", "of b")]


async def test_revoked_key_is_found_by_its_digest(services: Services) -> None:
    async with services.database.transaction() as session:
        key_id = await add(session, "a", "ke-1")
        (key,) = await select_api_keys(session)
        assert await select_revoked_key(session, key.digest) is None

        await update_revoked(session, key_id)

        assert await select_revoked_key(session, key.digest) is key
        assert await select_revoked_key(session, b"other") is None


async def test_revoked_key_is_listed_but_not_live(services: Services) -> None:
    async with services.database.transaction() as session:
        key_id = await add(session, "a", "ke-1")
        was_live = await update_revoked(session, key_id)

        assert was_live
        assert await select_live_keys(session, "ke-1") == []
        (key,) = await select_api_keys(session)

    assert key.revoked_at is not None
    assert key.revoked_at <= datetime.now(UTC)


async def test_keys_that_are_live_are_told_from_the_others(services: Services) -> None:
    async with services.database.transaction() as session:
        live, revoked, unasked = [await add(session, name, f"ke-{name}") for name in "abc"]
        await update_revoked(session, revoked)

        assert await select_live_key_ids(session, {live, revoked, unasked + 1}) == {live}


async def test_key_is_revoked_only_once(services: Services) -> None:
    async with services.database.transaction() as session:
        key_id = await add(session, "a", "ke-1")

        revoked = [await update_revoked(session, number) for number in (key_id, key_id, 99)]

    assert [key and key.name for key in revoked] == ["a", None, None]


async def test_same_key_cannot_be_stored_twice(services: Services) -> None:
    async with services.database.transaction() as session:
        await add(session, "a", "ke-1")

        with pytest.raises(IntegrityError, match="digest"):
            await add(session, "a", "ke-1")
        await session.rollback()


async def add(session: AsyncSession, name: str, hint: str) -> int:
    account = await insert_account(session, f"of {name}")
    assert account.id is not None
    key = ApiKey(account_id=account.id, name=name, hint=hint, digest=name.encode())
    await insert_api_key(session, key)
    assert key.id is not None
    return key.id


async def test_key_that_is_just_being_deleted_is_not_revoked(services: Services) -> None:
    async with services.database.transaction() as session:
        key_id = await add(session, "a", "ke-1")

    async def revoke() -> object:
        async with services.database.transaction() as session:
            return await update_revoked(session, key_id)

    assert (await while_deleted(services, "api_key", revoke())).result() is None
