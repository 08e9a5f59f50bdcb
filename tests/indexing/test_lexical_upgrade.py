import asyncio
from collections.abc import AsyncIterator

import numpy as np
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from indexing.lexical import create_tables, delete_segment
from indexing.lexical_upgrade import upgrade_tables
from indexing.terms import terms
from tests.indexing.brute_force import found_by
from tests.indexing.keyword_index import insert_texts

LEASE = ["The rent is due in March.", "The deposit is three months of rent.", "Pets are welcome."]


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[AsyncEngine]:
    """A database with the engine `old`, made by version 0.1, that holds the lease and no text."""
    database = create_async_engine(database_url, poolclass=NullPool)
    async with database.begin() as connection:
        for statement in (
            "CREATE TABLE lexical_segments_old (data_source_id text PRIMARY KEY,"
            " chunk_count integer NOT NULL, token_count bigint NOT NULL, lengths bytea NOT NULL)",
            'CREATE TABLE lexical_postings_old (term text COLLATE "C", data_source_id text,'
            " postings bytea NOT NULL, PRIMARY KEY (term, data_source_id))",
            "CREATE INDEX lexical_sources_old ON lexical_postings_old (data_source_id)",
            "INSERT INTO lexical_segments_old VALUES ('empty', 0, 0, '')",
        ):
            await connection.execute(text(statement))
        lengths = np.array([len(terms(chunk)) for chunk in LEASE], "<u4")
        await connection.execute(
            text("INSERT INTO lexical_segments_old VALUES ('lease', 3, :tokens, :lengths)"),
            {"tokens": int(lengths.sum()), "lengths": lengths.tobytes()},
        )
        for term in {term for chunk in LEASE for term in terms(chunk)}:
            counts = [(at, terms(chunk).count(term)) for at, chunk in enumerate(LEASE)]
            held = np.array([one for one in counts if one[1]], [("p", "<u4"), ("f", "<u2")])
            await connection.execute(
                text("INSERT INTO lexical_postings_old VALUES (:term, 'lease', :postings)"),
                {"term": term, "postings": held.tobytes()},
            )
    yield database
    await database.dispose()


async def test_old_engine_scores_as_a_new_one(database: AsyncEngine) -> None:
    await upgrade_tables(database)

    async with database.begin() as connection:
        await create_tables(connection, "new")
        await insert_texts(connection, "new", "lease", LEASE)
    for query in ("rent in March", "pets", "deposit of the rent"):
        upgraded = await found_by(database, "old", query, 10)
        assert upgraded == await found_by(database, "new", query, 10)
        assert upgraded


async def test_old_engine_takes_and_forgets_data_sources(database: AsyncEngine) -> None:
    await upgrade_tables(database)

    async with database.begin() as connection:
        await insert_texts(connection, "old", "guide", ["Water the plants in March."])
        await delete_segment(connection, "old", "lease")
    found = await found_by(database, "old", "rent in March", 10)

    assert [hit.data_source_id for hit in found] == ["guide"]


async def test_nothing_of_the_old_tables_is_left(database: AsyncEngine) -> None:
    await upgrade_tables(database)

    async with database.connect() as connection:
        old = text("SELECT relname FROM pg_class WHERE relname ~ '^lexical_(segments|postings)_'")
        assert (await connection.execute(old)).all() == []


async def test_processes_that_start_at_once_upgrade_once(database: AsyncEngine) -> None:
    await asyncio.gather(*(upgrade_tables(database) for _ in range(3)))

    assert len(await found_by(database, "old", "rent", 10)) == 2
