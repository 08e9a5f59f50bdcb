"""The service's PostgreSQL: connections, transactions, and the migrations that run at start."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import sqlalchemy
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NotSupportedError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool
from sqlmodel.ext.asyncio.session import AsyncSession

from app.tenancy import keep_apart, prepare_role
from config.errors import ServingFailed
from config.keepalives import ASK_CLIENT, KEEPALIVES
from config.settings import InvalidSettings

_logger = logging.getLogger(__name__)

# Any number: it only has to be the same in every process that may migrate this database.
_MIGRATION_LOCK = 7_163_520_014
_FIRST_ACCOUNT_LOCK = 7_163_520_017

_LAST_LOOKS = 200
_LOOK_SECONDS = 0.01


class Database:
    """A pool of connections to one PostgreSQL database."""

    def __init__(self, url: str, pool_size: int) -> None:
        self.url = url
        self.engine = create_async_engine(
            url,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=30,
            # A connection that died with its server is replaced, not handed out.
            pool_pre_ping=True,
            connect_args={
                "connect_timeout": 10,
                "application_name": "knowledge-engine",
                **KEEPALIVES,
            },
        )
        sqlalchemy.event.listen(self.engine.sync_engine, "connect", _let_server_ask)
        keep_apart(self.engine.sync_engine)
        self._reads = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Yield a session whose statements each stand for themselves: half the round trips."""
        async with AsyncSession(self._reads, expire_on_commit=False) as session:
            yield session

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Yield a session whose changes are committed together at the end, or not at all."""
        async with AsyncSession(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    async def is_reachable(self) -> bool:
        """Tell whether the database answers."""
        try:
            async with self.engine.connect() as connection:
                await connection.execute(sqlalchemy.text("SELECT 1"))
        except (SQLAlchemyError, OSError) as error:
            _logger.warning("The database does not answer: %s", error)
            return False
        return True

    async def close(self) -> None:
        """Give the connections back, also those whose work ends within a moment."""
        pool = self.engine.pool
        assert isinstance(pool, QueuePool)
        # One that comes back to a closed pool would stay open.
        for _ in range(_LAST_LOOKS):
            if not pool.checkedout():
                break
            await asyncio.sleep(_LOOK_SECONDS)
        else:
            _logger.warning("%s connections are still in use", pool.checkedout())
        await self.engine.dispose()


async def lock_first_account(session: AsyncSession) -> None:
    """Let processes that start at once look for the first account one after the other.

    Without it each would find none, and make its own. The lock ends with the transaction.
    """
    lock = sqlalchemy.text("SELECT pg_advisory_xact_lock(:key)")
    await (await session.connection()).execute(lock, {"key": _FIRST_ACCOUNT_LOCK})


def sqlalchemy_url(url: str, setting: str = "KE_DATABASE_URL") -> str:
    """Return the address of a PostgreSQL with the driver that this service uses.

    Raises:
        InvalidSettings: it is no address of a PostgreSQL; the message names the setting.
    """
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError) as error:
        raise InvalidSettings(f"{setting}: not of the form postgresql://…") from error
    if parsed.get_backend_name() != "postgresql":
        raise InvalidSettings(f"{setting}: only PostgreSQL can be used, with pgvector")
    return parsed.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


def libpq_url(url: str) -> str:
    """Return the same address for libraries that speak to libpq directly."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def migrate(url: str) -> None:
    """Bring the tables to the newest version; processes that start at once wait for each other.

    Raises:
        ServingFailed: the database cannot be reached, lacks the vector extension, or is newer.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "models" / "migrations"))
    engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool)
    sqlalchemy.event.listen(engine, "connect", _let_server_ask)
    try:
        with engine.begin() as connection:
            lock = sqlalchemy.text("SELECT pg_advisory_xact_lock(:key)")
            connection.execute(lock, {"key": _MIGRATION_LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            prepare_role(connection)
    except (OperationalError, NotSupportedError) as error:
        raise ServingFailed(f"The database cannot be used: {error.orig}") from error
    except CommandError as error:
        raise ServingFailed(f"The database is of a newer version than this: {error}") from error
    finally:
        engine.dispose()


def _let_server_ask(connection: psycopg.Connection, _: ConnectionPoolEntry) -> None:
    connection.execute(ASK_CLIENT, KEEPALIVES)
    connection.commit()  # It would be undone with its transaction.
