from datetime import UTC, datetime, timedelta

from app.models.unclaimed_file import delete_unclaimed, insert_unclaimed, select_unclaimed
from app.services import Services


async def test_noted_file_is_unclaimed_until_it_is_struck_out(services: Services) -> None:
    async with services.database.transaction() as session:
        await insert_unclaimed(session, ["a", "b"])
        await insert_unclaimed(session, ["b", "c"])
        await delete_unclaimed(session, ["a", "unknown"])

        found = await select_unclaimed(session, datetime.now(UTC))

    assert sorted(found) == ["b", "c"]


async def test_file_noted_since_is_not_found(services: Services) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    async with services.database.transaction() as session:
        await insert_unclaimed(session, ["a"])

        assert await select_unclaimed(session, before) == []


async def test_engine_may_have_more_files_than_a_statement_takes_values(services: Services) -> None:
    keys = [f"file{number}" for number in range(70_000)]
    async with services.database.transaction() as session:
        await insert_unclaimed(session, keys)
        await delete_unclaimed(session, keys[1:])

        assert await select_unclaimed(session, datetime.now(UTC)) == keys[:1]


async def test_nothing_to_note_is_no_statement(services: Services) -> None:
    async with services.database.transaction() as session:
        await insert_unclaimed(session, [])
        await delete_unclaimed(session, [])

        assert await select_unclaimed(session, datetime.now(UTC)) == []
