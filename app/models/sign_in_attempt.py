"""Sign-in attempts that have not succeeded, counted in the database for all processes together."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import delete, func, text
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field

# Any number: it only has to be the same in every process.
_LOCK = 7_163_520_015


class SignInAttempt(SQLModel, table=True):
    """An attempt from one source: an address, or anywhere at one account."""

    __tablename__ = "sign_in_attempt"

    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(index=True)
    created_at: datetime = created_at_field()


async def lock_sign_in_attempts(session: AsyncSession) -> None:
    """Wait until no other transaction counts attempts; the lock goes with the transaction."""
    await session.exec(text("SELECT pg_advisory_xact_lock(:key)"), params={"key": _LOCK})  # type: ignore[call-overload]  # It takes text as well.


async def select_attempt_counts(
    session: AsyncSession, sources: Sequence[str], after: datetime
) -> dict[str, int]:
    """Return how many attempts each source has made after a moment; none is left out."""
    statement = (
        select(SignInAttempt.source, func.count())
        .where(col(SignInAttempt.source).in_(sources), col(SignInAttempt.created_at) > after)
        .group_by(col(SignInAttempt.source))
    )
    return dict((await session.exec(statement)).all())


async def insert_attempts(session: AsyncSession, sources: Sequence[str]) -> list[int]:
    """Store an attempt for each source, and return their numbers."""
    rows = [SignInAttempt(source=source, created_at=datetime.now(UTC)) for source in sources]
    session.add_all(rows)
    await session.flush()
    return [row.id for row in rows if row.id is not None]


async def delete_attempts(session: AsyncSession, numbers: Sequence[int]) -> None:
    """Forget attempts that have succeeded."""
    await session.exec(delete(SignInAttempt).where(col(SignInAttempt.id).in_(numbers)))


async def delete_old_attempts(session: AsyncSession, before: datetime) -> None:
    """Forget what no longer counts."""
    await session.exec(delete(SignInAttempt).where(col(SignInAttempt.created_at) < before))
