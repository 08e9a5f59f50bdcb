import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from indexing.lexical import create_tables
from indexing.lexical_tables import lexical_tables, lock_segments, try_lock_segments


def test_tables_are_described_once() -> None:
    assert lexical_tables("kng_1") is lexical_tables("kng_1")


def test_names_of_the_longest_engine_id_are_not_cut() -> None:
    tables = lexical_tables("a" * 40)
    names = [f"{table}_pkey" for table in tables.metadata.tables]
    names += [str(index.name) for index in tables.runs.indexes]
    names.append(tables.segment_ids.name)

    assert max(map(len, names)) <= 63


@pytest.mark.parametrize("engine_id", ["", "E1", "a-b", "a" * 41])
def test_engine_id_that_names_no_table_is_refused(engine_id: str) -> None:
    with pytest.raises(ValueError, match="cannot be part of a table's name"):
        lexical_tables(engine_id)


async def test_span_of_a_segment_that_is_not_counted_is_refused(database_url: str) -> None:
    database = create_async_engine(database_url, poolclass=NullPool)
    span = "INSERT INTO lexical_spans_e1 VALUES ('ds', 0, 1, 'english', 0, 3, 30)"
    async with database.begin() as connection:
        await create_tables(connection, "e1")

        with pytest.raises(IntegrityError, match="lexical_counts_e1"):
            await connection.execute(text(span))
    await database.dispose()


async def test_one_at_a_time_changes_the_segments_of_an_engine(database_url: str) -> None:
    database = create_async_engine(database_url, poolclass=NullPool)
    async with database.begin() as first, database.begin() as second:
        await lock_segments(first, "e1")

        assert not await try_lock_segments(second, "e1")
        assert await try_lock_segments(second, "e2")

        await first.commit()
        assert await try_lock_segments(second, "e1")
    await database.dispose()
