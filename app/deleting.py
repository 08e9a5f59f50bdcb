"""Deleting so that nothing is left: rows, chunks, postings and stored files go together."""

from app.access import find_data_source, find_knowledge_engine
from app.models.data_source import delete_data_source, select_blob_keys
from app.models.knowledge_engine import delete_knowledge_engine
from app.services import Services


async def delete_with_everything(services: Services, given_id: str) -> str:
    """Delete a data source and return its id.

    Raises:
        InvalidId, NotFound: the id names none of the account's.
    """
    async with services.database.transaction() as session:
        data_source = await find_data_source(session, given_id)
        await delete_data_source(session, data_source)
        await services.indexes.delete(
            await session.connection(), data_source.knowledge_engine_id, data_source.id
        )
    # Should the process die here, the sweep of the workers finds this file (app/upkeep.py).
    await services.files.delete([data_source.blob_key])
    return data_source.id


async def delete_engine_with_everything(services: Services, given_id: str) -> str:
    """Delete an engine with its data sources and workflows; raises as for a data source."""
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, given_id)
        blob_keys = await select_blob_keys(session, engine.id)
        await delete_knowledge_engine(session, engine)
        await services.indexes.drop(await session.connection(), engine.id)
    await services.files.delete(blob_keys)
    return engine.id
