import asyncio
import math
import random
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from indexing.lexical import (
    LexicalHit,
    create_tables,
    delete_segment,
    drop_tables,
    insert_segment,
    score,
)
from indexing.terms import terms

LEASE = ["The rent is due in March.", "The deposit is three months of rent.", "Pets are welcome."]
GUIDE = ["Water the plants in March.", "Cut the roses in March and in April."]


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[AsyncEngine]:
    database = create_async_engine(database_url, poolclass=NullPool)
    async with database.begin() as connection:
        await create_tables(connection, "e1")
    yield database
    await database.dispose()


async def insert(database: AsyncEngine, data_source_id: str, texts: list[str]) -> None:
    async with database.begin() as connection:
        await insert_segment(connection, "e1", data_source_id, texts)


async def hits(
    database: AsyncEngine, query: str, limit: int = 100, data_source_id: str | None = None
) -> list[LexicalHit]:
    async with database.connect() as connection:
        return await score(connection, "e1", query, limit, data_source_id)


def places(found: list[LexicalHit]) -> list[tuple[str, int]]:
    return [(hit.data_source_id, hit.position) for hit in found]


def brute_force_bm25(corpus: dict[str, list[str]], query: str) -> dict[tuple[str, int], float]:
    """Score every chunk by the formula as it is written in the books."""
    chunks = {
        (data_source_id, position): terms(text)
        for data_source_id, texts in corpus.items()
        for position, text in enumerate(texts)
    }
    average_length = sum(map(len, chunks.values())) / len(chunks)
    scores = dict.fromkeys(chunks, 0.0)
    for term in terms(query):
        holders = sum(term in chunk for chunk in chunks.values())
        idf = math.log(1 + (len(chunks) - holders + 0.5) / (holders + 0.5))
        for place, chunk in chunks.items():
            frequency = Counter(chunk)[term]
            norm = 1.2 * (1 - 0.75 + 0.75 * len(chunk) / average_length)
            scores[place] += idf * frequency / (frequency + norm)
    return {place: score for place, score in scores.items() if score > 0}


@pytest.mark.parametrize("seed", range(4))
async def test_scores_are_those_of_brute_force(database: AsyncEngine, seed: int) -> None:
    chance = random.Random(seed)
    words = [f"word{number}" for number in range(30)]
    corpus = {
        f"ds{number}": [
            " ".join(chance.choices(words, k=chance.randint(0, 40)))
            for _ in range(chance.randint(1, 20))
        ]
        for number in range(8)
    }
    for data_source_id, texts in corpus.items():
        await insert(database, data_source_id, texts)
    query = " ".join(chance.choices([*words, "unknown"], k=5))

    found = await hits(database, query)

    expected = brute_force_bm25(corpus, query)
    scores = {(hit.data_source_id, hit.position): hit.score for hit in found}
    assert scores == pytest.approx(expected)
    assert [hit.score for hit in found] == sorted(scores.values(), reverse=True)


async def test_limit_keeps_the_best(database: AsyncEngine) -> None:
    await insert(database, "lease", LEASE)
    await insert(database, "guide", GUIDE)

    everything = await hits(database, "rent in March")

    assert len(everything) == 4
    for limit in (1, 2, 3, 4, 5):
        assert await hits(database, "rent in March", limit) == everything[:limit]


async def test_equal_scores_come_by_data_source_and_position(database: AsyncEngine) -> None:
    for data_source_id in ("b", "c", "a"):
        await insert(database, data_source_id, ["the same text", "the same text"])

    found = await hits(database, "same text", 5)

    assert places(found) == [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("c", 0)]


async def test_one_data_source_is_scored_by_the_whole_engine(database: AsyncEngine) -> None:
    await insert(database, "lease", LEASE)
    await insert(database, "guide", GUIDE)

    everything = await hits(database, "rent in March")
    lease = await hits(database, "rent in March", data_source_id="lease")

    assert lease == [hit for hit in everything if hit.data_source_id == "lease"]
    assert await hits(database, "rent in March", data_source_id="other") == []


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
        await insert_segment(connection, "e1", "lease", ["No pets."])

    assert places(await hits(database, "pets rent")) == [("lease", 0)]


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("", id="empty"),
        pytest.param("what is it?", id="stop words only"),
        pytest.param("helicopter", id="unknown word"),
        pytest.param("'; drop table lexical_postings_e1; --", id="SQL"),
        pytest.param("\0", id="NUL"),
    ],
)
async def test_query_without_known_terms_finds_nothing(database: AsyncEngine, query: str) -> None:
    await insert(database, "lease", LEASE)

    assert await hits(database, query) == []


@pytest.mark.parametrize("texts", [[], ["", "..."], ["a\0b \ud800 c'd %s :x"]])
async def test_any_text_can_be_stored(database: AsyncEngine, texts: list[str]) -> None:
    await insert(database, "odd", texts)
    await insert(database, "lease", LEASE)

    assert places(await hits(database, "deposit")) == [("lease", 1)]


async def test_engines_do_not_mix(database: AsyncEngine) -> None:
    await insert(database, "lease", LEASE)
    async with database.begin() as connection:
        await create_tables(connection, "e2")
        await insert_segment(connection, "e2", "lease", ["A helicopter."])

    async with database.begin() as connection:
        found = await score(connection, "e2", "rent helicopter", 10)
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
                await insert_segment(connection, "e1", "ds", ["rent and deposit"] * (5 + number))

    writer = asyncio.create_task(write())
    while not writer.done():
        counts.add(len(await hits(database, "rent deposit")))
    await writer

    assert counts <= {0, *range(5, 15)}
    assert len(counts) > 1


async def test_rolled_back_segment_was_never_there(database: AsyncEngine) -> None:
    async with database.connect() as connection:
        await insert_segment(connection, "e1", "lease", LEASE)
        await connection.rollback()

    assert await hits(database, "rent") == []
