from datetime import UTC, datetime

from app.models.account import Account, insert_account, select_first_account
from app.services import Services


async def test_time_of_creation_is_kept_to_the_microsecond(services: Services) -> None:
    before = datetime.now(UTC)
    async with services.database.transaction() as session:
        made = await insert_account(session, "first")

    async with services.database.transaction() as session:
        found = await select_first_account(session)

    assert isinstance(found, Account)
    assert before <= found.created_at == made.created_at <= datetime.now(UTC)
