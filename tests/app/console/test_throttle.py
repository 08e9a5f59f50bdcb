import asyncio
from datetime import timedelta

from sqlmodel import col, update

from app.console.throttle import PER_ACCOUNT, PER_ADDRESS, WINDOW, forget_attempt, take_attempt
from app.models.sign_in_attempt import SignInAttempt
from app.services import Services


async def test_attempts_from_one_address_have_a_limit_also_at_once(services: Services) -> None:
    attempts = [take_attempt(services.database, 1, "192.0.2.1") for _ in range(PER_ADDRESS + 5)]

    taken = await asyncio.gather(*attempts)

    assert sum(one is not None for one in taken) == PER_ADDRESS
    assert await take_attempt(services.database, 1, "192.0.2.2") is not None


async def test_attempts_at_one_account_have_a_limit(services: Services) -> None:
    for number in range(PER_ACCOUNT):
        assert await take_attempt(services.database, 1, f"192.0.2.{number}") is not None

    assert await take_attempt(services.database, 1, "198.51.100.1") is None
    assert await take_attempt(services.database, 2, "198.51.100.1") is not None


async def test_attempt_that_succeeded_is_not_counted(services: Services) -> None:
    for _ in range(PER_ADDRESS * 2):
        attempt = await take_attempt(services.database, 1, "192.0.2.1")
        assert attempt is not None
        await forget_attempt(services.database, attempt)


async def test_attempts_are_forgotten_after_their_time(services: Services) -> None:
    for _ in range(PER_ADDRESS):
        await take_attempt(services.database, 1, "192.0.2.1")
    async with services.database.transaction() as session:
        earlier = col(SignInAttempt.created_at) - WINDOW - timedelta(seconds=1)
        await session.exec(update(SignInAttempt).values(created_at=earlier))

    assert await take_attempt(services.database, 1, "192.0.2.1") is not None
