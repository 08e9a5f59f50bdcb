"""What all processes of one service must keep secret together; it is made once, by the first."""

import secrets

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Field, SQLModel, select
from sqlmodel.ext.asyncio.session import AsyncSession


class ServiceSecret(SQLModel, table=True):
    """A random value with a name."""

    __tablename__ = "service_secret"

    name: str = Field(primary_key=True)
    value: str


async def get_or_insert_secret(session: AsyncSession, name: str) -> str:
    """Return the secret of this name; who asks first makes it."""
    made = insert(ServiceSecret).values(name=name, value=secrets.token_hex(32))
    await session.exec(made.on_conflict_do_nothing())
    statement = select(ServiceSecret.value).where(ServiceSecret.name == name)
    return (await session.exec(statement)).one()
