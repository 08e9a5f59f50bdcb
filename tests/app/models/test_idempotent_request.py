from datetime import timedelta

import pytest
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import insert_account
from app.models.idempotent_request import (
    IdempotentRequest,
    answer_request,
    claim_request,
    delete_answers_of_engine,
    delete_expired_request,
    delete_expired_requests,
    delete_request,
    hold_request,
    select_request,
)
from app.models.knowledge_engine import KnowledgeEngine, insert_knowledge_engine
from app.services import Services

LONG = timedelta(hours=1)
OVER = timedelta(0)


@pytest.fixture
async def request_(services: Services) -> IdempotentRequest:
    async with services.database.transaction() as session:
        account = await insert_account(session, "owner")
    return request_of(account.id or 0)


def request_of(account_id: int, fingerprint: bytes = b"f", seed: bytes = b"s") -> IdempotentRequest:
    return IdempotentRequest(
        account_id=account_id, route="/r", key="k", fingerprint=fingerprint, seed=seed
    )


async def claimed(
    session: AsyncSession, request: IdempotentRequest, time: timedelta = LONG
) -> IdempotentRequest:
    row = await claim_request(session, request, time)
    assert row is not None
    return row


async def test_request_is_held_by_one(services: Services, request_: IdempotentRequest) -> None:
    async with services.database.transaction() as session:
        row = await claimed(session, request_)

    async with services.database.transaction() as session:
        assert (row.seed, row.attempt, row.is_answered) == (b"s", 1, False)
        assert await claim_request(session, request_, LONG) is None


async def test_who_takes_over_keeps_the_secret_of_the_ids(
    services: Services, request_: IdempotentRequest
) -> None:
    async with services.database.transaction() as session:
        await claimed(session, request_, OVER)

    async with services.database.transaction() as session:
        row = await claimed(session, request_of(request_.account_id, seed=b"another"))

    assert (row.seed, row.attempt) == (b"s", 2)


async def test_another_request_does_not_take_over(
    services: Services, request_: IdempotentRequest
) -> None:
    async with services.database.transaction() as session:
        await claimed(session, request_, OVER)

    async with services.database.transaction() as session:
        assert await claim_request(session, request_of(request_.account_id, b"g"), LONG) is None


async def test_answered_request_is_not_taken_over(
    services: Services, request_: IdempotentRequest
) -> None:
    async with services.database.transaction() as session:
        await answer_request(session, await claimed(session, request_, OVER), b"answer")

    async with services.database.transaction() as session:
        assert await claim_request(session, request_, LONG) is None
        stored = await select_request(session, request_)
    assert stored is not None
    assert (stored.is_answered, stored.answer) == (True, b"answer")


async def test_attempt_that_was_taken_over_changes_nothing(
    services: Services, request_: IdempotentRequest
) -> None:
    async with services.database.transaction() as session:
        first = await claimed(session, request_, OVER)
    async with services.database.transaction() as session:
        await claimed(session, request_)

    async with services.database.transaction() as session:
        await hold_request(session, first, OVER)
        await answer_request(session, first)
        await delete_request(session, first)

    async with services.database.transaction() as session:
        stored = await select_request(session, request_)
        assert await claim_request(session, request_, LONG) is None
    assert stored is not None
    assert not stored.is_answered


async def test_what_is_let_go_of_is_taken_over_at_once(
    services: Services, request_: IdempotentRequest
) -> None:
    async with services.database.transaction() as session:
        await hold_request(session, await claimed(session, request_), OVER)

    async with services.database.transaction() as session:
        assert (await claimed(session, request_)).attempt == 2


async def test_requests_are_kept_for_a_day(services: Services, request_: IdempotentRequest) -> None:
    async with services.database.transaction() as session:
        row = await claimed(session, request_)
        await delete_expired_request(session, request_)
        await delete_expired_requests(session)
        assert await select_request(session, request_) is not None

        row.created_at -= timedelta(hours=24)
        session.add(row)
        await session.flush()
        await delete_expired_requests(session)

        assert await select_request(session, request_) is None


async def test_kept_answers_go_with_what_they_quote(
    services: Services, request_: IdempotentRequest
) -> None:
    async with services.database.transaction() as session:
        engine = KnowledgeEngine(id="kng_1", account_id=request_.account_id, name="Leases")
        await insert_knowledge_engine(session, engine)
        row = await claimed(session, request_)
        await answer_request(session, row, b"quotes", "kng_1")
        await delete_answers_of_engine(session, "kng_2")
        assert await select_request(session, request_) is not None

        await delete_answers_of_engine(session, "kng_1")

        assert await select_request(session, request_) is None
