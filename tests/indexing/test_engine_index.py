from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.database import Database
from app.services import Services
from config.errors import RetrievalFailed
from indexing.embedding import MiniLMEmbedder
from indexing.engine_index import (
    DENSE_WEIGHT,
    DOCUMENT_WEIGHT,
    EngineIndexes,
    Source,
    fuse,
    searched_text,
)
from indexing.lexical import LexicalHit, LexicalResult
from indexing.types import Chunk, Passage
from tests.fakes import HashEmbedder

ENGINE = "kng_0123456789abcd"
LEASE = Source("ds_lease", "lease.pdf", "")
HANDBOOK = Source("ds_handbook", "handbook.docx", "")


@pytest.fixture
async def indexes(services: Services) -> EngineIndexes:
    """The indexes of a database with one engine, which is empty."""
    async with services.database.engine.begin() as connection:
        await services.indexes.create(connection, ENGINE)
    return services.indexes


async def test_chunk_comes_back_as_it_was_stored(
    indexes: EngineIndexes, services: Services
) -> None:
    await insert(services, LEASE, ["The rent is 900.", "It ends in March."], page=7)

    (chunk,) = await indexes.retrieve(ENGINE, "rent", 1)

    assert (chunk.chunk_id, chunk.data_source_id) == ("ds_lease_0", "ds_lease")
    assert (chunk.filename, chunk.page_number) == ("lease.pdf", 7)
    assert (chunk.content, chunk.section) == ("The rent is 900.", "Clause")


async def test_best_chunk_comes_first_and_no_more_than_asked_for(
    indexes: EngineIndexes, services: Services
) -> None:
    await insert(services, LEASE, [f"Clause {number} of it." for number in range(30)])
    await insert(services, HANDBOOK, ["Invoices are paid within thirty days."])

    chunks = await indexes.retrieve(ENGINE, "when are invoices paid", 10)

    assert chunks[0].data_source_id == "ds_handbook"
    assert len(chunks) == 10
    assert [chunk.score for chunk in chunks] == sorted(
        (chunk.score for chunk in chunks), reverse=True
    )


async def test_chunks_are_joined_with_those_around_them(
    indexes: EngineIndexes, services: Services
) -> None:
    await insert(services, LEASE, ["The rent", "is 900", "a month.", "It ends in March."], page=7)
    await insert(services, HANDBOOK, ["Invoices are paid."])
    rent, invoices = await indexes.retrieve(ENGINE, "is 900 invoices", 2)

    passages = await indexes.join_neighbours(ENGINE, [rent, invoices])

    assert [one.content for one in passages] == ["The rent\nis 900\na month.", invoices.content]
    assert (passages[0].chunk_id, passages[0].page_number) == (rent.chunk_id, 7)


async def test_copies_of_a_text_come_behind_other_texts(
    indexes: EngineIndexes, services: Services
) -> None:
    copied = "The tenant pays the rent of the warehouse on the first day of each month"
    await insert(services, LEASE, [copied])
    await insert(services, HANDBOOK, [copied, "The rent of the flat is due in March."])

    chunks = await indexes.retrieve(ENGINE, "who pays the rent of the warehouse", 3)

    assert [one.content == copied for one in chunks] == [True, False, True]


async def test_one_data_source_can_be_searched_alone(
    indexes: EngineIndexes, services: Services
) -> None:
    await insert(services, LEASE, ["The rent is 900."])
    await insert(services, HANDBOOK, ["Invoices are paid."])

    chunks = await indexes.retrieve(ENGINE, "the rent is 900", 10, ["ds_handbook"])

    assert [chunk.data_source_id for chunk in chunks] == ["ds_handbook"]


async def test_deleted_data_source_is_not_found(indexes: EngineIndexes, services: Services) -> None:
    await insert(services, LEASE, ["The rent is 900."])
    await insert(services, HANDBOOK, ["Invoices are paid."])
    async with services.database.engine.begin() as connection:
        await indexes.delete(connection, ENGINE, "ds_lease")

    chunks = await indexes.retrieve(ENGINE, "rent", 10)

    assert [chunk.data_source_id for chunk in chunks] == ["ds_handbook"]


async def test_engines_do_not_see_each_other(indexes: EngineIndexes, services: Services) -> None:
    async with services.database.engine.begin() as connection:
        await indexes.create(connection, "kng_other00000000")
    await insert(services, LEASE, ["The rent is 900."])

    assert await indexes.retrieve("kng_other00000000", "rent", 10) == []


async def test_dropped_engine_leaves_no_table(indexes: EngineIndexes, services: Services) -> None:
    async with services.database.engine.begin() as connection:
        await indexes.drop(connection, ENGINE)
        found = await connection.execute(
            text("SELECT tablename FROM pg_tables WHERE tablename LIKE '%kng_%'")
        )

        assert found.all() == []


async def test_engine_may_be_made_again(indexes: EngineIndexes, services: Services) -> None:
    async with services.database.engine.begin() as connection:
        await indexes.drop(connection, ENGINE)
        await indexes.create(connection, ENGINE)

    assert await indexes.retrieve(ENGINE, "rent", 10) == []


async def test_transaction_that_is_rolled_back_leaves_no_chunk(
    indexes: EngineIndexes, services: Services
) -> None:
    async with services.database.engine.connect() as connection:
        vectors = services.embedder.embed(["The rent is 900."])
        passage = Passage(0, 1, "Clause", "The rent is 900.")
        await indexes.insert(connection, ENGINE, LEASE, [(passage, vectors[0])])
        await connection.rollback()

    assert await indexes.retrieve(ENGINE, "rent", 10) == []


