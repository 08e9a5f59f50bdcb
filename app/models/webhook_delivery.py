"""Deliveries: what a webhook is to be told, written in the transaction in which it came true.

So nothing that has happened goes untold, and nothing is told that was rolled back. A delivery is
made in attempts. What is stored of an attempt says which it is, so one that was taken for dead
and has been followed by another changes nothing more.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from sqlalchemy import DateTime, Index, delete, text, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.models.columns import created_at_field
from app.models.page_of_rows import PageRequest, one_page
from app.models.webhook import Event, Webhook, select_receivers


class DeliveryStatus(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class WebhookDelivery(SQLModel, table=True):
    """An event for one webhook; it goes with the webhook."""

    __tablename__ = "webhook_delivery"
    __table_args__ = (
        Index("webhook_delivery_newest", "webhook_id", "created_at", "id"),
        Index(
            "webhook_delivery_due", "next_attempt_at", postgresql_where=text("status = 'pending'")
        ),
    )

    id: str = Field(primary_key=True)
    webhook_id: str = Field(foreign_key="webhook.id", ondelete="CASCADE")
    event: str
    payload: str  # letter for letter what is sent: a signature is over bytes
    status: str = DeliveryStatus.PENDING
    attempts: int = 0  # since it was first due, or replayed
    last_status_code: int | None = None
    last_error: str | None = None
    last_attempt_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    # Null when it is over.
    next_attempt_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    created_at: datetime = created_at_field()


@dataclass(frozen=True, slots=True)
class Attempted:
    """What an attempt has come to, and when the next is due."""

    status: DeliveryStatus
    status_code: int | None
    error: str | None
    next_attempt_at: datetime | None


async def insert_deliveries(session: AsyncSession, event: Event) -> None:
    """Note for each webhook that wants to know that something has happened; due at once."""
    receivers = await select_receivers(session, event)
    now = datetime.now(UTC)
    payload = {
        "type": event.type,
        "timestamp": now.isoformat(),
        "data": {"knowledge_engine_id": event.knowledge_engine_id, **event.data},
    }
    session.add_all(
        WebhookDelivery(
            id=ids.new_id(ids.WEBHOOK_DELIVERY),
            webhook_id=webhook_id,
            event=event.type,
            payload=json.dumps(payload, ensure_ascii=False),
            next_attempt_at=now,
            created_at=now,
        )
        for webhook_id in receivers
    )
    await session.flush()


async def select_delivery_to_replay(
    session: AsyncSession, webhook_id: str, delivery_id: str
) -> WebhookDelivery | None:
    """Return and lock the delivery of this webhook, or None."""
    statement = (
        select(WebhookDelivery)
        .where(WebhookDelivery.id == delivery_id, WebhookDelivery.webhook_id == webhook_id)
        .with_for_update(key_share=True)
    )
    return (await session.exec(statement)).first()


async def select_deliveries(
    session: AsyncSession, webhook_id: str, page: PageRequest
) -> list[WebhookDelivery]:
    """Return the deliveries of a webhook, in the order the page asks for."""
    statement = select(WebhookDelivery).where(WebhookDelivery.webhook_id == webhook_id)
    return list((await session.exec(one_page(statement, WebhookDelivery, page))).all())


async def begin_attempt(
    session: AsyncSession, now: datetime, lease: timedelta, busy: Collection[str] = ()
) -> WebhookDelivery | None:
    """Begin an attempt at the delivery that is due for longest and return it; None where none is.

    Where nothing is heard of an attempt for as long as the lease, the delivery is due again. What
    waits for a webhook that is disabled, or one of the busy ones, goes on waiting.
    """
    due = (
        select(WebhookDelivery.id)
        .join(Webhook, col(Webhook.id) == col(WebhookDelivery.webhook_id))
        .where(
            WebhookDelivery.status == DeliveryStatus.PENDING,
            col(WebhookDelivery.next_attempt_at) <= now,
            ~col(Webhook.disabled),
            col(Webhook.id).not_in(busy),
        )
        .order_by(col(WebhookDelivery.next_attempt_at))
        .limit(1)
        .with_for_update(skip_locked=True, of=WebhookDelivery)
        .cte("due")
    )
    statement = (
        update(WebhookDelivery)
        .where(col(WebhookDelivery.id) == due.c.id)
        .values(
            attempts=WebhookDelivery.attempts + 1,
            last_attempt_at=now,
            next_attempt_at=now + lease,
        )
        .returning(WebhookDelivery)
    )
    return (await session.exec(statement)).scalars().first()


async def update_attempted(
    session: AsyncSession, delivery: WebhookDelivery, attempted: Attempted
) -> None:
    """Store what an attempt has come to, unless the delivery was taken up or replayed since."""
    statement = (
        update(WebhookDelivery)
        .where(
            col(WebhookDelivery.id) == delivery.id,
            col(WebhookDelivery.status) == DeliveryStatus.PENDING,
            col(WebhookDelivery.attempts) == delivery.attempts,
        )
        .values(
            status=attempted.status,
            last_status_code=attempted.status_code,
            last_error=attempted.error,
            next_attempt_at=attempted.next_attempt_at,
        )
    )
    await session.exec(statement)


async def replay(session: AsyncSession, delivery: WebhookDelivery, now: datetime) -> None:
    """Make a delivery due at once, with all its attempts before it."""
    delivery.status = DeliveryStatus.PENDING
    delivery.attempts = 0
    delivery.next_attempt_at = now
    await session.flush()


async def delete_old_deliveries(session: AsyncSession, before: datetime) -> None:
    """Forget the deliveries of events that are older."""
    await session.exec(delete(WebhookDelivery).where(col(WebhookDelivery.created_at) < before))
