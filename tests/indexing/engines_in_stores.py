"""Engines whose vectors live in either store, filled and asked as the service does it."""

from collections.abc import Sequence

from app import ids
from app.models.account import insert_account, select_first_account
from app.models.knowledge_engine import KnowledgeEngine, insert_knowledge_engine
from app.services import Services
from config.settings import VectorStoreName
from indexing.engine_index import Source
from indexing.milvus import Milvus
from indexing.placement import Placement, select_placement
from indexing.types import Passage
from tests.milvus_server import MilvusServer


def use_milvus(services: Services, server: MilvusServer) -> None:
    services.indexes.milvus = Milvus(server.uri, dimensions=services.embedder.dimensions)


async def new_engine(services: Services, store: VectorStoreName) -> str:
    """Make an engine whose vectors live in a store, and return its id."""
    async with services.database.transaction() as session:
        account = await select_first_account(session) or await insert_account(session, "first")
        assert account.id is not None
        engine = KnowledgeEngine(
            id=ids.new_id(ids.KNOWLEDGE_ENGINE), account_id=account.id, name="", vector_store=store
        )
        await insert_knowledge_engine(session, engine)
        await services.indexes.create(await session.connection(), engine.id, store)
    return engine.id


async def insert(
    services: Services,
    engine_id: str,
    data_source_id: str,
    contents: Sequence[str],
    *,
    embedded: bool = True,
) -> None:
    """Store passages, with their vectors or without."""
    passages = [Passage(number, 1, "", content) for number, content in enumerate(contents)]
    vectors = services.embedder.embed(contents) if embedded else [None] * len(contents)
    async with services.database.engine.begin() as connection:
        packed = await services.indexes.pack(
            Source(data_source_id, "lease.pdf", ""),
            list(zip(passages, vectors, strict=True)),
        )
        await services.indexes.insert(connection, engine_id, packed)


async def embed_all(services: Services, engine_id: str, data_source_id: str) -> list[str]:
    """Give the chunks that have no vector theirs, as a worker does; return their ids."""
    async with services.database.engine.begin() as connection:
        texts = await services.indexes.select_unembedded(
            connection, engine_id, data_source_id, 1000
        )
        if texts:
            vectors = services.embedder.embed([text for _, text in texts.values()])
            await services.indexes.update_vectors(connection, engine_id, list(texts), vectors)
    return list(texts)


async def delete(services: Services, engine_id: str, data_source_id: str) -> None:
    """Delete what is known of a data source; what is in Milvus waits to be discarded."""
    async with services.database.engine.begin() as connection:
        await services.indexes.delete(connection, engine_id, data_source_id)


async def placement_of(services: Services, engine_id: str) -> Placement | None:
    async with services.database.engine.connect() as connection:
        return await select_placement(connection, engine_id)
