from datetime import UTC, datetime, timedelta

from app.models.sign_in_attempt import (
    delete_attempts,
    delete_old_attempts,
    insert_attempts,
    select_attempt_counts,
)
from app.services import Services


async def test_attempts_are_counted_by_source_until_they_are_deleted(services: Services) -> None:
    past, sources = datetime.now(UTC) - timedelta(hours=1), ["account 1", "address x"]
    async with services.database.transaction() as session:
        numbers = await insert_attempts(session, sources)
        await insert_attempts(session, ["account 1"])
        counted = await select_attempt_counts(session, [*sources, "address y"], past)
        await delete_attempts(session, numbers)
        left = await select_attempt_counts(session, sources, past)
        await delete_old_attempts(session, datetime.now(UTC))
        none = await select_attempt_counts(session, sources, past)

    assert counted == {"account 1": 2, "address x": 1}
    assert left == {"account 1": 1}
    assert none == {}
