"""Delivering what webhooks are to be told, until the receiver has it or has failed for days."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

from app.models.webhook import Webhook, disable_webhook
from app.models.webhook_delivery import (
    Attempted,
    DeliveryStatus,
    WebhookDelivery,
    begin_attempt,
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

OF_ONE_WEBHOOK = 4
"""How many of them for one webhook, so that a receiver that keeps silent leaves room for others."""

LOOK_SECONDS = 1.0
"""How often it is looked for what has become due, while attempts go on."""

KEPT = timedelta(days=30)
"""How long a delivery can be looked up and replayed; all its attempts take three days."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a receiver said: a status, or why there is none."""

    status_code: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """A delivery that is on its way, to where, and what it is signed with."""

    delivery: WebhookDelivery
    webhook: Webhook
    secret: str


def utc_now() -> datetime:
    """Return the time by this machine's clock."""
    return datetime.now(UTC)


async def deliver_due(services: Services, clock: Callable[[], datetime] = utc_now) -> None:
    """Make an attempt at each delivery that is due, until none is; no receiver waits for another.

    At least one attempt reaches the receiver: where this process dies in one, or cannot store what
    it came to, the delivery is due again a minute later.
    """
    running: dict[asyncio.Task[None], str] = {}  # with the webhook of each
    try:
        while True:
            while len(running) < AT_ONCE and (
                attempt := await _begin(services, clock(), _busy(running.values()))
            ):
                task = asyncio.create_task(_make(services, attempt, clock))
                running[task] = attempt.webhook.id
            if not running:
                return
            done, _ = await asyncio.wait(
                running, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                del running[task]
                await task
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


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


def _busy(running: Collection[str]) -> set[str]:
    """Return the webhooks that have as many attempts going on as they may."""
    return {one for one, count in Counter(running).items() if count >= OF_ONE_WEBHOOK}


async def _begin(services: Services, now: datetime, busy: Collection[str]) -> Attempt | None:
    async with services.database.transaction() as session:
        delivery = await begin_attempt(session, now, LEASE, busy)
        if delivery is None:
            return None
        # It is there: a deletion of it waits for this transaction, at the delivery.
        webhook = await session.get_one(Webhook, delivery.webhook_id)
        return Attempt(delivery, webhook, await signing_secret(session, webhook.id))


async def _make(services: Services, attempt: Attempt, clock: Callable[[], datetime]) -> None:
    delivery, webhook = attempt.delivery, attempt.webhook
    headers = signed_headers(attempt.secret, delivery, clock())
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
