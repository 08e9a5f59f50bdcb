from app.models.account import insert_account
from app.models.owner import select_password_hash, upsert_password_hash
from app.services import Services


async def test_owner_has_the_latest_password(services: Services) -> None:
    async with services.database.transaction() as session:
        account = await insert_account(session, "default")
        assert account.id is not None
        before = await select_password_hash(session, account.id)
    for password_hash in ("first", "second"):
        async with services.database.transaction() as session:
            await upsert_password_hash(session, account.id, password_hash)

    async with services.database.transaction() as session:
        assert (before, await select_password_hash(session, account.id)) == (None, "second")
