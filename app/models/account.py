"""Accounts: each owns its engines, data sources, workflows and keys, and sees no other's."""

from datetime import datetime

from sqlalchemy import Column
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field


class Account(SQLModel, table=True):
    """An owner of everything else."""

    __tablename__ = "account"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    disabled_models: list[str] = Field(
        default_factory=list, sa_column=Column(JSONB, nullable=False, server_default="[]")
    )
    created_at: datetime = created_at_field()


async def select_first_account(session: AsyncSession) -> Account | None:
    """Return the oldest account, or None on a new database."""
    return (await session.exec(select(Account).order_by(col(Account.id)).limit(1))).first()


async def update_disabled(
    session: AsyncSession, account_id: int, model: str, *, is_disabled: bool
) -> Account:
    """Switch a model off for an account, or on again, and return the account."""
    account = await session.get_one(Account, account_id, with_for_update=True)
    others = [one for one in account.disabled_models if one != model]
    account.disabled_models = [*others, model] if is_disabled else others
    await session.flush()
    return account


async def insert_account(session: AsyncSession, name: str) -> Account:
    """Store a new account and give it its number."""
    account = Account(name=name)
    session.add(account)
    await session.flush()
    return account
