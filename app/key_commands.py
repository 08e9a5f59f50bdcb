"""What `ke keys` and `ke console-link` do, beside a running service or without one."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from app.auth import REMEMBERED_SECONDS, issue_api_key
from app.console.welcome import new_sign_in_address
from app.data_dir_lock import DataDirInUse
from app.database import Database, migrate, sqlalchemy_url
from app.embedded_postgres import EmbeddedPostgres, attach
from app.models.account import insert_account, select_first_account
from app.models.api_key import ApiKey, select_api_keys, update_revoked
from config.settings import Settings

Result = TypeVar("Result")


def running_database(settings: Settings) -> str:
    """Return the address of the database that a service is using.

    Raises:
        DatabaseNotRunning: none is set, and no `ke serve` runs on the data directory.
    """
    return sqlalchemy_url(settings.database_url or attach(settings.data_dir))


def create_key(settings: Settings, name: str) -> str:
    """Make a key of the first account and return it."""

    async def create(session: AsyncSession) -> str:
        account = await select_first_account(session) or await insert_account(session, "default")
        return await issue_api_key(session, account, name)

    return _run(settings, create)


def create_sign_in_address(settings: Settings) -> str:
    """Make an address that signs the owner of the first account in, once, to set a password."""

    async def create(session: AsyncSession) -> str:
        account = await select_first_account(session) or await insert_account(session, "default")
        return await new_sign_in_address(session, account, settings.address)

    return _run(settings, create)


def describe_keys(settings: Settings) -> list[str]:
    """Return a line for each key."""
    return _each_key(
        settings,
        lambda key: (
            f"{key.id}\t{key.hint}…\t{key.name}\t{key.created_at:%Y-%m-%d %H:%M}\t"
            + (f"revoked {key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else "live")
        ),
    )


def keys_as_json(settings: Settings) -> str:
    """Return the same as JSON."""
    shown = {"id", "hint", "name", "created_at", "revoked_at", "last_used_at"}
    keys = _each_key(settings, lambda key: key.model_dump(mode="json", include=shown))
    return json.dumps(keys, indent=2)


def revoke_key(settings: Settings, number: int) -> bool:
    """Revoke a key; return False where there is no live one of that number.

    On return it is refused everywhere: no process remembers it any longer.
    """

    async def revoke(session: AsyncSession) -> bool:
        return await update_revoked(session, number)

    is_revoked = _run(settings, revoke)
    if is_revoked:
        time.sleep(REMEMBERED_SECONDS)
    return is_revoked


def _each_key(settings: Settings, describe: Callable[[ApiKey], Result]) -> list[Result]:
    async def describe_all(session: AsyncSession) -> list[Result]:
        return [describe(key) for key in await select_api_keys(session)]

    return _run(settings, describe_all)


def _run(settings: Settings, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    """Do one thing in one transaction."""

    async def run(url: str) -> Result:
        database = Database(url, pool_size=1)
        try:
            async with database.transaction() as session:
                return await work(session)
        finally:
            await database.close()

    with _any_database(settings) as url:
        return asyncio.run(run(url))


@contextmanager
def _any_database(settings: Settings) -> Iterator[str]:
    """Yield the running service's database, or start the embedded one for this moment."""
    if settings.database_url:
        url = sqlalchemy_url(settings.database_url)
        migrate(url)
        yield url
        return
    try:
        with EmbeddedPostgres.start(settings.data_dir) as postgres:
            migrate(postgres.sqlalchemy_url)
            yield postgres.sqlalchemy_url
    except DataDirInUse:
        yield running_database(settings)
