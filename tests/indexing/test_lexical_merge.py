from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from indexing.lexical import create_tables, delete_segment
from indexing.lexical_merge import LARGEST_MERGED, choose, merge_segments
from indexing.lexical_search import LexicalHit
from indexing.lexical_tables import lock_segments
from tests.indexing.brute_force import found_by
from tests.indexing.keyword_index import insert_texts

TEXTS = ["The rent is due in March.", "The deposit is three months of rent.", "Pets are welcome."]


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[AsyncEngine]:
    """A database with an engine of ten data sources of three chunks."""
    database = create_async_engine(database_url, poolclass=NullPool)
    async with database.begin() as connection:
        await create_tables(connection, "e1")
        for number in range(10):
            texts = [*TEXTS[:2], f"Pets are welcome, unique{'abcdefghij'[number]}."]
            await insert_texts(connection, "e1", f"ds{number}", texts)
    yield database
    await database.dispose()


async def merge(database: AsyncEngine) -> bool:
    async with database.begin() as connection:
        return await merge_segments(connection, "e1")


async def hits(database: AsyncEngine, query: str, *data_source_ids: str) -> list[LexicalHit]:
    return await found_by(database, "e1", query, 100, data_source_ids or None)


async def segment_count(database: AsyncEngine) -> int:
    async with database.connect() as connection:
        statement = text("SELECT count(DISTINCT segment_id) FROM lexical_runs_e1")
        return int((await connection.execute(statement)).scalar_one())


async def dump(connection: AsyncConnection) -> str:
    """Return all that stands in the tables of the engine, as text."""
    tables = text(
        "SELECT relname FROM pg_class WHERE relname ~ '^lexical_.*_e1$' AND relkind = 'r'"
    )
    content = []
    for table in (await connection.execute(tables)).scalars().all():
        rows = await connection.execute(text(f"SELECT t::text FROM {table} t"))
        content += [str(row) for row in rows.scalars()]
    return " ".join(content)


async def test_merging_changes_no_result(database: AsyncEngine) -> None:
    before = await hits(database, "rent of pets in March")
    before_of_two = await hits(database, "rent", "ds3", "ds7")

    assert await merge(database)

    assert await segment_count(database) == 1
    assert await hits(database, "rent of pets in March") == before
    assert await hits(database, "rent", "ds3", "ds7") == before_of_two
    assert len(before_of_two) == 4


async def test_few_segments_stay_as_they_are(database: AsyncEngine) -> None:
    assert await merge(database)
    assert not await merge(database)


async def test_deleting_leaves_no_trace_in_any_table(database: AsyncEngine) -> None:
    await merge(database)
    before = await hits(database, "rent of pets in March")

    async with database.begin() as connection:
        await insert_texts(connection, "e1", "secret", ["Xylophone in March"])
        await delete_segment(connection, "e1", "secret")
        await delete_segment(connection, "e1", "ds4")
        content = await dump(connection)
    assert "uniquea" in content
    assert all(word not in content for word in ("xylophon", "secret", "uniquee", "ds4"))
    after = await hits(database, "rent of pets in March")
    assert [(hit.data_source_id, hit.position) for hit in after] == [
        (hit.data_source_id, hit.position) for hit in before if hit.data_source_id != "ds4"
    ]


async def test_last_data_source_takes_its_merged_segment_along(database: AsyncEngine) -> None:
    await merge(database)

    async with database.begin() as connection:
        for number in range(10):
            await delete_segment(connection, "e1", f"ds{number}")

    assert await segment_count(database) == 0
    assert not await merge(database)


async def test_merged_segments_are_merged_again(database: AsyncEngine) -> None:
    before = await hits(database, "rent")
    await merge(database)
    async with database.begin() as connection:
        await delete_segment(connection, "e1", "ds0")
        for number in range(20, 60):
            await insert_texts(connection, "e1", f"ds{number}", ["Nothing of the kind."])

    while await merge(database):
        pass

    assert await segment_count(database) == 1
    assert len(await hits(database, "rent")) == len(before) - 2


async def test_merge_gives_way_to_a_deletion(database: AsyncEngine) -> None:
    async with database.begin() as deletion:
        await lock_segments(deletion, "e1")

        assert not await merge(database)


async def test_engine_that_is_gone_has_nothing_to_merge(database: AsyncEngine) -> None:
    async with database.begin() as connection:
        assert not await merge_segments(connection, "gone")


async def test_languages_are_merged_apart(database: AsyncEngine) -> None:
    german = ["Die Miete ist im März fällig und wird an den Vermieter überwiesen."]
    async with database.begin() as connection:
        for number in range(8):
            await insert_texts(connection, "e1", f"de{number}", german)

    while await merge(database):
        pass

    assert await segment_count(database) == 2
    assert len(await hits(database, "Mieten")) == 8


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param([5] * 7, [], id="too few"),
        pytest.param([5] * 8, [0, 1, 2, 3, 4, 5, 6, 7], id="eight of a size"),
        pytest.param([90, *[5] * 8], [1, 2, 3, 4, 5, 6, 7, 8], id="a large one waits"),
        pytest.param(
            [40, *[5] * 8], [1, 2, 3, 4, 5, 6, 7, 8, 0], id="until the others are as large"
        ),
        pytest.param([LARGEST_MERGED // 2] * 9, [], id="full ones stay"),
        pytest.param([LARGEST_MERGED // 2 - 1] * 3, [0, 1], id="two that fill one"),
        pytest.param([LARGEST_MERGED * 9, *[1] * 7], [], id="a large document is no small segment"),
    ],
)
def test_choice_of_segments(sizes: list[int], expected: list[int]) -> None:
    assert choose({"english": dict(enumerate(sizes))}) == expected


def test_no_more_than_fits_is_chosen() -> None:
    chosen = choose({"english": dict.fromkeys(range(100), LARGEST_MERGED // 10)})

    assert len(chosen) == 10
