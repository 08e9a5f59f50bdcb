"""Console sessions: browsers that are signed in. Deleting a row signs its browser out at once."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, delete
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import Account
from app.models.columns import created_at_field


class ConsoleSession(SQLModel, table=True):
    """A browser that is signed in."""

    __tablename__ = "console_session"

    digest: bytes = Field(primary_key=True)  # SHA-256 of the id in the browser's cookie
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    created_at: datetime = created_at_field()
    expires_at: datetime = Field(sa_type=DateTime(timezone=True), nullable=False)


async def insert_console_session(session: AsyncSession, row: ConsoleSession) -> None:
    """Store a new session; those of all accounts that have expired go."""
    await session.exec(
        delete(ConsoleSession).where(col(ConsoleSession.expires_at) < datetime.now(UTC))
    )
    session.add(row)
    await session.flush()


async def select_session_account(session: AsyncSession, digest: bytes) -> Account | None:
    """Return the account that a session is signed in to, or None."""
    statement = (
        select(Account)
        .join(ConsoleSession, col(ConsoleSession.account_id) == Account.id)
        .where(ConsoleSession.digest == digest, col(ConsoleSession.expires_at) > datetime.now(UTC))
    )
    return (await session.exec(statement)).first()


async def delete_console_session(session: AsyncSession, digest: bytes) -> None:
    """Sign one browser out."""
    await session.exec(delete(ConsoleSession).where(col(ConsoleSession.digest) == digest))


async def delete_console_sessions(session: AsyncSession, account_id: int) -> None:
    """Sign every browser of an account out."""
    await session.exec(delete(ConsoleSession).where(col(ConsoleSession.account_id) == account_id))
