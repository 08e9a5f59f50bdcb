"""A cursor of psycopg's own on a connection of SQLAlchemy's."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from pgvector.psycopg import register_vector_async
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection


@asynccontextmanager
async def driver_cursor(connection: AsyncConnection) -> AsyncIterator[psycopg.AsyncCursor]:
    """Yield a cursor of psycopg's own, for what SQLAlchemy does not speak: COPY, and vectors.

    What it raises comes as SQLAlchemy's errors, so that callers need to know one kind only.
    """
    pooled = await connection.get_raw_connection()
    driver = pooled.driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)
    try:
        if not pooled.info.get("knows_vectors"):
            await register_vector_async(driver)
            pooled.info["knows_vectors"] = True
        async with driver.cursor() as cursor:
            yield cursor
    except psycopg.Error as error:
        raise DBAPIError.instance(None, None, error, psycopg.Error) from error
