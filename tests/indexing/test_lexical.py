import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from indexing.lexical import create_tables, delete_segment, drop_tables
from indexing.postings import LARGEST_SEGMENT, TERMS_AT_ONCE
from tests.indexing.brute_force import found_by
from tests.indexing.keyword_index import GUIDE, LEASE, hits, insert, insert_texts, places


async def test_large_data_source_spans_several_segments(database: AsyncEngine) -> None:
    texts = [f"word{number}" for number in range(LARGEST_SEGMENT + 2)]
    await insert(database, "large", texts)

    assert places(await hits(database, f"word{LARGEST_SEGMENT + 1}")) == [
        ("large", LARGEST_SEGMENT + 1)
    ]
    async with database.begin() as connection:
        await delete_segment(connection, "e1", "large")
    assert await hits(database, "word5") == []


async def test_data_source_cannot_be_stored_twice(database: AsyncEngine) -> None:
    await insert(database, "lease", LEASE)

    with pytest.raises(IntegrityError):
        await insert(database, "lease", LEASE)


async def test_deleted_segment_leaves_no_trace(database: AsyncEngine) -> None:
    await insert(database, "lease", LEASE)
    before = await hits(database, "rent in March")
    await insert(database, "guide", GUIDE)

    async with database.begin() as connection:
        await delete_segment(connection, "e1", "guide")

    assert await hits(database, "rent in March") == before


async def test_segment_can_be_replaced_in_one_transaction(database: AsyncEngine) -> None:
    await insert(database, "lease", LEASE)

    async with database.begin() as connection:
        await delete_segment(connection, "e1", "lease")
        await insert_texts(connection, "e1", "lease", ["No pets."])

    assert places(await hits(database, "pets rent")) == [("lease", 0)]


async def test_any_number_of_words_can_be_stored(database: AsyncEngine) -> None:
    words = [f"w{number}" for number in range(2 * TERMS_AT_ONCE + 1)]
    await insert(database, "words", [" ".join(words)])

    for word in (words[0], words[TERMS_AT_ONCE], words[-1]):
        assert places(await hits(database, word)) == [("words", 0)]


@pytest.mark.parametrize("texts", [[], ["", "..."], ["a\0b \ud800 c'd %s :x"]])
async def test_any_text_can_be_stored(database: AsyncEngine, texts: list[str]) -> None:
    await insert(database, "odd", texts)
    await insert(database, "lease", LEASE)

    assert places(await hits(database, "deposit")) == [("lease", 1)]


async def test_engines_do_not_mix(database: AsyncEngine) -> None:
    await insert(database, "lease", LEASE)
    async with database.begin() as connection:
        await create_tables(connection, "e2")
        await insert_texts(connection, "e2", "lease", ["A helicopter."])

    found = await found_by(database, "e2", "rent helicopter", 10)
    async with database.begin() as connection:
        await drop_tables(connection, "e2")

    assert places(found) == [("lease", 0)]
    assert places(await hits(database, "rent helicopter", 1)) == [("lease", 0)]


async def test_tables_are_created_and_dropped_as_often_as_asked(database: AsyncEngine) -> None:
    async with database.begin() as connection:
        await create_tables(connection, "e1")
        await drop_tables(connection, "e1")
        await drop_tables(connection, "e1")

        statement = text("select count(*) from pg_class where relname like 'lexical%'")
        assert (await connection.execute(statement)).scalar() == 0


@pytest.mark.parametrize("engine_id", ["", "E1", "a-b", 'x"y', "e1\n", "a" * 41])
async def test_engine_id_that_names_no_table_is_refused(
    database: AsyncEngine, engine_id: str
) -> None:
    async with database.begin() as connection:
        with pytest.raises(ValueError, match="cannot be part of a table's name"):
            await create_tables(connection, engine_id)


async def test_readers_see_all_of_a_segment_or_nothing(database: AsyncEngine) -> None:
    counts = set()

    async def write() -> None:
        for number in range(10):
            async with database.begin() as connection:
                await delete_segment(connection, "e1", "ds")
                await insert_texts(connection, "e1", "ds", ["rent and deposit"] * (5 + number))

    writer = asyncio.create_task(write())
    while not writer.done():
        counts.add(len(await hits(database, "rent deposit")))
    await writer

    assert counts <= {0, *range(5, 15)}
    assert len(counts) > 1


async def test_rolled_back_segment_was_never_there(database: AsyncEngine) -> None:
    async with database.connect() as connection:
        await insert_texts(connection, "e1", "lease", LEASE)
        await connection.rollback()

    assert await hits(database, "rent") == []
