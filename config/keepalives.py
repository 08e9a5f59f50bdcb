"""How a process finds out that a PostgreSQL on another host has gone without a word."""

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
