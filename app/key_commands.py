"""What `ke keys` and `ke console-link` do, beside a running service or without one."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.api_keys import REMEMBERED_SECONDS, issue_api_key, key_hint
from app.audit import Actor, record
from app.console.welcome import new_sign_in_address
from app.data_dir_lock import DataDirInUse
from app.database import Database, lock_first_account, migrate, sqlalchemy_url
from app.embedded_postgres import EmbeddedPostgres, attach
from app.models.account import Account, insert_account, select_first_account
from app.models.api_key import ApiKey, select_api_keys, update_revoked
from app.models.audit_entry import Action, ActorKind
from app.models.knowledge_engine import select_knowledge_engine
from app.scopes import Scope
from config.errors import InvalidId, ServingFailed
from config.settings import Settings

Result = TypeVar("Result")


def running_database(settings: Settings) -> str:
    """Return the address of the database that a service is using.

    Raises:
        DatabaseNotRunning: none is set, and no `ke serve` runs on the data directory.
    """
    return sqlalchemy_url(settings.database_url or attach(settings.data_dir))


def create_key(
    settings: Settings, name: str, scope: Scope = Scope.ADMIN, engine_id: str | None = None
) -> str:
    """Make a key of the first account, or of one engine of it, and return it.

    Raises:
        ServingFailed: the account has no such engine.
    """

    async def create(session: AsyncSession) -> str:
        account = await _first_account(session)
        engine = engine_id and await _find_engine(session, account, engine_id)
        key = await issue_api_key(session, account, name, scope=scope, engine_id=engine)
        await record(session, Action.KEY_CREATED, key_hint(key), by=_command_line(account))
        return key

    return _run(settings, create)


def create_sign_in_address(settings: Settings) -> str:
    """Make an address that signs the owner of the first account in, once, to set a password."""

    async def create(session: AsyncSession) -> str:
        account = await _first_account(session)
        await record(session, Action.SIGN_IN_LINK_CREATED, by=_command_line(account))
        return await new_sign_in_address(session, account, settings.address)

    return _run(settings, create)


def describe_keys(settings: Settings) -> list[str]:
    """Return a line for each key."""
    return _each_key(
        settings,
        lambda key: (
            f"{key.id}\t{key.hint}…\t{key.name}\t{key.created_at:%Y-%m-%d %H:%M}\t"
            + (f"revoked {key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else "live")
            + f"\t{key.scope}\t{key.knowledge_engine_id or 'all engines'}"
        ),
    )


def keys_as_json(settings: Settings) -> str:
    """Return the same as JSON."""
    shown = {"id", "hint", "name", "scope", "knowledge_engine_id"}
    shown |= {"created_at", "revoked_at", "last_used_at"}
    keys = _each_key(settings, lambda key: key.model_dump(mode="json", include=shown))
    return json.dumps(keys, indent=2)


def revoke_key(settings: Settings, number: int) -> bool:
    """Revoke a key; return False where there is no live one of that number.

    On return it is refused everywhere: no process remembers it any longer.
    """

    async def revoke(session: AsyncSession) -> bool:
        key = await update_revoked(session, number)
        if key is not None:
            by = Actor(key.account_id, ActorKind.COMMAND_LINE)
            await record(session, Action.KEY_REVOKED, key.hint, by=by)
        return key is not None

    is_revoked = _run(settings, revoke)
    if is_revoked:
        time.sleep(REMEMBERED_SECONDS)
    return is_revoked


async def _first_account(session: AsyncSession) -> Account:
    await lock_first_account(session)
    return await select_first_account(session) or await insert_account(session, "default")


async def _find_engine(session: AsyncSession, account: Account, given_id: str) -> str:
    assert account.id is not None
    try:
        engine_id = ids.parse_id(ids.KNOWLEDGE_ENGINE, given_id)
    except InvalidId as error:
        raise ServingFailed(error.message) from error
    if await select_knowledge_engine(session, account.id, engine_id) is None:
        raise ServingFailed(f"The first account has no knowledge engine {engine_id}.")
    return engine_id


def _command_line(account: Account) -> Actor:
    assert account.id is not None
    return Actor(account.id, ActorKind.COMMAND_LINE)


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
