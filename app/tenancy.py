"""The second wall between accounts: to a request PostgreSQL shows the rows of its account only.

The first one is in the statements (`app/access.py`, `app/models/`). Behind it, the connection that
a request uses acts as the role `ke_tenant`, for which the policies of migration 0011 hold. All else
(workers, upkeep, the look-up of keys) acts as the owner of the tables, for whom none does.
"""

import logging
from contextvars import ContextVar

import psycopg
from sqlalchemy import Connection, Engine, event, func, select, text
from sqlalchemy.exc import DisconnectionError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection
from sqlmodel.ext.asyncio.session import AsyncSession

_logger = logging.getLogger(__name__)

ROLE = "ke_tenant"

_account_id: ContextVar[int | None] = ContextVar("account_id", default=None)


def act_for(account_id: int | None) -> None:
    """Let this task, and those it starts from here on, see the rows of this account only.

    None stands for those of all accounts.
    """
    _account_id.set(account_id)


def keep_apart(engine: Engine) -> None:
    """Let each connection of the pool act for the account of who takes it.

    It goes on to do so when it is given back, so nothing is sent while it serves one account.
    """
    event.listen(engine, "checkout", _switch)


async def as_owner(session: AsyncSession) -> AsyncConnection:
    """Return the session's connection, which acts as the owner until the transaction ends.

    For what only an owner may do: to make tables, and to drop them.
    """
    connection = await session.connection()
    await connection.execute(select(func.set_config("role", "none", True)))
    return connection


def prepare_role(connection: Connection) -> None:
    """Make the role that requests act as, and open the tables to it, where that is still to do.

    A server that does not let us goes without the second wall; a warning says what to do.
    """
    try:
        with connection.begin_nested():
            for statement in (_MAKE_ROLE, _TRY_ROLE, _LEAVE_ROLE, _OPEN_TABLES):
                connection.execute(text(statement))
    except ProgrammingError as error:
        _logger.warning(
            "The database does not keep the accounts apart by itself as well (%s). An "
            "administrator of it may run: CREATE ROLE %s NOLOGIN; GRANT %s TO %s; and the next "
            "start does the rest",
            str(error.orig).partition("\n")[0],
            ROLE,
            ROLE,
            connection.engine.url.username,
        )


def _switch(
    connection: psycopg.Connection, record: ConnectionPoolEntry, _: PoolProxiedConnection
) -> None:
    account_id = _account_id.get()
    if record.info.get("account_id") == account_id:
        return
    # Inside a transaction it would be undone where that fails.
    connection.autocommit = True
    try:
        connection.execute(_SWITCH, {"account_id": "" if account_id is None else str(account_id)})
    except psycopg.OperationalError as error:
        raise DisconnectionError from error  # The pool takes another one.
    connection.autocommit = False
    record.info["account_id"] = account_id


# Where the role cannot be used, the owner goes on.
_SWITCH = f"""
    SELECT set_config('ke.account_id', %(account_id)s, false),
           set_config('role', coalesce((
               SELECT rolname FROM pg_roles
               WHERE rolname = '{ROLE}' AND %(account_id)s <> ''
                 AND pg_has_role(session_user, oid, 'MEMBER')
                 AND has_table_privilege(oid, 'knowledge_engine', 'DELETE')
           ), 'none'), false)
"""

# Roles belong to a server, which may have several databases of ours.
_MAKE_ROLE = f"""
    DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') THEN
            CREATE ROLE {ROLE} NOLOGIN;
            GRANT {ROLE} TO CURRENT_USER;
        END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- Another database has made it at the same moment.
    END $$
"""
_TRY_ROLE = f"SET LOCAL ROLE {ROLE}"
_LEAVE_ROLE = "SET LOCAL ROLE NONE"

# The tables of each engine are opened as they are made, by the default privileges.
_OPEN_TABLES = f"""
    DO $$ DECLARE
        opened record;
    BEGIN
        IF has_table_privilege('{ROLE}', 'knowledge_engine', 'DELETE') THEN
            RETURN;
        END IF;
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO {ROLE}', current_schema());
        FOR opened IN
            SELECT oid::regclass AS name, relkind = 'S' AS is_sequence FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'S')
              AND pg_has_role(relowner, 'USAGE')
        LOOP
            IF opened.is_sequence THEN
                EXECUTE format('GRANT USAGE ON SEQUENCE %s TO {ROLE}', opened.name);
            ELSE
                EXECUTE format(
                    'GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO {ROLE}', opened.name
                );
            END IF;
        END LOOP;
        EXECUTE format(
            'ALTER DEFAULT PRIVILEGES IN SCHEMA %I
             GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {ROLE}', current_schema()
        );
        EXECUTE format(
            'ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT USAGE ON SEQUENCES TO {ROLE}',
            current_schema()
        );
    END $$
"""
