"""Sign-in links: each lets its reader into the console once, and sets a password."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, delete
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession


class SignInLink(SQLModel, table=True):
    """A link that has not been used."""

    __tablename__ = "sign_in_link"

    digest: bytes = Field(primary_key=True)  # SHA-256 of the token in the address
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    expires_at: datetime = Field(sa_type=DateTime(timezone=True), nullable=False)


async def insert_sign_in_link(session: AsyncSession, link: SignInLink) -> None:
    """Store a new link; those that have expired go."""
    await session.exec(delete(SignInLink).where(col(SignInLink.expires_at) < datetime.now(UTC)))
    session.add(link)
    await session.flush()


async def select_sign_in_link(session: AsyncSession, digest: bytes) -> SignInLink | None:
    """Return the link if it can still be used, or None."""
    statement = select(SignInLink).where(
        SignInLink.digest == digest, col(SignInLink.expires_at) > datetime.now(UTC)
    )
    return (await session.exec(statement)).first()


async def delete_sign_in_link(session: AsyncSession, digest: bytes) -> int | None:
    """Use a link up and return its account; None where it cannot be used (any longer)."""
    statement = (
        delete(SignInLink)
        .where(col(SignInLink.digest) == digest, col(SignInLink.expires_at) > datetime.now(UTC))
        .returning(col(SignInLink.account_id))
    )
    row = (await session.exec(statement)).first()
    return row[0] if row else None
