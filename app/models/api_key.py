"""API keys: only their hashes are stored, and a revoked one opens nothing from that moment on."""

from datetime import UTC, datetime

from sqlalchemy import DateTime
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import Account
from app.models.columns import created_at_field


class ApiKey(SQLModel, table=True):
    """A key of an account."""

    __tablename__ = "api_key"

    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    name: str
    hint: str = Field(index=True)  # the key's first characters: to find its row, and to list it
    digest: bytes = Field(unique=True)  # SHA-256 of the whole key
    created_at: datetime = created_at_field()
    revoked_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))


async def select_live_keys(session: AsyncSession, hint: str) -> list[tuple[ApiKey, Account]]:
    """Return the keys that begin like this and are not revoked, with their accounts."""
    statement = (
        select(ApiKey, Account)
        .join(Account, col(Account.id) == ApiKey.account_id)
        .where(ApiKey.hint == hint, col(ApiKey.revoked_at).is_(None))
    )
    return list((await session.exec(statement)).all())


async def select_api_keys(session: AsyncSession) -> list[ApiKey]:
    """Return every key, oldest first."""
    return list((await session.exec(select(ApiKey).order_by(col(ApiKey.id)))).all())


async def insert_api_key(session: AsyncSession, api_key: ApiKey) -> None:
    """Store a new key."""
    session.add(api_key)
    await session.flush()


async def update_revoked(session: AsyncSession, key_id: int) -> bool:
    """Revoke a key; return False where there is no live key of that number."""
    api_key = await session.get(ApiKey, key_id)
    if api_key is None or api_key.revoked_at is not None:
        return False
    api_key.revoked_at = datetime.now(UTC)
    await session.flush()
    return True
