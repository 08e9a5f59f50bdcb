import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from standardwebhooks import Webhook

from app.models.webhook_delivery import Attempted, DeliveryStatus, begin_attempt
from app.outbound import NOT_PUBLIC, Outbound
from app.services import Services
from app.webhooks.delivering import (
    AT_ONCE,
    KEPT,
    LEASE,
    OF_ONE_WEBHOOK,
    WAITS,
    Answer,
    after,
    deliver_due,
    forget_old,
)
from tests.app.webhooks.conftest import Clock
from tests.client import Client
from tests.conftest import FILES
from tests.webhook_receiver import SILENT, Receiver, receiving

NOW = datetime(2026, 1, 2, tzinfo=UTC)
EVENTS = ["data_source.finished", "tool_run.finished"]


@pytest.fixture
async def webhook(client: Client, receiver: Receiver) -> dict[str, Any]:
    """A webhook that is told of everything, with its secret."""
    created: dict[str, Any] = await client.post("/webhooks", url=receiver.url, events=EVENTS)
    return created


@pytest.fixture
async def source(client: Client, webhook: dict[str, Any]) -> Any:
    """A data source that was read after the webhook was made."""
    return await client.add(await client.create_engine(), FILES / "warehouse-lease.pdf")


async def deliveries(client: Client, webhook: dict[str, Any]) -> Any:
    return await client.get(f"/webhooks/{webhook['id']}/deliveries")


async def test_receiver_is_told_with_a_signature_that_holds(
    client: Client, services: Services, receiver: Receiver, webhook: dict[str, Any], source: Any
) -> None:
    await deliver_due(services)

    (request,) = receiver.requests
    (delivery,) = await deliveries(client, webhook)
    payload = request.verified(webhook["secret"])
    assert list(payload) == ["type", "timestamp", "data"]
    assert payload["type"] == "data_source.finished"
    assert payload["data"] == {
        "knowledge_engine_id": source["knowledge_engine_id"],
        "id": source["id"],
        "status": "processed",
        "outcome": "ok",
        "error": None,
    }
    assert request.headers["content-type"] == "application/json"
    assert request.headers["webhook-id"] == delivery["id"]
    assert (delivery["status"], delivery["attempts"]) == ("delivered", 1)
    assert (delivery["last_status_code"], delivery["next_attempt_at"]) == (204, None)


@pytest.mark.usefixtures("source")
async def test_what_was_delivered_is_not_sent_again(
    services: Services, receiver: Receiver, clock: Clock
) -> None:
    await deliver_due(services, clock)
    clock.move(timedelta(days=2))

    await deliver_due(services, clock)

    assert len(receiver.requests) == 1


@pytest.mark.usefixtures("source")
async def test_failed_attempt_is_repeated_with_growing_waits_until_it_works(
    client: Client, services: Services, receiver: Receiver, webhook: dict[str, Any], clock: Clock
) -> None:
    receiver.answers = [500, 302, 404, 200]

    for wait in WAITS[:3]:
        await deliver_due(services, clock)
        clock.move(wait - timedelta(seconds=1))
        await deliver_due(services, clock)
        clock.move(timedelta(seconds=1))
    await deliver_due(services, clock)

    (delivery,) = await deliveries(client, webhook)
    assert (delivery["status"], delivery["attempts"]) == ("delivered", 4)
    assert {one.headers["webhook-id"] for one in receiver.requests} == {delivery["id"]}
    assert len({one.body for one in receiver.requests}) == 1
    assert len(receiver.requests) == 4


@pytest.mark.usefixtures("source")
async def test_each_attempt_is_signed_at_its_own_time(
    services: Services, receiver: Receiver, webhook: dict[str, Any], clock: Clock
) -> None:
    receiver.answers = [500]

    await deliver_due(services, clock)
    clock.move(WAITS[0])
    await deliver_due(services, clock)

    first, second = receiver.requests
    headers = second.headers
    expected = Webhook(webhook["secret"]).sign(
        headers["webhook-id"], clock.now, second.body.decode()
    )
    assert int(headers["webhook-timestamp"]) == int(first.headers["webhook-timestamp"]) + 5
    assert headers["webhook-signature"] == expected


@pytest.mark.usefixtures("source")
async def test_delivery_fails_for_good_after_the_last_attempt(
    client: Client, services: Services, receiver: Receiver, webhook: dict[str, Any], clock: Clock
) -> None:
    receiver.answers = [500]

    for wait in (*WAITS, timedelta(days=9)):
        await deliver_due(services, clock)
        clock.move(wait)
    await deliver_due(services, clock)

    (delivery,) = await deliveries(client, webhook)
    assert len(receiver.requests) == delivery["attempts"] == len(WAITS) + 1
    assert (delivery["status"], delivery["next_attempt_at"]) == ("failed", None)
    assert delivery["last_error"] == "the receiver answered 500"


