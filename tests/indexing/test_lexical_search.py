import asyncio
import random
from functools import partial

import pytest
from psycopg.errors import UndefinedTable
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from indexing.lexical import create_tables, delete_segment, drop_tables
from indexing.lexical_merge import merge_segments
from indexing.lexical_search import LexicalSearch
from indexing.lexical_tables import lexical_tables
from tests.indexing.brute_force import brute_force_bm25, found_by
from tests.indexing.keyword_index import GUIDE, LEASE, Places, hits, insert, insert_texts, places
from tests.indexing.searching import searching


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

    expected = brute_force_bm25(corpus, query, 100)
    assert places(found) == places(expected)
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected])


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


async def test_chosen_data_sources_are_scored_by_the_whole_engine(database: AsyncEngine) -> None:
    for number in range(20):
        await insert(database, f"ds{number:02}", [f"rent {'and deposit ' * number}", "no match"])
    chosen = [f"ds{number:02}" for number in range(0, 20, 3)]

    everything = await hits(database, "rent deposit")
    some = await found_by(database, "e1", "rent deposit", 5, [*chosen, "other"])
    none = await found_by(database, "e1", "rent deposit", 5, [])

    assert some == [hit for hit in everything if hit.data_source_id in chosen][:5]
    assert len(some) == 5
    assert none == []


async def test_each_language_is_found_by_its_own_stems(database: AsyncEngine) -> None:
    german = "Die Kündigung des Mietvertrages muss der Mieter schriftlich an den Vermieter senden."
    french = "La résiliation du bail par le locataire se fait par une lettre au propriétaire."
    await insert(database, "english", ["The tenant sends notices of termination in writing."])
    await insert(database, "german", [german])

    assert places(await hits(database, "Kündigungen")) == [("german", 0)]
    assert places(await hits(database, "notice")) == [("english", 0)]

    await insert(database, "french", [french])

    assert places(await hits(database, "resiliations")) == [("french", 0)]


async def test_stop_word_of_one_language_is_a_word_of_another(database: AsyncEngine) -> None:
    await insert(database, "english", ["All the plants die when nobody waters them in summer."])
    await insert(database, "german", ["Die Miete ist fällig und wird von dem Mieter bezahlt."])

    assert places(await hits(database, "die")) == [("english", 0)]


async def test_searches_that_meet_a_language_at_once_all_find_it(database: AsyncEngine) -> None:
    await insert(database, "german", ["Die Kündigung des Mieters muss schriftlich erfolgen."])
    lexical_tables("e1").languages.clear()

    found = await asyncio.gather(*(hits(database, "Kündigungen") for _ in range(5)))

    assert [places(one) for one in found] == [[("german", 0)]] * 5


@pytest.mark.parametrize("whole", ["INV-2024-001", "1234.50", "1,234.50", "C++", "jo@x.org"])
async def test_identifiers_are_found_whole(database: AsyncEngine, whole: str) -> None:
    await insert(database, "other", ["INV 2024 2 and 1 234 5 in C or C# for al@x.org"])
    await insert(database, "own", ["Pay INV-2024-001 of 1.234,50 in C++ to jo@x.org."])

    assert places(await hits(database, whole, 1)) == [("own", 0)]


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


class Searching:
    """One search object, as a process has it, asked again and again."""

    def __init__(self, database: AsyncEngine) -> None:
        self._database = database
        self._search = LexicalSearch()

    async def places(self, query: str, data_source_ids: list[str] | None = None) -> Places:
        """Return what is found now."""
        search = partial(
            self._search.score,
            engine_id="e1",
            query=query,
            limit=100,
            data_source_ids=data_source_ids,
        )
        return places(list((await searching(self._database, search)).hits))


async def test_search_follows_what_is_stored_deleted_and_merged(database: AsyncEngine) -> None:
    process = Searching(database)
    for number in range(9):
        await insert(database, f"ds{number}", ["rent", "deposit"])
    assert await process.places("deposit") == [(f"ds{number}", 1) for number in range(9)]

    async with database.begin() as connection:
        assert await merge_segments(connection, "e1")
    assert await process.places("deposit") == [(f"ds{number}", 1) for number in range(9)]

    async with database.begin() as connection:
        await delete_segment(connection, "e1", "ds4")
        await insert_texts(connection, "e1", "new", ["No pets.", "A second deposit."])
    assert await process.places("deposit", ["ds3", "ds4", "new"]) == [("ds3", 1), ("new", 1)]
    assert len(await process.places("deposit")) == 9


async def test_segment_whose_number_comes_again_is_read_again(database: AsyncEngine) -> None:
    process = Searching(database)
    await insert(database, "lost", ["No pets.", "The rent."])
    assert await process.places("rent") == [("lost", 1)]

    # As after a failover that lost what was written last.
    async with database.begin() as connection:
        await drop_tables(connection, "e1")
        await create_tables(connection, "e1")
    await insert(database, "other", ["The rent."])

    assert await process.places("rent") == [("other", 0)]


async def until_waiting(connection: AsyncConnection, count: int) -> None:
    """Wait until so many wait for a lock of the database's."""
    waiting = text(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND database ="
        " (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    while (await connection.execute(waiting)).scalar_one() < count:
        pass


async def test_index_is_dropped_while_it_is_searched(database: AsyncEngine) -> None:
    process = Searching(database)
    await insert(database, "lease", LEASE)

    async def drop() -> None:
        async with database.begin() as connection:
            await drop_tables(connection, "e1")

    async with database.begin() as connection:
        await connection.execute(text("LOCK TABLE lexical_counts_e1"))
        search = asyncio.create_task(process.places("deposit"))
        await until_waiting(connection, 1)
        dropping = asyncio.create_task(drop())
        await until_waiting(connection, 2)

    await dropping
    with pytest.raises(UndefinedTable):  # It was prepared before, and runs after.
        await search


async def test_index_in_which_nothing_is_left_finds_nothing(database: AsyncEngine) -> None:
    process = Searching(database)
    assert await process.places("rent") == []
    await insert(database, "lease", LEASE)
    assert await process.places("rent")

    async with database.begin() as connection:
        await delete_segment(connection, "e1", "lease")

    assert await process.places("rent") == []
