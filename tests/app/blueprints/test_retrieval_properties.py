"""Whatever is stored, deleted and filtered, a search returns all it can, and nothing else."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.ids import DATA_SOURCE, new_id
from app.models.data_source import insert_data_source
from app.schemas_retrieval import FilterValue
from indexing.engine_index import Source, searched_text
from indexing.types import Passage
from tests.app.models.rows import data_source
from tests.client import Client

MOST = 20  # what a larger top_k counts as

WORDS = ("rent", "house", "march", "the", "owner", "pays")
QUERIES = ("rent march", "owner pays the rent", "zebra", "the", "?", "rent house march the owner")

# Few, so that many of the filters find something.
values = st.sampled_from([1, 1.0, "1", True, None])
some_values = values | st.lists(values, max_size=3)


@dataclass(frozen=True)
class Stored:
    """A data source as an example stores it."""

    notes: dict[str, Any]
    chunks: int
    vectors: int  # how many of its chunks have theirs already
    is_deleted: bool


@dataclass(frozen=True)
class Search:
    query: str
    top_k: int
    filter: dict[str, Any]
    in_one: int  # the data source that is searched alone; there may be none of this number


stored = st.builds(
    Stored,
    notes=st.fixed_dictionaries({"group": values}, optional={"year": some_values}),
    chunks=st.integers(1, 5) | st.integers(0, 70),
    vectors=st.integers(0, 140),
    is_deleted=st.sampled_from([False, False, False, True]),
)
searches = st.builds(
    Search,
    query=st.sampled_from(QUERIES),
    top_k=st.integers(1, 25),
    filter=st.fixed_dictionaries({}, optional={"group": some_values, "year": values}),
    in_one=st.integers(0, 40),
)


async def test_search_is_full_and_finds_nothing_else(client: Client) -> None:
    loop = asyncio.get_running_loop()

    @given(
        st.lists(stored, min_size=3, max_size=10),
        st.booleans(),
        st.lists(searches, min_size=4, max_size=8),
    )
    @settings(
        max_examples=40,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def follow(corpus: list[Stored], is_merged: bool, asked: list[Search]) -> None:
        check = check_history(client, corpus, asked, is_merged=is_merged)
        asyncio.run_coroutine_threadsafe(check, loop).result()

    await asyncio.to_thread(follow)


async def check_history(
    client: Client, corpus: list[Stored], asked: list[Search], *, is_merged: bool
) -> None:
    engine_id = await client.create_engine()
    ids = [await store(client, engine_id, one) for one in corpus]
    if is_merged:
        await client.services.indexes.merge_segments(engine_id)
    for data_source_id, one in zip(ids, corpus, strict=True):
        if one.is_deleted:
            await client.call("DELETE", f"/api/v1/data-sources/{data_source_id}")
    left = {
        data_source_id: one
        for data_source_id, one in zip(ids, corpus, strict=True)
        if not one.is_deleted
    }
    for search in asked:
        await check_search(client, engine_id, left, search)


async def check_search(
    client: Client, engine_id: str, left: Mapping[str, Stored], search: Search
) -> None:
    body = {"query": search.query, "top_k": search.top_k, "filter": search.filter}
    searched = dict(left)
    if search.in_one < len(left):
        body["data_source_id"] = alone = list(left)[search.in_one]
        searched = {alone: left[alone]}

    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", **body)

    eligible = {
        f"{data_source_id}_{number}"
        for data_source_id, one in searched.items()
        if fits(one.notes, search.filter)
        for number in range(one.chunks)
    }
    chunk_ids = [chunk["chunk_id"] for chunk in found["chunks"]]
    assert len(chunk_ids) == len(set(chunk_ids)) == min(search.top_k, MOST, len(eligible))
    assert set(chunk_ids) <= eligible


def fits(notes: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Tell what the database should tell, without one."""
    return all(
        any(same(notes.get(key), value) for value in (one if isinstance(one, list) else [one]))
        for key, one in wanted.items()
    )


def same(note: Any, value: FilterValue) -> bool:
    # To Python, true is 1.
    return isinstance(note, bool) == isinstance(value, bool) and note == value


async def store(client: Client, engine_id: str, one: Stored) -> str:
    """Store a data source with its chunks as the end of a reading does."""
    data_source_id = new_id(DATA_SOURCE)
    # Short, of few words: many are alike, and many have no word of a query.
    contents = [f"{WORDS[number % 6]} {WORDS[number % 4]}" for number in range(one.chunks)]
    passages = [Passage(number, 1, "", content) for number, content in enumerate(contents)]
    vectors = client.services.embedder.embed([searched_text("", one) for one in passages])
    known = [vector if number < one.vectors else None for number, vector in enumerate(vectors)]
    packed = await client.services.indexes.pack(
        Source(data_source_id, "a.txt", ""), list(zip(passages, known, strict=True))
    )
    async with client.services.database.transaction() as session:
        row = data_source(1, engine_id, 1, id=data_source_id, sha256=data_source_id)
        row.notes = one.notes
        await insert_data_source(session, row)
        connection = await session.connection()
        await client.services.indexes.insert(connection, engine_id, packed)
    return data_source_id
