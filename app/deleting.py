"""Deleting so that nothing is left: rows, chunks, postings and stored files go together."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.access import find_data_source, find_knowledge_engine
from app.audit import record
from app.milvus import discard_vectors
from app.models.audit_entry import Action
from app.models.data_source import DataSource, delete_data_source, select_blob_keys
from app.models.deletion_receipt import DeletionReceipt
from app.models.idempotent_request import delete_answers_of_engine
from app.models.knowledge_engine import (
    KnowledgeEngine,
    delete_knowledge_engine,
    hold_engine,
)
from app.models.stream import delete_streams_of_engine
from app.models.tool_run import forget_data_source
from app.models.unclaimed_file import insert_unclaimed
from app.receipts import begin_data_source_receipt, begin_engine_receipt, complete_receipt
from app.services import Services
from app.tenancy import as_owner
from app.uploading import discard_files
from config.errors import NotFound, ReferenceNotFound
from indexing.lexical_tables import lock_segments
from indexing.milvus import MilvusAway
from indexing.placement import insert_unclaimed_vectors

_logger = logging.getLogger(__name__)

RUN_LOST_ITS_SOURCE = "a data source was deleted while fields were extracted from it"


@dataclass(frozen=True, slots=True)
class Deletion:
    """What was deleted, by its canonical id, and the receipt where one was asked for."""

    id: str
    receipt: DeletionReceipt | None = None


@dataclass(frozen=True, slots=True)
class DeletedRows:
    """A data source that is found no longer, but whose file and vectors may be there yet."""

    id: str
    engine_id: str
    blob_key: str
    receipt: DeletionReceipt | None = None  # pending


async def delete_with_everything(
    services: Services, given_id: str, *, with_receipt: bool = False
) -> Deletion:
    """Delete a data source.

    Raises:
        InvalidId, NotFound: the id names none of the account's.
        FileStoreAway: the file is not deleted yet. With a receipt, nothing may be deleted.
    """
    rows = await delete_rows(services, given_id, with_receipt=with_receipt)
    (deletion,) = await delete_rest(services, [rows])
    return deletion


async def delete_rows(
    services: Services, given_id: str, *, with_receipt: bool = False
) -> DeletedRows:
    """Delete all that the database has of a data source; `delete_rest` is to follow.

    Should the process die before that, the upkeep of the workers deletes the rest.

    Raises:
        InvalidId, NotFound: the id names none of the account's.
        FileStoreAway: what a receipt is to say cannot be counted; nothing is deleted.
    """
    receipt = None
    async with services.database.transaction() as session:
        data_source = await find_data_source(session, given_id)
        await _hold_engine_of(session, data_source)
        # Before all else, and in this order: other deletions in the engine want them as well.
        await find_data_source(session, given_id, for_update=True)
        await lock_segments(await session.connection(), data_source.knowledge_engine_id)
        if with_receipt:
            receipt = await begin_data_source_receipt(services, session, data_source)
        await insert_unclaimed(session, [data_source.blob_key])
        await delete_data_source(session, data_source)
        await record(session, Action.DATA_SOURCE_DELETED, data_source.id)
        # What was streamed may quote it, and what is kept to be answered again.
        await delete_streams_of_engine(session, data_source.knowledge_engine_id)
        await delete_answers_of_engine(session, data_source.knowledge_engine_id)
        await forget_data_source(
            session, data_source.knowledge_engine_id, data_source.id, RUN_LOST_ITS_SOURCE
        )
        await services.indexes.delete(
            await session.connection(), data_source.knowledge_engine_id, data_source.id
        )
    return DeletedRows(
        data_source.id, data_source.knowledge_engine_id, data_source.blob_key, receipt
    )


async def delete_rest(services: Services, deleted: Sequence[DeletedRows]) -> list[Deletion]:
    """Delete the files and the vectors of data sources, and complete their receipts.

    Raises:
        FileStoreAway: there are files left, for the upkeep.
    """
    await discard_files(services, [one.blob_key for one in deleted])
    for engine_id in {one.engine_id for one in deleted}:
        await _discard_vectors(services, engine_id)
    return [
        Deletion(one.id, one.receipt and await complete_receipt(services, one.receipt))
        for one in deleted
    ]


async def delete_engine_with_everything(
    services: Services, given_id: str, *, with_receipt: bool = False
) -> Deletion:
    """Delete an engine with all that belongs to it; raises as for a data source."""
    receipt = None
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, given_id)
        # The lock waits for uploads that are just being stored: their files go too.
        if await session.get(KnowledgeEngine, engine.id, with_for_update=True) is None:
            raise NotFound(ids.KNOWLEDGE_ENGINE.noun)
        if with_receipt:
            receipt = await begin_engine_receipt(services, session, engine)
        blob_keys = await select_blob_keys(session, engine.id)
        await insert_unclaimed(session, blob_keys)
        await insert_unclaimed_vectors(await session.connection(), engine.id)
        await delete_knowledge_engine(session, engine)
        await record(session, Action.ENGINE_DELETED, engine.id)
        await services.indexes.drop(await as_owner(session), engine.id)
    await discard_files(services, blob_keys)
    await _discard_vectors(services, engine.id)
    if receipt is not None:
        receipt = await complete_receipt(services, receipt)
    return Deletion(engine.id, receipt)


async def _hold_engine_of(session: AsyncSession, data_source: DataSource) -> None:
    """Keep the engine from being deleted until the transaction ends.

    Raises:
        NotFound: it was deleted a moment ago, and the data source with it.
    """
    try:
        await hold_engine(session, data_source.knowledge_engine_id)
    except ReferenceNotFound as error:
        raise NotFound(ids.DATA_SOURCE.noun) from error


async def _discard_vectors(services: Services, engine_id: str) -> None:
    """Delete in Milvus what was deleted; it is not found any longer, so that can wait."""
    try:
        await discard_vectors(services, engine_id)
    except MilvusAway:
        _logger.warning("Vectors of %s are deleted when Milvus answers again", engine_id)
