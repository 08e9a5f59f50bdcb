"""The Milvus of this installation: opened as set, and cleared of what nobody claims."""

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.unclaimed_vectors import (
    delete_unclaimed_vectors,
    has_unclaimed_vectors,
    select_unclaimed_vectors,
)
from config.settings import InvalidSettings, Settings, VectorStoreName
from indexing.milvus import Milvus, MilvusAway

if TYPE_CHECKING:
    from app.services import Services

_PACKAGES = ("pymilvus", "llama_index.vector_stores.milvus")


def open_milvus(settings: Settings, dimensions: int) -> Milvus:
    """Return the Milvus that the settings name; nothing is sent to it yet.

    Raises:
        InvalidSettings: it is needed and not named, or not by the address of a server; or what
            speaks to it is not installed.
    """
    uri = settings.milvus_uri
    if not uri:
        if settings.vector_store is VectorStoreName.MILVUS:
            raise InvalidSettings("KE_VECTOR_STORE: milvus needs KE_MILVUS_URI as well")
        return Milvus()
    if not uri.startswith(("http://", "https://")):
        raise InvalidSettings(
            "KE_MILVUS_URI: only the address of a server can be used, http://… or https://…. A "
            "file of milvus-lite can be open in one process, and this service has several; run "
            "`milvus-lite server --data-dir FOLDER --host 127.0.0.1 --port 19530` and give "
            "http://127.0.0.1:19530"
        )
    if not all(map(find_spec, _PACKAGES)):
        raise InvalidSettings(
            "KE_MILVUS_URI: what speaks to Milvus is not installed; install the package with its "
            "extra, knowledge-engine[milvus]"
        )
    return Milvus(uri, settings.milvus_token, dimensions)


async def discard_vectors(services: "Services", engine_id: str | None = None) -> None:
    """Delete the vectors that are noted as unclaimed, of one engine or of all.

    The notes are locked meanwhile: an engine that moves to Milvus again waits for the end.

    Raises:
        MilvusAway: it does not answer; the notes stay.
    """
    async with services.database.transaction() as session:
        notes = await select_unclaimed_vectors(session, engine_id)
        for note in notes:
            ids = (note.knowledge_engine_id, note.data_source_id)
            await asyncio.to_thread(services.indexes.milvus.delete, *ids)
        if notes:
            await delete_unclaimed_vectors(session, notes)


async def count_vectors(
    services: "Services", session: AsyncSession, engine_id: str, data_source_id: str = ""
) -> int:
    """Return how many vectors Milvus holds of a data source, or with "" of the engine.

    Raises:
        MilvusAway: it does not answer, or has not deleted yet what is to go.
    """
    milvus = services.indexes.milvus
    if await has_unclaimed_vectors(session, engine_id):
        raise MilvusAway
    return await asyncio.to_thread(milvus.count, engine_id, data_source_id) if milvus.is_set else 0
