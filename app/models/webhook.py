"""Webhooks: where an account is told of what has finished."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Column, delete, func, or_, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field
from app.models.page_of_rows import PageRequest, one_page


class EventType(StrEnum):
    DATA_SOURCE_FINISHED = "data_source.finished"
    TOOL_RUN_FINISHED = "tool_run.finished"


@dataclass(frozen=True, slots=True)
class Event:
    """Something of an engine has come to its end."""

    type: EventType
    account_id: int
    knowledge_engine_id: str
    data: Mapping[str, str | None]  # what receivers are told of it, beside the engine


class Webhook(SQLModel, table=True):
    """An address that is told; one for a single engine goes with that engine."""

    __tablename__ = "webhook"

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    knowledge_engine_id: str | None = Field(
        default=None, foreign_key="knowledge_engine.id", ondelete="CASCADE", index=True
    )
    url: str
    events: list[str] = Field(sa_column=Column(JSONB, nullable=False))
    description: str = ""
    disabled: bool = False
    created_at: datetime = created_at_field()


async def select_webhook(
    session: AsyncSession, account_id: int, webhook_id: str, *, for_update: bool = False
) -> Webhook | None:
    """Return the webhook of this account, or None; `for_update` keeps others from it."""
    statement = select(Webhook).where(Webhook.id == webhook_id, Webhook.account_id == account_id)
    if for_update:
        statement = statement.with_for_update(key_share=True)
    return (await session.exec(statement)).first()


async def select_webhooks(
    session: AsyncSession, account_id: int, page: PageRequest
) -> list[Webhook]:
    """Return the webhooks of this account, oldest first."""
    statement = select(Webhook).where(Webhook.account_id == account_id)
    return list((await session.exec(one_page(statement, Webhook, page))).all())


async def count_webhooks(session: AsyncSession, account_id: int) -> int:
    """Return how many webhooks this account has."""
    statement = select(func.count()).where(col(Webhook.account_id) == account_id)
    return (await session.exec(statement)).one()


async def select_receivers(session: AsyncSession, event: Event) -> list[str]:
    """Return which webhooks are to be told; they are not deleted before the transaction ends."""
    statement = (
        select(Webhook.id)
        .where(
            Webhook.account_id == event.account_id,
            ~col(Webhook.disabled),
            col(Webhook.events).contains([event.type]),
            or_(
                col(Webhook.knowledge_engine_id).is_(None),
                col(Webhook.knowledge_engine_id) == event.knowledge_engine_id,
            ),
        )
        .with_for_update(read=True, key_share=True)
    )
    return list((await session.exec(statement)).all())


async def insert_webhook(session: AsyncSession, webhook: Webhook) -> None:
    """Store a new webhook."""
    session.add(webhook)
    await session.flush()


async def disable_webhook(session: AsyncSession, webhook_id: str) -> None:
    """Tell a webhook nothing more."""
    statement = update(Webhook).where(col(Webhook.id) == webhook_id).values(disabled=True)
    await session.exec(statement)


async def delete_webhook(session: AsyncSession, webhook: Webhook) -> None:
    """Delete a webhook with its deliveries."""
    await session.exec(delete(Webhook).where(col(Webhook.id) == webhook.id))