@pytest.mark.usefixtures("source")
async def test_receiver_that_is_gone_is_told_nothing_more(
    client: Client, services: Services, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.answers = [410]

    await deliver_due(services)
    await client.add(await client.create_engine(), FILES / "warehouse-lease.pdf")
    await deliver_due(services)

    (delivery,) = await deliveries(client, webhook)
    assert (delivery["status"], delivery["last_status_code"]) == ("failed", 410)
    assert (await client.get(f"/webhooks/{webhook['id']}"))["disabled"] is True
    assert len(receiver.requests) == 1


@pytest.mark.usefixtures("source")
async def test_what_waits_for_a_disabled_webhook_waits_until_it_is_enabled(
    client: Client, services: Services, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    path = f"/api/v1/webhooks/{webhook['id']}"
    await client.call("PUT", path, json={"disabled": True})
    await deliver_due(services)
    assert receiver.requests == []

    await client.call("PUT", path, json={"disabled": False})
    await deliver_due(services)

    assert len(receiver.requests) == 1


@pytest.mark.usefixtures("source")
async def test_delivery_whose_process_has_died_is_taken_up(
    client: Client, services: Services, receiver: Receiver, webhook: dict[str, Any], clock: Clock
) -> None:
    async with services.database.transaction() as session:
        begun = await begin_attempt(session, clock.now, LEASE)
    assert begun is not None
    await deliver_due(services, clock)
    assert receiver.requests == []

    clock.move(LEASE)
    await deliver_due(services, clock)

    (delivery,) = await deliveries(client, webhook)
    assert (delivery["status"], delivery["attempts"]) == ("delivered", 2)
    assert receiver.requests[0].headers["webhook-id"] == begun.id


@pytest.mark.usefixtures("webhook")
async def test_two_workers_deliver_each_event_once(
    client: Client, services: Services, receiver: Receiver
) -> None:
    files = [
        FILES / name for name in ("warehouse-lease.pdf", "delivery.eml", "supplier-handbook.docx")
    ]
    for file in files:
        await client.add(await client.create_engine(), file)

    await asyncio.gather(*(deliver_due(services) for _ in range(3)))

    sent = [one.headers["webhook-id"] for one in receiver.requests]
    assert len(sent) == len(set(sent)) == 3


@pytest.mark.usefixtures("source")
async def test_more_is_delivered_than_goes_at_once(services: Services, receiver: Receiver) -> None:
    await copy_deliveries(services, AT_ONCE)

    await deliver_due(services)

    assert len({one.headers["webhook-id"] for one in receiver.requests}) == AT_ONCE + 1


async def test_silent_receiver_holds_up_no_other(
    client: Client, services: Services, receiver: Receiver, webhook: dict[str, Any], source: Any
) -> None:
    receiver.answers = [SILENT]
    await copy_deliveries(services, 2 * AT_ONCE)
    async with receiving() as good:
        other = await client.post("/webhooks", url=good.url, events=EVENTS)
        await client.add(source["knowledge_engine_id"], FILES / "delivery.eml")
        until = "UPDATE webhook_delivery SET next_attempt_at = now() + interval '{}' WHERE {}"
        await execute(services, until.format("1 hour", f"webhook_id = '{other['id']}'"))
        delivering = asyncio.create_task(deliver_due(services))
        await receiver.received(OF_ONE_WEBHOOK)

        await execute(services, until.format("0 s", f"webhook_id = '{other['id']}'"))
        await good.received(1)

        assert len(receiver.requests) == OF_ONE_WEBHOOK
        told = await deliveries(client, webhook)
        assert {(one["status"], one["last_error"]) for one in told} == {("pending", None)}
        receiver.goes_on.set()
        await delivering
    assert {one["status"] for one in await deliveries(client, webhook)} == {"delivered"}


@pytest.mark.usefixtures("source")
async def test_attempt_that_is_broken_off_is_made_again_later(
    services: Services, receiver: Receiver, clock: Clock
) -> None:
    receiver.answers = [SILENT, 204]
    delivering = asyncio.create_task(deliver_due(services, clock))
    await receiver.received(1)

    delivering.cancel()
    await asyncio.wait([delivering])
    await deliver_due(services, clock)
    assert len(receiver.requests) == 1

    clock.move(LEASE)
    await deliver_due(services, clock)
    assert len(receiver.requests) == 2


@pytest.mark.usefixtures("source")
async def test_address_is_checked_again_at_each_delivery(
    client: Client, services: Services, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    services.outbound = Outbound()

    await deliver_due(services)

    (delivery,) = await deliveries(client, webhook)
    assert delivery["last_error"] == f"url cannot be used: {NOT_PUBLIC}"
    assert delivery["status"] == "pending"
    assert receiver.requests == []


@pytest.mark.usefixtures("source")
async def test_old_deliveries_are_forgotten(
    client: Client, services: Services, webhook: dict[str, Any], clock: Clock
) -> None:
    clock.move(KEPT - timedelta(minutes=1))
    await forget_old(services, clock)
    assert len(await deliveries(client, webhook)) == 1

    clock.move(timedelta(minutes=2))
    await forget_old(services, clock)

    assert await deliveries(client, webhook) == []


@pytest.mark.parametrize(
    ("attempts", "answer", "expected"),
    [
        (1, Answer(200), Attempted(DeliveryStatus.DELIVERED, 200, None, None)),
        (10, Answer(299), Attempted(DeliveryStatus.DELIVERED, 299, None, None)),
        (
            1,
            Answer(300),
            Attempted(
                DeliveryStatus.PENDING, 300, "the receiver answered 300", NOW + timedelta(seconds=5)
            ),
        ),
        (
            9,
            Answer(error="no answer"),
            Attempted(DeliveryStatus.PENDING, None, "no answer", NOW + timedelta(hours=24)),
        ),
        (10, Answer(error="no answer"), Attempted(DeliveryStatus.FAILED, None, "no answer", None)),
        (
            1,
            Answer(410),
            Attempted(DeliveryStatus.FAILED, 410, "the receiver answered 410", None),
        ),
    ],
)
def test_answer_decides_what_becomes_of_a_delivery(
    attempts: int, answer: Answer, expected: Attempted
) -> None:
    assert after(attempts, answer, NOW) == expected


async def copy_deliveries(services: Services, count: int) -> None:
    """Let each delivery be due so many times more."""
    copies = (
        "INSERT INTO webhook_delivery SELECT id || number, webhook_id, event, payload, status,"
        " attempts, last_status_code, last_error, last_attempt_at, next_attempt_at, created_at"
        f" FROM webhook_delivery, generate_series(1, {count}) AS number"
    )
    await execute(services, copies)


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))
