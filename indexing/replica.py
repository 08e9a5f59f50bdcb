"""A streaming replica that takes searches from the primary, and never shows less than it would.

Before each search the primary is asked how far its log of changes has come, which costs it next to
nothing, and the replica whether it has replayed as much. What any process was told to be stored or
deleted, before the search began, lies before that place; so the search sees it. A replica that is
behind, away or of another history is not asked, and the primary answers.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import psycopg
from psycopg.rows import args_row

from indexing.thread_connections import ThreadConnections

CONNECT_SECONDS = 2
"""How long the replica may take to answer a new connection; libpq allows no less."""

REST_SECONDS = 5.0
"""How long a replica that failed is left alone, for each try may cost its time."""

T = TypeVar("T")

_logger = logging.getLogger(__name__)


class ReplicaBehind(Exception):
    """The replica cannot show what the primary can; or it rests."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a history of changes."""

    timeline: int  # a new one begins when a replica becomes the primary
    lsn: str


class Replica:
    """The replica that `KE_DATABASE_READ_URL` names, for the threads that search."""

    def __init__(self, url: str) -> None:
        self._connections = ThreadConnections(url, CONNECT_SECONDS)
        self._rests_until = 0.0

    def run(self, search: Callable[[psycopg.Connection], T], primary: ThreadConnections) -> T:
        """Return what a search finds on the replica.

        Raises:
            ReplicaBehind: the primary has to be asked.
            psycopg.Error: the primary is away; or the search is refused, as the primary would.
        """
        if time.monotonic() < self._rests_until:
            raise ReplicaBehind
        needed = primary.run(current_position)

        def search_if_up_to_date(connection: psycopg.Connection) -> T:
            if not has_replayed(connection, needed):
                raise ReplicaBehind
            return search(connection)

        try:
            return self._connections.run(search_if_up_to_date)
        except psycopg.OperationalError as error:
            self._rests_until = time.monotonic() + REST_SECONDS
            _logger.warning("The replica does not answer: %s", type(error).__name__)
            raise ReplicaBehind from error

    def close(self) -> None:
        """Give the connections back."""
        self._connections.close()


def current_position(primary: psycopg.Connection) -> Position:
    """Return the place behind everything that was acknowledged until now."""
    # A commit is acknowledged when it is on disk, unless the server is told not to wait for that.
    # The first eight digits of a log file's name are its timeline.
    statement = """
        SELECT ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int, lsn::text
        FROM (SELECT CASE current_setting('synchronous_commit')
                     WHEN 'off' THEN pg_current_wal_insert_lsn()
                     ELSE pg_current_wal_flush_lsn() END) AS place (lsn)
    """
    with primary.cursor(row_factory=args_row(Position)) as cursor:
        position = cursor.execute(statement).fetchone()
    assert position is not None
    return position


def has_replayed(replica: psycopg.Connection, needed: Position) -> bool:
    """Tell whether a server replays this history, and has come as far as this place of it.

    Of a server that was cut off when another became the primary, the place alone says nothing.
    """
    statement = """
        SELECT pg_is_in_recovery() AND timeline_id = %s AND pg_last_wal_replay_lsn() >= %s::pg_lsn
        FROM pg_control_checkpoint()
    """
    row = replica.execute(statement, (needed.timeline, needed.lsn)).fetchone()
    return row is not None and row[0] is True
