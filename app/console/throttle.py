"""How often a password may be guessed, over all processes and restarts."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from app.database import Database
from app.models.sign_in_attempt import (
    delete_attempts,
    delete_old_attempts,
    insert_attempts,
    lock_sign_in_attempts,
    select_attempt_counts,
)

WINDOW = timedelta(minutes=15)
PER_ADDRESS = 10
PER_ACCOUNT = 50
"""For guesses from many addresses; `ke console-link` lets the owner in meanwhile."""


async def take_attempt(database: Database, account_id: int, address: str) -> Sequence[int] | None:
    """Count an attempt before it is made, so that many at once are counted too.

    Returns:
        The numbers of the attempt, to forget it by when it succeeds; None if it may not be made.
    """
    limits = {f"account {account_id}": PER_ACCOUNT, f"address {address}": PER_ADDRESS}
    now = datetime.now(UTC)
    async with database.transaction() as session:
        await lock_sign_in_attempts(session)
        await delete_old_attempts(session, now - WINDOW)
        counts = await select_attempt_counts(session, list(limits), now - WINDOW)
        if any(counts.get(source, 0) >= limit for source, limit in limits.items()):
            return None
        return await insert_attempts(session, list(limits))


async def forget_attempt(database: Database, numbers: Sequence[int]) -> None:
    """Take an attempt back that was the owner's own."""
    async with database.transaction() as session:
        await delete_attempts(session, numbers)
