import asyncio
import json
from datetime import UTC, datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.page_of_rows import PageRequest
from app.models.webhook import Event, EventType, Webhook, delete_webhook, disable_webhook
from app.models.webhook_delivery import (
    Attempted,
    DeliveryStatus,
    WebhookDelivery,
    begin_attempts,
    delete_old_deliveries,
    insert_deliveries,
    replay,
    select_deliveries,
    select_delivery,
    update_attempted,
)
from app.services import Services
from tests.app.models.rows import new_engine
from tests.app.models.test_webhook import new_webhook

LEASE = timedelta(minutes=1)
DELIVERED = Attempted(DeliveryStatus.DELIVERED, 204, None, None)


def later(**parts: int) -> datetime:
    return datetime.now(UTC) + timedelta(**parts)


async def tell(session: AsyncSession, webhooks: int = 1, events: int = 1) -> None:
    """Let something happen that so many webhooks want to know."""
    account_id = await new_engine(session, "kng_1")
    for number in range(1, webhooks + 1):
        await new_webhook(session, account_id, number)
    for number in range(events):
        data = {"id": f"ds_{number}", "error": "Größe <x>"}
        event = Event(EventType.DATA_SOURCE_FINISHED, account_id, "kng_1", data)
        await insert_deliveries(session, event)


async def the_one(session: AsyncSession) -> WebhookDelivery:
    (delivery,) = await select_deliveries(session, "whk_1", PageRequest())
    await session.refresh(delivery)
    return delivery


async def test_each_webhook_has_a_delivery_of_its_own_that_is_due(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, webhooks=2)

        (first,) = await select_deliveries(session, "whk_1", PageRequest())
        (second,) = await select_deliveries(session, "whk_2", PageRequest())
        begun = await begin_attempts(session, later(), LEASE, 9)

    assert first.id.startswith("dlv_")
    assert {one.id for one in begun} == {first.id, second.id}
    assert json.loads(first.payload)["data"] == {
        "knowledge_engine_id": "kng_1",
        "id": "ds_0",
        "error": "Größe <x>",
    }


async def test_delivery_is_found_under_its_webhook_only(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, webhooks=2)
        delivery = await the_one(session)

        assert await select_delivery(session, "whk_1", delivery.id) is delivery
        assert await select_delivery(session, "whk_2", delivery.id) is None


async def test_what_was_rolled_back_is_not_told(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        await session.rollback()

    async with services.database.transaction() as session:
        assert await begin_attempts(session, later(), LEASE, 9) == []


async def test_begun_attempt_is_nobody_elses_for_the_lease(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        now = later()

        (begun,) = await begin_attempts(session, now, LEASE, 9)

        assert (begun.attempts, begun.last_attempt_at) == (1, now)
        assert await begin_attempts(session, now + LEASE / 2, LEASE, 9) == []
        assert [one.attempts for one in await begin_attempts(session, now + LEASE, LEASE, 9)] == [2]


async def test_what_another_process_is_taking_is_passed_over(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, events=3)

    async with services.database.transaction() as one, services.database.transaction() as other:
        taken = await begin_attempts(one, later(), LEASE, 2)
        rest = await asyncio.wait_for(begin_attempts(other, later(), LEASE, 2), 5)

    assert (len(taken), len(rest)) == (2, 1)
    assert not {one.id for one in taken} & {one.id for one in rest}


async def test_attempt_that_worked_ends_the_delivery(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        (begun,) = await begin_attempts(session, later(), LEASE, 9)

        await update_attempted(session, begun, DELIVERED)

        delivery = await the_one(session)
        assert (delivery.status, delivery.last_status_code) == ("delivered", 204)
        assert delivery.next_attempt_at is None
        assert await begin_attempts(session, later(days=9), LEASE, 9) == []


async def test_attempt_that_was_taken_for_dead_changes_nothing(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        now = later()
        (dead,) = await begin_attempts(session, now, LEASE, 9)
        session.expunge(dead)
        await begin_attempts(session, now + LEASE, LEASE, 9)

        await update_attempted(session, dead, DELIVERED)

        assert (await the_one(session)).status == "pending"


async def test_disabled_webhook_is_passed_over(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, webhooks=2)
        await disable_webhook(session, "whk_1")

        begun = await begin_attempts(session, later(), LEASE, 9)

    assert [one.webhook_id for one in begun] == ["whk_2"]


async def test_replayed_delivery_is_due_with_all_its_attempts(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        (begun,) = await begin_attempts(session, later(), LEASE, 9)
        await update_attempted(session, begun, DELIVERED)

        await replay(session, await the_one(session), later())

        (again,) = await begin_attempts(session, later(), LEASE, 9)
        assert (again.id, again.attempts) == (begun.id, 1)


async def test_deliveries_go_with_their_webhook(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, webhooks=2)

        await delete_webhook(session, await session.get_one(Webhook, "whk_1"))

        assert await select_deliveries(session, "whk_1", PageRequest()) == []
        assert len(await select_deliveries(session, "whk_2", PageRequest())) == 1


async def test_old_deliveries_are_deleted(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        await delete_old_deliveries(session, later(minutes=-1))
        assert len(await select_deliveries(session, "whk_1", PageRequest())) == 1

        await delete_old_deliveries(session, later())

        assert await select_deliveries(session, "whk_1", PageRequest()) == []
