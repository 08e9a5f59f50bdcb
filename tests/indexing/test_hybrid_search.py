import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future

import pytest
from psycopg.errors import UndefinedFunction
from sqlalchemy import text

from app.services import Services
from indexing.chunk_search import ChunkSearch
from indexing.embedding import EmbedderAway, Vectors
from indexing.engine_index import libpq_url
from indexing.hybrid_search import HybridSearch, Question
from indexing.search_connections import SearchConnections
from indexing.types import Chunk
from indexing.vector_cache import VectorCache
from tests.indexing.engines_in_stores import delete, embed_all, insert

ENGINE = "kng_0123456789abcd"
TABLE = ChunkSearch(ENGINE, f"data_{ENGINE}", "embedding")
ROOMY = 2**20


class Searches:
    """Searches one engine, with room for its vectors in memory or without any."""

    def __init__(self, services: Services, room: int = ROOMY) -> None:
        self.cache = VectorCache(room, services.embedder.dimensions)
        self._services = services
        self._connections = SearchConnections(libpq_url(services.database.engine), 2)
        self._search = HybridSearch(self._connections, self.cache)

    async def ask(
        self, question: str, top_k: int = 5, data_source_ids: Sequence[str] | None = None
    ) -> list[Chunk]:
        embedding: Future[Vectors] = Future()
        embedding.set_result(self._services.embedder.embed([question])[0])
        return await self.ask_with(Question(question, embedding, top_k, data_source_ids))

    async def ask_with(self, asked: Question) -> list[Chunk]:
        milvus = self._services.indexes.milvus
        return await self._connections.run(
            lambda connection: self._search.search(connection, TABLE, milvus, asked)
        )

    async def read_into_memory(self) -> None:
        async with asyncio.timeout(10):
            while self.cache.get(ENGINE) is None:
                await self.ask("rent")
                await asyncio.sleep(0.01)

    async def close(self) -> None:
        await self._connections.close()


@pytest.fixture
async def services(services: Services) -> Services:
    """Services with one engine of two data sources, whose texts share many words."""
    chance = random.Random(7)
    words = ["rent", "roof", "gate", "lease", "guard", "lamp", "door", "key", "wall", "yard"]
    async with services.database.engine.begin() as connection:
        await services.indexes.create(connection, ENGINE)
    for data_source_id, count in (("ds_lease", 60), ("ds_guide", 30)):
        texts = [f"{n} {' '.join(chance.choices(words, k=8))}" for n in range(count)]
        await insert(services, ENGINE, data_source_id, texts)
    return services


@pytest.fixture
async def searches(services: Services) -> AsyncIterator[Searches]:
    searches = Searches(services)
    yield searches
    await searches.close()


@pytest.mark.parametrize("data_source_ids", [None, ["ds_guide"], ["ds_gone"]], ids=str)
async def test_memory_finds_what_the_database_finds(
    services: Services, searches: Searches, data_source_ids: Sequence[str] | None
) -> None:
    on_disk = Searches(services, room=0)
    await searches.read_into_memory()

    for question in ("rent of the roof", "a guard at the gate", "the", "12 lamp", "unknown"):
        expected = await on_disk.ask(question, 90, data_source_ids)
        found = await searches.ask(question, 20, data_source_ids)
        # Chunks that are as good as each other may change places.
        scores = {one.chunk_id: one.score for one in expected}
        best = pytest.approx([*scores.values()][:20], abs=2e-6)
        assert [one.score for one in found] == best
        assert [scores[one.chunk_id] for one in found] == best

    assert searches.cache.get(ENGINE) is not None
    await on_disk.close()


async def test_what_comes_after_the_vectors_were_read_is_found_at_once(
    services: Services, searches: Searches
) -> None:
    await searches.read_into_memory()
    await insert(services, ENGINE, "ds_late", ["The orchard has cherries."])

    (best, *_) = await searches.ask("cherries in the orchard")

    assert best.data_source_id == "ds_late"


async def test_what_waits_for_its_vector_is_found_by_its_words_and_then_by_both(
    services: Services, searches: Searches
) -> None:
    await searches.read_into_memory()
    await insert(services, ENGINE, "ds_late", ["Orchard cherries"], embedded=False)
    waiting = (await searches.ask("orchard cherries"))[0]
    await embed_all(services, ENGINE, "ds_late")
    await searches.read_into_memory()

    best = (await searches.ask("orchard cherries"))[0]

    assert waiting.data_source_id == best.data_source_id == "ds_late"
    assert best.score > 0.9


async def test_deleted_data_source_is_not_found_in_memory(
    services: Services, searches: Searches
) -> None:
    await searches.read_into_memory()
    await delete(services, ENGINE, "ds_lease")

    found = await searches.ask("rent of the roof", 20)

    assert len(found) == 20
    assert {one.data_source_id for one in found} == {"ds_guide"}


async def test_chunks_that_go_while_they_are_searched_make_room_for_others(
    services: Services, searches: Searches
) -> None:
    await searches.read_into_memory()
    async with services.database.engine.begin() as connection:
        # As if the data source had gone after its words were found: no posting is deleted.
        await connection.execute(
            text(f"DELETE FROM data_{ENGINE} WHERE metadata_ ->> 'ref_doc_id' = 'ds_lease'")
        )

    found = await searches.ask("rent of the roof", 20)

    assert [one.data_source_id for one in found] == ["ds_guide"] * 20


async def test_question_that_cannot_be_embedded_is_answered_by_words(searches: Searches) -> None:
    await searches.read_into_memory()
    embedding: Future[Vectors] = Future()
    embedding.set_exception(EmbedderAway("away"))

    found = await searches.ask_with(Question("guard", embedding, 3, None))

    assert all("guard" in one.content for one in found)
    assert len(found) == 3


async def test_vectors_that_cannot_be_read_are_told_of(
    services: Services, searches: Searches, caplog: pytest.LogCaptureFixture
) -> None:
    async with services.database.engine.begin() as connection:
        await connection.execute(
            text(f"ALTER TABLE data_{ENGINE} ALTER COLUMN embedding TYPE text USING embedding")
        )

    with pytest.raises(UndefinedFunction):
        await searches.ask("rent")

    await searches.close()
    assert f"The vectors of {ENGINE} stay on disk" in caplog.text