async def test_missing_index_is_a_failed_search(services: Services) -> None:
    with pytest.raises(RetrievalFailed) as error:
        await services.indexes.retrieve("kng_gone000000000", "rent", 5)

    assert error.value.message == "Failed to retrieve documents: UndefinedTable"


async def test_database_that_is_away_is_a_failed_search() -> None:
    database = Database("postgresql+psycopg://user:secret@127.0.0.1:1/nowhere", pool_size=1)

    with pytest.raises(RetrievalFailed) as error:
        await EngineIndexes(database.engine, HashEmbedder()).retrieve(ENGINE, "rent", 5)

    assert error.value.message == "Failed to retrieve documents: OperationalError"


async def test_meaning_is_found_without_a_word_in_common(
    services: Services, embedder: MiniLMEmbedder
) -> None:
    indexes = EngineIndexes(services.database.engine, embedder)
    async with services.database.engine.begin() as connection:
        await indexes.create(connection, ENGINE)
    contents = ["The cat sleeps on the sofa.", "Payment is due every month.", "Gates close at ten."]
    await fill(indexes, services.database.engine, contents, embedder)

    chunks = await indexes.retrieve(ENGINE, "kitten resting", 3)
    await indexes.close()

    assert chunks[0].content == contents[0]


async def test_warm_up_loads_what_a_search_needs(services: Services) -> None:
    await services.indexes.warm_up()


@pytest.mark.parametrize(
    ("cosines", "lexical", "order"),
    [
        pytest.param([0.1, 0.9], {}, "ba", id="vectors alone"),
        pytest.param([0.5, 0.5], {"b": 2.0}, "ba", id="words decide between equals"),
        pytest.param([0.5, 0.9], {"a": 7.0, "b": 3.5}, "ba", id="both count"),
        pytest.param([0.5, 0.5], {}, "ab", id="ties by id"),
    ],
)
def test_both_legs_make_the_order(
    cosines: Sequence[float], lexical: dict[str, float], order: str
) -> None:
    chunks = [chunk(f"{name}_0", score) for name, score in zip("ab", cosines, strict=True)]

    assert (
        "".join(one.chunk_id[0] for one in fuse("rent", chunks, words_found(**lexical), 5)) == order
    )


def test_score_is_a_convex_combination() -> None:
    (first,) = fuse("rent", [chunk("a_0", 0.5)], words_found(a=3.0), 5)

    assert first.score == pytest.approx(DENSE_WEIGHT * 0.5 + (1 - DENSE_WEIGHT))


def test_document_that_fits_comes_before_its_equal() -> None:
    chunks = [replace(chunk(one, 0.5), data_source_id=one) for one in ("a", "b")]

    first, second = fuse("rent", chunks, LexicalResult(fits={"b": 0.8}), 5)

    assert first.data_source_id == "b"
    assert first.score - second.score == pytest.approx(DOCUMENT_WEIGHT * 0.8)


def test_chunk_without_a_vector_is_judged_by_its_words() -> None:
    first, _ = fuse("rent", [chunk("a_0", 0), chunk("b_0", 0.6)], words_found(a=3.0), 5)

    assert (first.chunk_id, first.score) == ("a_0", 1)


@pytest.mark.parametrize(
    ("query", "comes_first"),
    [
        pytest.param("Quarterly rent of 900", True, id="word for word"),
        pytest.param("quarterly  RENT, of 900!", True, id="whatever stands between"),
        pytest.param("rent of", False, id="too few words"),
        pytest.param("900 of rent quarterly", False, id="another order"),
        pytest.param("(quarterly rent", False, id="a bracket"),
        pytest.param("quarterly rent of 900 " * 16, False, id="too many words"),
    ],
)
def test_quoted_passage_comes_first(query: str, comes_first: bool) -> None:
    quoted = chunk("quoted", 0.1, "The quarterly rent (of 900) is due.")

    found = fuse(query, [chunk("near", 0.9), quoted], LexicalResult(), 5)

    assert (found[0].chunk_id == "quoted") is comes_first


@pytest.mark.parametrize(
    ("name", "place", "text_found"),
    [
        pytest.param("Lease", "Rent", "Lease > Rent\n900.", id="both"),
        pytest.param("", "Rent", "Rent\n900.", id="place"),
        pytest.param("Lease", "", "Lease\n900.", id="name"),
        pytest.param("", "", "900.", id="neither"),
    ],
)
def test_passage_is_found_by_its_document_and_place_too(
    name: str, place: str, text_found: str
) -> None:
    assert searched_text(name, Passage(0, 1, "Rent", "900.", place)) == text_found


def words_found(**scores: float) -> LexicalResult:
    """Return what keyword search found of the first chunks of data sources."""
    return LexicalResult([LexicalHit(one, 0, score) for one, score in scores.items()])


def chunk(chunk_id: str, score: float, content: str = "") -> Chunk:
    return Chunk(chunk_id, "ds", "lease.pdf", 1, content, score=score)


async def insert(
    services: Services, source: Source, contents: Sequence[str], page: int = 1
) -> None:
    passages = [Passage(number, page, "Clause", content) for number, content in enumerate(contents)]
    vectors = services.embedder.embed([searched_text(source.name, one) for one in passages])
    async with services.database.engine.begin() as connection:
        pairs = list(zip(passages, vectors, strict=True))
        await services.indexes.insert(connection, ENGINE, source, pairs)


async def fill(
    indexes: EngineIndexes, database: AsyncEngine, contents: list[str], embedder: MiniLMEmbedder
) -> None:
    passages = [Passage(number, 1, "", content) for number, content in enumerate(contents)]
    async with database.begin() as connection:
        pairs = list(zip(passages, embedder.embed(contents), strict=True))
        await indexes.insert(connection, ENGINE, Source("ds_1", "a.pdf", ""), pairs)
