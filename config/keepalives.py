"""How the service, and a PostgreSQL on another host, notice that the other has gone silently."""

KEEPALIVES: dict[str, int] = {
    # A silent connection is asked after 5 s whether it lives, and given up after three such times …
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    # … and so is one on which nothing that was sent has arrived for 10 s.
    "tcp_user_timeout": 10_000,  # milliseconds
}
"""Parameters of libpq for every connection: the system's own would wait for a quarter of an hour.

They concern TCP only, and no statement, however long it takes.
"""

ASK_CLIENT = """
    SELECT set_config('tcp_keepalives_idle', %(keepalives_idle)s::text, false),
           set_config('tcp_keepalives_interval', %(keepalives_interval)s::text, false),
           set_config('tcp_keepalives_count', %(keepalives_count)s::text, false),
           set_config('tcp_user_timeout', %(tcp_user_timeout)s::text, false)
"""
"""Lets the server ask its client in the same way: for a new connection, with `KEEPALIVES`.

A host that is cut off amid a transaction leaves it open in the server, with its locks: for hours,
by the system's own limits, in which nobody else could read its documents. It is a statement and no
parameter of the connection, for those a pooler may refuse.
"""
