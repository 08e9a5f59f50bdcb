"""Requests with an Idempotency-Key: who works on each, and whether it is answered.

An answer is put together again from what the request has made, whose ids follow from the seed. So
no row names what it has made, and nothing has to be erased here with it. What makes nothing keeps
its answer, tied to the engine it quotes. All times are the database's.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, DateTime, delete, false, func, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

KEPT = timedelta(hours=24)
"""How long a key stands for its request."""


def _moment_field() -> Any:
    column: Column[datetime] = Column(
        DateTime(timezone=True), nullable=False, server_default=func.now()
    )
    return Field(default_factory=lambda: datetime.now(UTC), sa_column=column)


class IdempotentRequest(SQLModel, table=True):
    """A request of an account with a key; the same key means another one on another route."""

    __tablename__ = "idempotent_request"

    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", primary_key=True)
    route: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    fingerprint: bytes  # SHA-256 of what was asked
    seed: bytes  # of the ids of all that it makes
    attempt: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    is_answered: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    answer: bytes | None = None  # as far as nothing else holds it
    knowledge_engine_id: str | None = Field(
        default=None, foreign_key="knowledge_engine.id", ondelete="CASCADE", index=True
    )
    # Until when the process that works on it counts as alive.
    held_until: datetime = _moment_field()
    created_at: datetime = _moment_field()


async def claim_request(
    session: AsyncSession, request: IdempotentRequest, time: timedelta
) -> IdempotentRequest | None:
    """Take a request for this long; None where it is answered, held by another, or another one.

    Returns:
        The row of it: the given one, or that of an attempt whose process is gone, as a new attempt.
    """
    values = request.model_dump(include={"account_id", "route", "key", "fingerprint", "seed"})
    new = insert(IdempotentRequest).values(**values, held_until=func.now() + time)
    statement = new.on_conflict_do_update(
        index_elements=["account_id", "route", "key"],
        set_={"attempt": IdempotentRequest.attempt + 1, "held_until": func.now() + time},
        where=(
            ~col(IdempotentRequest.is_answered)
            & (col(IdempotentRequest.held_until) <= func.now())
            & (col(IdempotentRequest.fingerprint) == request.fingerprint)
        ),
    ).returning(IdempotentRequest)
    return (await session.exec(statement)).scalars().first()


async def select_request(
    session: AsyncSession, request: IdempotentRequest
) -> IdempotentRequest | None:
    """Return what is stored of a request, or None."""
    statement = select(IdempotentRequest).where(_is_of_the_key(request))
    return (await session.exec(statement)).first()


async def hold_request(session: AsyncSession, request: IdempotentRequest, time: timedelta) -> None:
    """Say that this attempt is worked on for this long from now; no time lets go of it."""
    held = update(IdempotentRequest).where(_is_of_the_attempt(request))
    await session.exec(held.values(held_until=func.now() + time))


async def answer_request(
    session: AsyncSession,
    request: IdempotentRequest,
    answer: bytes | None = None,
    engine_id: str | None = None,
) -> None:
    """Note that a request is answered, and what of the answer is to be kept here."""
    answered = update(IdempotentRequest).where(_is_of_the_attempt(request))
    await session.exec(
        answered.values(is_answered=True, answer=answer, knowledge_engine_id=engine_id)
    )


async def delete_request(session: AsyncSession, request: IdempotentRequest) -> None:
    """Forget a request, unless another attempt at it has begun."""
    await session.exec(delete(IdempotentRequest).where(_is_of_the_attempt(request)))


async def delete_expired_request(session: AsyncSession, request: IdempotentRequest) -> None:
    """Forget the request of this key if it was kept for its time."""
    await session.exec(delete(IdempotentRequest).where(_is_of_the_key(request), _is_expired()))


async def delete_expired_requests(session: AsyncSession) -> None:
    """Forget the requests that were kept for their time."""
    await session.exec(delete(IdempotentRequest).where(_is_expired()))


async def delete_answers_of_engine(session: AsyncSession, engine_id: str) -> None:
    """Forget the requests whose kept answers quote an engine: they may be done again."""
    of_engine = col(IdempotentRequest.knowledge_engine_id) == engine_id
    await session.exec(delete(IdempotentRequest).where(of_engine))


def _is_of_the_key(request: IdempotentRequest) -> ColumnElement[bool]:
    return (
        (col(IdempotentRequest.account_id) == request.account_id)
        & (col(IdempotentRequest.route) == request.route)
        & (col(IdempotentRequest.key) == request.key)
    )


def _is_of_the_attempt(request: IdempotentRequest) -> ColumnElement[bool]:
    # The seed as well: the row may have been forgotten, and made anew by another request.
    return (
        _is_of_the_key(request)
        & (col(IdempotentRequest.seed) == request.seed)
        & (col(IdempotentRequest.attempt) == request.attempt)
    )


def _is_expired() -> ColumnElement[bool]:
    return col(IdempotentRequest.created_at) <= func.now() - KEPT
