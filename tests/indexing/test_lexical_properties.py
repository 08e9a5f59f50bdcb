"""Whatever is stored, merged, deleted and asked, the search equals BM25 by brute force."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from indexing.engine_index import libpq_url
from indexing.lexical import (
    create_tables,
    delete_segment,
    drop_tables,
)
from indexing.lexical_merge import merge_segments
from indexing.lexical_search import LexicalHit, LexicalSearch
from tests.indexing.brute_force import brute_force_bm25, brute_force_fits, found_by
from tests.indexing.keyword_index import insert_texts

ENGLISH = [
    *("the", "rent", "of", "this", "house", "is", "due", "and", "tenants", "have", "to", "pay"),
    *("the", "owner", "in", "March"),
]
GERMAN = [
    *("die", "Miete", "für", "dieses", "Haus", "ist", "fällig", "und", "der", "Mieter", "muss"),
    *("sie", "im", "März", "an", "ihn", "zahlen"),
]
QUERIES = ("rent March", "Miete März", "house Haus pay zahlen", "the die tenants Mieters", "rent")

words = st.sampled_from(ENGLISH) | st.sampled_from(GERMAN)
chunks = st.lists(words, max_size=12).map(" ".join)
documents = st.lists(chunks, max_size=6)
queries = st.lists(words, max_size=5).map(" ".join)


class Index(RuleBasedStateMachine):
    """A keyword index beside the texts that should be in it."""

    url: str
    data_sources = Bundle("data_sources")

    def __init__(self) -> None:
        super().__init__()
        self.corpus: dict[str, list[str]] = {}
        self.loop = asyncio.new_event_loop()
        self.database = create_async_engine(self.url)
        self.search_by_words = LexicalSearch()  # The same for all: it remembers.
        self.connection = psycopg.connect(libpq_url(self.database), autocommit=True)

    def teardown(self) -> None:
        self.connection.close()
        self.do(drop_tables)
        self.loop.run_until_complete(self.database.dispose())
        self.loop.close()

    def do(self, work: Callable[..., Awaitable[Any]], *arguments: object) -> Any:
        """Do a piece of work in a transaction of its own."""

        async def in_transaction() -> Any:
            async with self.database.begin() as connection:
                return await work(connection, "e1", *arguments)

        return self.loop.run_until_complete(in_transaction())

    @initialize()
    def create(self) -> None:
        self.do(create_tables)
        self.insert_many([["rent", "tenants"]] * 8)

    @rule(target=data_sources, texts=documents, language=st.sampled_from([ENGLISH, GERMAN]))
    def insert(self, texts: list[str], language: list[str]) -> str:
        data_source_id = f"ds{len(self.corpus)}-{random.getrandbits(32)}"
        self.corpus[data_source_id] = [" ".join(language), *texts]
        self.do(insert_texts, data_source_id, self.corpus[data_source_id])
        return data_source_id

    @rule(texts=st.lists(documents, min_size=8, max_size=10))
    def insert_many(self, texts: list[list[str]]) -> None:
        for one in texts:
            self.insert(one, ENGLISH)

    @rule(data_source_id=consumes(data_sources))
    def delete(self, data_source_id: str) -> None:
        del self.corpus[data_source_id]
        self.do(delete_segment, data_source_id)

    @rule()
    def merge(self) -> None:
        while self.do(merge_segments):
            pass

    @rule(query=queries, limit=st.integers(1, 20))
    def search(self, query: str, limit: int) -> None:
        self.check(query, limit, None)

    @rule(query=queries, limit=st.integers(1, 20), chance=st.randoms())
    def search_some(self, query: str, limit: int, chance: random.Random) -> None:
        wanted = [one for one in self.corpus if chance.random() < 0.4]
        self.check(query, limit, [*wanted, "unknown"])

    @invariant()
    def finds_everything(self) -> None:
        self.check("rent Miete", 1_000, None)

    @invariant()
    def judges_documents(self) -> None:
        fits = self.search_by_words.score(self.connection, "e1", "rent Miete", 10).fits
        expected = brute_force_fits(self.corpus, "rent Miete")
        assert {one: fit for one, fit in fits.items() if fit} == pytest.approx(
            {one: fit for one, fit in expected.items() if fit}
        )

    @invariant()
    def finds_half(self) -> None:
        self.check("rent Miete", 1_000, list(self.corpus)[::2])

    def check(self, query: str, limit: int, data_source_ids: list[str] | None) -> None:
        found = self.search_by_words.score(
            self.connection, "e1", query, limit, data_source_ids
        ).hits
        assert_same(found, brute_force_bm25(self.corpus, query, limit, data_source_ids))


def assert_same(found: Sequence[LexicalHit], expected: list[LexicalHit]) -> None:
    assert [(hit.data_source_id, hit.position) for hit in found] == [
        (hit.data_source_id, hit.position) for hit in expected
    ]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected])


def test_any_history_scores_as_brute_force(database_url: str) -> None:
    class HereIndex(Index):
        url = database_url

    run_state_machine_as_test(
        HereIndex,
        settings=settings(
            max_examples=15,
            stateful_step_count=12,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


async def test_all_at_once_ends_as_brute_force(database_url: str) -> None:
    database = create_async_engine(database_url)
    async with database.begin() as connection:
        await create_tables(connection, "e1")
    corpus: dict[str, list[str]] = {}

    workers = [asyncio.create_task(ingest_and_delete(database, corpus, seed)) for seed in range(3)]
    merger = asyncio.create_task(merge_until(database, workers))
    while not merger.done():
        # The first chunk of every data source has all words, so none may be missing or twice.
        due = {one for one in corpus if one.endswith("stays")}
        hits = await search(database, "rent Miete", 10_000)
        places = [(hit.data_source_id, hit.position) for hit in hits]
        assert len(places) == len(set(places))
        assert {one for one, _ in places} >= due
    await asyncio.gather(*workers, merger)

    for query in QUERIES:
        assert_same(await search(database, query, 50), brute_force_bm25(corpus, query, 50))
    await database.dispose()


async def ingest_and_delete(database: AsyncEngine, corpus: dict[str, list[str]], seed: int) -> None:
    chance = random.Random(seed)
    for number in range(30):
        data_source_id = f"ds{seed}-{number}{'stays' if chance.random() < 0.6 else ''}"
        language = chance.choice([ENGLISH, GERMAN])
        texts = [" ".join([*language, "rent", "Miete"])]
        texts += [" ".join(chance.choices(language, k=8)) for _ in range(chance.randint(0, 5))]
        async with database.begin() as connection:
            await insert_texts(connection, "e1", data_source_id, texts)
        corpus[data_source_id] = texts
        leaving = [one for one in corpus if one.startswith(f"ds{seed}-") and one[-1] != "s"]
        if len(leaving) > 3:
            del corpus[leaving[0]]
            async with database.begin() as connection:
                await delete_segment(connection, "e1", leaving[0])


async def merge_until(database: AsyncEngine, workers: list[asyncio.Task[None]]) -> None:
    while not all(worker.done() for worker in workers):
        async with database.begin() as connection:
            await merge_segments(connection, "e1")


async def search(database: AsyncEngine, query: str, limit: int) -> list[LexicalHit]:
    return await found_by(database, "e1", query, limit)
