import subprocess
import sys
from collections.abc import Sequence

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.database import Database
from app.services import Services
from config.errors import RetrievalFailed
from indexing.embedding import MiniLMEmbedder
from indexing.engine_index import EngineIndexes, Source, searched_text
from indexing.types import Passage
from tests.fakes import HashEmbedder

ENGINE = "kng_0123456789abcd"
LEASE = Source("ds_lease", "lease.pdf", "")
HANDBOOK = Source("ds_handbook", "handbook.docx", "")

SEARCH = """
import asyncio, sys
from app.database import Database
from config.errors import RetrievalFailed
from indexing.engine_index import EngineIndexes
from tests.fakes import HashEmbedder

async def search():
    database = Database("postgresql+psycopg://user:secret@127.0.0.1:1/nowhere", pool_size=1)
    try:
        await EngineIndexes(database.engine, HashEmbedder()).retrieve("kng_1", "rent", 5)
    except RetrievalFailed as error:
        print(error.message)
    print("tiktoken" in sys.modules)

asyncio.run(search())
"""
"""As a process that has loaded nothing yet; its database is away."""


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
        packed = await indexes.pack(LEASE, [(passage, vectors[0])])
        await indexes.insert(connection, ENGINE, packed)
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


def test_search_loads_the_tokens_of_no_other_model() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SEARCH], capture_output=True, text=True, timeout=120
    )

    assert ran.stdout == "Failed to retrieve documents: OperationalError\nFalse\n", ran.stderr


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


async def insert(
    services: Services, source: Source, contents: Sequence[str], page: int = 1
) -> None:
    passages = [Passage(number, page, "Clause", content) for number, content in enumerate(contents)]
    vectors = services.embedder.embed([searched_text(source.name, one) for one in passages])
    async with services.database.engine.begin() as connection:
        pairs = list(zip(passages, vectors, strict=True))
        packed = await services.indexes.pack(source, pairs)
        await services.indexes.insert(connection, ENGINE, packed)


async def fill(
    indexes: EngineIndexes, database: AsyncEngine, contents: list[str], embedder: MiniLMEmbedder
) -> None:
    passages = [Passage(number, 1, "", content) for number, content in enumerate(contents)]
    async with database.begin() as connection:
        pairs = list(zip(passages, embedder.embed(contents), strict=True))
        packed = await indexes.pack(Source("ds_1", "a.pdf", ""), pairs)
        await indexes.insert(connection, ENGINE, packed)
