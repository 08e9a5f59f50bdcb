from collections.abc import AsyncIterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from app.services import Services
from indexing.lexical import create_tables
from indexing.vector_store import EngineVectorStore
from tests.indexing.engine_tables import ENGINE, node


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[AsyncEngine]:
    """A database with the empty keyword index of the engine `e1`."""
    database = create_async_engine(database_url, poolclass=NullPool)
    async with database.begin() as connection:
        await create_tables(connection, "e1")
    yield database
    await database.dispose()


@pytest.fixture
async def store(services: Services) -> EngineVectorStore:
    """The table of an engine, with two chunks of one data source and one of another."""
    store = EngineVectorStore.of_engine(ENGINE, services.database.engine, 3)
    async with services.database.engine.begin() as connection:
        await store.create(connection)
        await store.insert(connection, [node("ds_1", 0, 1), node("ds_1", 1, 2), node("ds_2", 0, 3)])
    return store
