from app.models.account import insert_account, select_first_account
from app.services import Services


async def test_new_database_has_no_account(services: Services) -> None:
    async with services.database.transaction() as session:
        assert await select_first_account(session) is None


async def test_first_account_is_the_oldest(services: Services) -> None:
    async with services.database.transaction() as session:
        first = await insert_account(session, "first")
        await insert_account(session, "second")

        found = await select_first_account(session)

    assert found is first
    assert first.id is not None
    assert first.disabled_models == []
