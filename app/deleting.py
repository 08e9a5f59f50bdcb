"""Deleting so that nothing is left: rows, chunks, postings and stored files go together."""

from app.access import find_data_source, find_knowledge_engine
from app.models.data_source import delete_data_source, select_blob_keys
from app.models.knowledge_engine import KnowledgeEngine, delete_knowledge_engine
from app.models.stream import delete_streams_of_engine
from app.models.tool_run import forget_data_source
from app.models.unclaimed_file import insert_unclaimed
from app.services import Services
from app.uploading import discard_files

RUN_LOST_ITS_SOURCE = "a data source was deleted while fields were extracted from it"


async def delete_with_everything(services: Services, given_id: str) -> str:
    """Delete a data source and return its id.

    Raises:
        InvalidId, NotFound: the id names none of the account's.
    """
    async with services.database.transaction() as session:
        data_source = await find_data_source(session, given_id)
        await insert_unclaimed(session, [data_source.blob_key])
        await delete_data_source(session, data_source)
        # What was streamed may quote it.
        await delete_streams_of_engine(session, data_source.knowledge_engine_id)
        await forget_data_source(
            session, data_source.knowledge_engine_id, data_source.id, RUN_LOST_ITS_SOURCE
        )
        await services.indexes.delete(
            await session.connection(), data_source.knowledge_engine_id, data_source.id
        )
    # Should the process die here, the upkeep of the workers deletes the file.
    await discard_files(services, [data_source.blob_key])
    return data_source.id


async def delete_engine_with_everything(services: Services, given_id: str) -> str:
    """Delete an engine with all that belongs to it; raises as for a data source."""
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, given_id)
        # The lock waits for uploads that are just being stored: their files go too.
        await session.get(KnowledgeEngine, engine.id, with_for_update=True)
        blob_keys = await select_blob_keys(session, engine.id)
        await insert_unclaimed(session, blob_keys)
        await delete_knowledge_engine(session, engine)
        await services.indexes.drop(await session.connection(), engine.id)
    await discard_files(services, blob_keys)
    return engine.id
