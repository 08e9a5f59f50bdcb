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
    begin_attempt,
    delete_old_deliveries,
    insert_deliveries,
    replay,
    select_deliveries,
    select_delivery_to_replay,
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


async def begin_all(session: AsyncSession, now: datetime) -> list[WebhookDelivery]:
    """Begin an attempt at all that is due."""
    begun: list[WebhookDelivery] = []
    while delivery := await begin_attempt(session, now, LEASE):
        begun.append(delivery)
    return begun


async def test_each_webhook_has_a_delivery_of_its_own_that_is_due(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, webhooks=2)

        (first,) = await select_deliveries(session, "whk_1", PageRequest())
        (second,) = await select_deliveries(session, "whk_2", PageRequest())
        begun = await begin_all(session, later())

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

        assert await select_delivery_to_replay(session, "whk_1", delivery.id) is delivery
        assert await select_delivery_to_replay(session, "whk_2", delivery.id) is None


async def test_what_was_rolled_back_is_not_told(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        await session.rollback()

    async with services.database.transaction() as session:
        assert await begin_all(session, later()) == []


async def test_begun_attempt_is_nobody_elses_for_the_lease(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        now = later()

        (begun,) = await begin_all(session, now)

        assert (begun.attempts, begun.last_attempt_at) == (1, now)
        assert await begin_all(session, now + LEASE / 2) == []
        assert [one.attempts for one in await begin_all(session, now + LEASE)] == [2]


async def test_what_another_process_is_taking_is_passed_over(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, events=3)

    async with services.database.transaction() as one, services.database.transaction() as other:
        taken = await begin_attempt(one, later(), LEASE)
        rest = await asyncio.wait_for(begin_all(other, later()), 60)

    assert taken is not None
    assert len({taken.id, *(delivery.id for delivery in rest)}) == 3


async def test_attempt_that_worked_ends_the_delivery(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        (begun,) = await begin_all(session, later())

        await update_attempted(session, begun, DELIVERED)

        delivery = await the_one(session)
        assert (delivery.status, delivery.last_status_code) == ("delivered", 204)
        assert delivery.next_attempt_at is None
        assert await begin_all(session, later(days=9)) == []


async def test_attempt_that_was_taken_for_dead_changes_nothing(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        now = later()
        (dead,) = await begin_all(session, now)
        session.expunge(dead)
        await begin_all(session, now + LEASE)

        await update_attempted(session, dead, DELIVERED)

        assert (await the_one(session)).status == "pending"


async def test_disabled_webhook_is_passed_over(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, webhooks=2)
        await disable_webhook(session, "whk_1")

        begun = await begin_all(session, later())

    assert [one.webhook_id for one in begun] == ["whk_2"]


async def test_busy_webhook_is_passed_over(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, webhooks=2, events=2)

        begun = [await begin_attempt(session, later(), LEASE, {"whk_1"}) for _ in range(3)]

    assert [one and one.webhook_id for one in begun] == ["whk_2", "whk_2", None]


async def test_delivery_that_is_due_for_longest_comes_first(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session, events=2)
        first, second = await select_deliveries(session, "whk_1", PageRequest())
        assert first.next_attempt_at is not None
        second.next_attempt_at = first.next_attempt_at - LEASE
        await session.flush()

        assert [one.id for one in await begin_all(session, later())] == [second.id, first.id]


async def test_replayed_delivery_is_due_with_all_its_attempts(services: Services) -> None:
    async with services.database.transaction() as session:
        await tell(session)
        (begun,) = await begin_all(session, later())
        await update_attempted(session, begun, DELIVERED)

        await replay(session, await the_one(session), later())

        (again,) = await begin_all(session, later())
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
