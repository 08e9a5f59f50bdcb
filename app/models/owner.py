"""Owners: who signs in to the console for an account, by password."""

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Field, SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession


class Owner(SQLModel, table=True):
    """The one person that an account belongs to."""

    __tablename__ = "owner"

    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", primary_key=True)
    password_hash: str  # Argon2, with its parameters and salt


async def select_password_hash(session: AsyncSession, account_id: int) -> str | None:
    """Return the hash of the owner's password, or None while there is none."""
    owner = await session.get(Owner, account_id)
    return owner.password_hash if owner else None


async def upsert_password_hash(session: AsyncSession, account_id: int, password_hash: str) -> None:
    """Give the owner of an account this password."""
    statement = insert(Owner).values(account_id=account_id, password_hash=password_hash)
    await session.exec(
        statement.on_conflict_do_update(
            index_elements=["account_id"], set_={"password_hash": password_hash}
        )
    )
