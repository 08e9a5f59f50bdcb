from collections.abc import AsyncIterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from indexing.lexical import create_tables


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[AsyncEngine]:
    """A database with the empty keyword index of the engine `e1`."""
    database = create_async_engine(database_url, poolclass=NullPool)
    async with database.begin() as connection:
        await create_tables(connection, "e1")
    yield database
    await database.dispose()
