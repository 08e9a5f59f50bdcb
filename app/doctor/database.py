"""The database, and what it knows of workers and documents."""

import time
from collections.abc import Callable, Iterator

import psycopg
from psycopg import Connection

from app.database import libpq_url
from app.doctor.engines import check_engines
from app.doctor.findings import Finding, ok, problem, warning
from app.embedded_postgres import DatabaseNotRunning
from app.jobs import STALLED_SECONDS
from app.key_commands import running_database
from app.schema_revisions import schema_revisions
from config.settings import InvalidSettings, Settings

OLDEST_SERVER = 15
OLDEST_PGVECTOR = (0, 8)
MOST_CONNECTIONS = 0.8
"""The share of a server's connections above which it gets tight."""

MOST_SKEW_SECONDS = 2.0
"""Sessions, links and the signs of life of workers are compared with the database's clock."""

STUCK_AFTER_HOURS = 1
_CONNECT_SECONDS = 5


def check_database(settings: Settings) -> Iterator[Finding]:
    """Look at the database that a service of these settings uses, if it runs."""
    try:
        address = libpq_url(running_database(settings))
        connection = psycopg.connect(address, connect_timeout=_CONNECT_SECONDS, autocommit=True)
    except DatabaseNotRunning:
        yield _not_running(settings)
        return
    except InvalidSettings as error:
        yield problem("database", str(error), "Set KE_DATABASE_URL as docs/settings.md shows.")
        return
    except psycopg.Error as error:
        advice = "See that it runs, and that KE_DATABASE_URL names it, with user and password."
        yield problem("database", f"cannot be reached: {_first_line(error)}", advice)
        return
    with connection:
        for check in CHECKS:
            yield check(connection)
        if _has_table(connection, "data_source"):
            yield check_workers(connection)
            yield check_stuck(connection)
            yield from check_engines(settings, connection)


def check_server(connection: Connection) -> Finding:
    """Compare the server's version with the oldest that does."""
    version = connection.info.server_version
    text = f"PostgreSQL {version // 10000}.{version % 10000}"
    if version // 10000 < OLDEST_SERVER:
        return problem("database", text, f"PostgreSQL {OLDEST_SERVER} or later is needed.")
    return ok("database", text)


def check_pgvector(connection: Connection) -> Finding:
    """Compare the version of pgvector with the oldest that does."""
    row = connection.execute(
        "SELECT installed_version, default_version FROM pg_available_extensions"
        " WHERE name = 'vector'"
    ).fetchone()
    if row is None:
        advice = "Install pgvector on the database's server (docs/how-to/own-postgresql.md)."
        return problem("pgvector", "is not installed", advice)
    version = row[0] or row[1]
    if _numbers(version) < OLDEST_PGVECTOR:
        wanted = ".".join(map(str, OLDEST_PGVECTOR))
        advice = f"Bring it to {wanted} or later: ALTER EXTENSION vector UPDATE."
        return problem("pgvector", f"version {version}", advice)
    return ok("pgvector", f"version {version}")


def check_schema(connection: Connection) -> Finding:
    """Compare the version of the tables with the newest that this program knows."""
    known = schema_revisions()
    if not _has_table(connection, "alembic_version"):
        return warning("tables", "are not made yet", "The first `ke serve` makes them.")
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    revision = row[0] if row else "none"
    if revision == known[-1]:
        return ok("tables", f"version {revision}, the newest")
    if revision in known:
        advice = "The next start of `ke serve` brings them up to date; back up first."
        return warning("tables", f"version {revision}, this program's is {known[-1]}", advice)
    advice = "Use the version of the service that made them, or a later one, for all processes."
    return problem("tables", f"version {revision}, which this program does not know", advice)


def check_connections(connection: Connection) -> Finding:
    """Compare how many connections there are with how many there may be."""
    row = connection.execute(
        "SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity"
        " WHERE backend_type = 'client backend'"
    ).fetchone()
    assert row is not None
    used, most = row
    text = f"{used} of {most} in use"
    if used > MOST_CONNECTIONS * most:
        advice = "Raise max_connections of the server, or lower KE_DATABASE_POOL_SIZE."
        return warning("connections", text, advice)
    return ok("connections", text)


def check_clock(connection: Connection) -> Finding:
    """Compare the database's clock with that of this machine."""
    before = time.time()
    row = connection.execute("SELECT extract(epoch FROM clock_timestamp())::float").fetchone()
    after = time.time()
    assert row is not None
    skew = max(before - row[0], row[0] - after, 0.0)
    text = f"{skew:.1f} s between this machine and the database"
    if skew > MOST_SKEW_SECONDS:
        return warning("clock", text, "Let a time service (NTP) set the clocks of both.")
    return ok("clock", text)


def check_workers(connection: Connection) -> Finding:
    """Count the workers that have said lately that they live."""
    row = connection.execute(
        "SELECT count(*) FROM procrastinate_workers"
        " WHERE last_heartbeat > now() - make_interval(secs => %s)",
        [STALLED_SECONDS],
    ).fetchone()
    assert row is not None
    if row[0] == 0:
        advice = "Nothing is read until one runs: start `ke serve` or `ke worker`."
        return warning("workers", "none was heard of lately", advice)
    return ok("workers", f"{row[0]} heard of in the last {STALLED_SECONDS:.0f} s")


def check_stuck(connection: Connection) -> Finding:
    """Count the documents that have waited for long."""
    row = connection.execute(
        "SELECT count(*), count(*) FILTER"
        " (WHERE created_at < now() - make_interval(hours => %s))"
        " FROM data_source WHERE status = 'processing'",
        [STUCK_AFTER_HOURS],
    ).fetchone()
    assert row is not None
    text = f"{row[0]} not read yet, {row[1]} of them for over an hour"
    if row[1]:
        advice = "See that workers run and what their log says; more workers read more at once."
        return warning("documents", text, advice)
    return ok("documents", text)


CHECKS: tuple[Callable[[Connection], Finding], ...] = (
    check_server,
    check_pgvector,
    check_schema,
    check_connections,
    check_clock,
)
"""What is asked of every database; the others need the tables."""


def _not_running(settings: Settings) -> Finding:
    if (settings.data_dir / "postgres").exists():
        text = f"the embedded one in {settings.data_dir} is stopped"
    else:
        text = f"there is none in {settings.data_dir} yet"
    return warning("database", text, "`ke serve` starts it; then ask again to have it looked at.")


def _has_table(connection: Connection, name: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [name]).fetchone()
    return bool(row and row[0])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
