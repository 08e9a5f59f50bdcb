"""Delivering what webhooks are to be told, until the receiver has it or has failed for days."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

from app.models.webhook import Webhook, disable_webhook
from app.models.webhook_delivery import (
    Attempted,
    DeliveryStatus,
    WebhookDelivery,
    begin_attempts,
    delete_old_deliveries,
    update_attempted,
)
from app.outbound import NotReached
from app.services import Services
from app.webhooks.signing import signed_headers, signing_secret
from config.errors import UrlNotUsable

_logger = logging.getLogger(__name__)

# https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""After the first failed attempt, the second, …, as the specification recommends."""

LEASE = timedelta(minutes=1)
"""An attempt takes 15 s at most; after this long without a word, its process has died."""

AT_ONCE = 64
"""How many attempts one worker makes at the same time."""

KEPT = timedelta(days=30)
"""How long a delivery can be looked up and replayed; all its attempts take three days."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a receiver said: a status, or why there is none."""

    status_code: int | None = None
    error: str | None = None


def utc_now() -> datetime:
    """Return the time by this machine's clock."""
    return datetime.now(UTC)


async def deliver_due(services: Services, clock: Callable[[], datetime] = utc_now) -> None:
    """Make an attempt at each delivery that is due, until none is.

    At least one attempt reaches the receiver: where this process dies in one, or cannot store what
    it came to, the delivery is due again a minute later.
    """
    while True:
        async with services.database.transaction() as session:
            begun = await begin_attempts(session, clock(), LEASE, AT_ONCE)
        if not begun:
            return
        await asyncio.gather(*(_attempt(services, delivery, clock) for delivery in begun))


async def forget_old(services: Services, clock: Callable[[], datetime] = utc_now) -> None:
    """Keep the log of deliveries from growing for ever."""
    async with services.database.transaction() as session:
        await delete_old_deliveries(session, clock() - KEPT)


def after(attempts: int, answer: Answer, now: datetime) -> Attempted:
    """Return what becomes of a delivery after so many attempts, of which this was the last."""
    code = answer.status_code
    if code is not None and 200 <= code < 300:
        return Attempted(DeliveryStatus.DELIVERED, code, None, None)
    error = answer.error or f"the receiver answered {code}"
    if code == HTTPStatus.GONE or attempts > len(WAITS):
        return Attempted(DeliveryStatus.FAILED, code, error, None)
    return Attempted(DeliveryStatus.PENDING, code, error, now + WAITS[attempts - 1])


async def _attempt(
    services: Services, delivery: WebhookDelivery, clock: Callable[[], datetime]
) -> None:
    async with services.database.transaction() as session:
        webhook = await session.get(Webhook, delivery.webhook_id)
        secret = await signing_secret(session, delivery.webhook_id)
    if webhook is None:
        return  # It was deleted a moment ago, and its deliveries with it.
    headers = signed_headers(secret, delivery, clock())
    try:
        code = await services.outbound.post(webhook.url, delivery.payload.encode(), headers)
        answer = Answer(code)
    except (NotReached, UrlNotUsable) as error:
        answer = Answer(error=str(error))
    attempted = after(delivery.attempts, answer, clock())
    if attempted.error:
        _logger.warning("%s for %s: %s", delivery.id, webhook.id, attempted.error)
    async with services.database.transaction() as session:
        # In the order in which a deletion comes to them, or both would wait for ever.
        if answer.status_code == HTTPStatus.GONE:
            await disable_webhook(session, webhook.id)
        await update_attempted(session, delivery, attempted)
