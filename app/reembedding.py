"""`ke engines reembed`: gives stored chunks the vectors of the embedder that is set now.

It works beside a running service, whose searches go by words meanwhile and by each new vector as
soon as it is there. What is embedded is stored batch by batch, so whatever ends it, the next one
goes on where it stopped.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing

from app import ids
from app.audit import record_command
from app.database import migrate
from app.key_commands import running_database
from app.models.audit_entry import Action
from app.models.data_source import lock_data_source, select_ids_with_chunks
from app.models.knowledge_engine import hold_engine, select_engine_ids
from app.reading import EMBEDDED_AT_ONCE
from app.services import Services, open_services
from config.errors import InvalidId, ReferenceNotFound, ServingFailed
from config.settings import Settings
from indexing.embedding import EmbedderAway
from indexing.placement import select_placement

Say = Callable[[str], None]


def reembed(settings: Settings, engine_id: str | None, say: Say) -> None:
    """Embed the chunks of an engine, or of all engines, that have no vector of this embedder.

    Raises:
        DatabaseNotRunning: none is set, and no `ke serve` runs on the data directory.
        ServingFailed: there is no such engine, or the embedding service is away.
    """
    database_url = running_database(settings)
    migrate(database_url)
    asyncio.run(_reembed(settings, database_url, engine_id, say))


async def _reembed(settings: Settings, database_url: str, engine_id: str | None, say: Say) -> None:
    services = await asyncio.to_thread(open_services, settings, database_url)
    try:
        for one in await _engine_ids(services, engine_id):
            if await is_out_of_reach(services, one):
                say(f"{one}: its vectors live in Milvus, where only the built-in model's can be")
                continue
            count = await reembed_engine(services, one)
            say(f"{one}: {count} chunks embedded")
    except EmbedderAway as error:
        raise ServingFailed(
            f"{error}. What is embedded is stored; run `ke engines reembed` again to go on."
        ) from None
    finally:
        await services.close()


async def _engine_ids(services: Services, engine_id: str | None) -> list[str]:
    async with services.database.reading() as session:
        known = await select_engine_ids(session)
    if engine_id is None:
        return known
    try:
        wanted = ids.parse_id(ids.KNOWLEDGE_ENGINE, engine_id)
    except InvalidId:
        wanted = ""
    if wanted not in known:
        raise ServingFailed(f"There is no knowledge engine {engine_id!r}.")
    return [wanted]


async def is_out_of_reach(services: Services, engine_id: str) -> bool:
    """Tell whether the vectors live where those of an embedding service cannot."""
    async with services.database.reading() as session:
        placement = await select_placement(await session.connection(), engine_id)
    uses_service = services.models.embedding is not None
    return uses_service and placement is not None and placement.in_milvus


async def reembed_engine(services: Services, engine_id: str) -> int:
    """Drop the vectors of other embedders, and embed what has none; return how many chunks.

    Documents that are still being read are left to the workers. An engine that was deleted
    meanwhile has nothing to embed.

    Raises:
        EmbedderAway: the embedding service is away.
    """
    try:
        async with services.database.transaction() as session:
            await hold_engine(session, engine_id)
            # Now, for from here on its texts may go to a service.
            await record_command(session, Action.ENGINE_REEMBEDDING_BEGUN, engine_id)
            await services.indexes.replace_vectors(await session.connection(), engine_id)
    except ReferenceNotFound:
        return 0
    async with services.database.reading() as session:
        data_source_ids = await select_ids_with_chunks(session, engine_id)
    return sum([await _embed_missing(services, engine_id, one) for one in data_source_ids])


async def _embed_missing(services: Services, engine_id: str, data_source_id: str) -> int:
    count = 0
    while texts := await _select_unembedded(services, engine_id, data_source_id):
        async with aclosing(services.embedding_line.embed_all(texts)) as batches:
            async for chunk_ids, vectors in batches:
                async with services.database.transaction() as session:
                    if not await lock_data_source(session, data_source_id):
                        return count
                    await services.indexes.update_vectors(
                        await session.connection(), engine_id, chunk_ids, vectors
                    )
                count += len(chunk_ids)
    return count


async def _select_unembedded(
    services: Services, engine_id: str, data_source_id: str
) -> dict[str, tuple[str, str]]:
    """Return chunks that have no vector; none where the data source was deleted meanwhile."""
    async with services.database.transaction() as session:
        if not await lock_data_source(session, data_source_id):
            return {}
        return await services.indexes.select_unembedded(
            await session.connection(), engine_id, data_source_id, EMBEDDED_AT_ONCE
        )
