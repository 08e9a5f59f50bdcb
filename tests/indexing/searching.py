"""Searching as the service does, on a connection of its own."""

from collections.abc import Callable
from typing import TypeVar

import psycopg
from sqlalchemy.ext.asyncio import AsyncEngine

from indexing.engine_index import libpq_url
from indexing.search_connections import SearchConnections

T = TypeVar("T")


async def searching(database: AsyncEngine, search: Callable[[psycopg.Connection], T]) -> T:
    """Return what a search finds of what is committed."""
    connections = SearchConnections(libpq_url(database), 1)
    try:
        return await connections.run(search)
    finally:
        await connections.close()
