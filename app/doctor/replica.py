"""The replica that takes searches from the database, where there is one."""

from collections.abc import Iterator

import psycopg

from app.database import libpq_url, sqlalchemy_url
from app.doctor.findings import Finding, ok, problem, warning
from config.settings import InvalidSettings, Settings
from indexing.replica import CONNECT_SECONDS

_SETTING = "KE_DATABASE_READ_URL"

_STATE = """
SELECT pg_is_in_recovery(),
       EXISTS (SELECT FROM pg_stat_wal_receiver),
       coalesce(pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), 0)::bigint
"""


def check_replica(settings: Settings) -> Iterator[Finding]:
    """Look whether the server of `KE_DATABASE_READ_URL` follows a primary."""
    if not settings.database_read_url:
        return
    try:
        address = libpq_url(sqlalchemy_url(settings.database_read_url, _SETTING))
        with psycopg.connect(address, connect_timeout=CONNECT_SECONDS, autocommit=True) as replica:
            row = replica.execute(_STATE).fetchone()
    except InvalidSettings as error:
        yield problem("replica", str(error), f"Set {_SETTING} as docs/settings.md shows.")
        return
    except psycopg.Error as error:
        text = f"cannot be reached: {str(error).strip().partition(chr(10))[0]}"
        advice = (
            "Searches go to the primary. See that it runs, and that KE_DATABASE_READ_URL names it."
        )
        yield warning("replica", text, advice)
        return
    assert row is not None
    in_recovery, is_fed, behind = row
    if not in_recovery:
        advice = "Let KE_DATABASE_READ_URL name a streaming replica of KE_DATABASE_URL, or nothing."
        yield problem("replica", "is no replica: it takes changes itself", advice)
    elif not is_fed:
        advice = "Searches go to the primary. See primary_conninfo and the replica's log."
        yield warning("replica", "receives nothing from the primary", advice)
    else:
        yield ok("replica", f"follows the primary, {behind / 2**20:.1f} MB not replayed yet")
