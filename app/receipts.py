"""Receipts of deletions: what was erased, that nothing of it is found afterwards, and a signature.

A receipt is written in the transaction of its deletion, so there is none without the other. It is
pending until everything has been looked for and nothing found; then it is signed. Where the process
dies before, or a file is still there, the upkeep of a worker looks again.
"""

import base64
import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy.exc import ProgrammingError
from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.milvus import count_vectors
from app.models.data_source import DataSource
from app.models.deletion_receipt import (
    DeletionReceipt,
    count_citing_workflows,
    count_quoting_runs,
    count_rows_naming,
    count_rows_with,
    count_runs_over,
    insert_receipt,
    lock_data_sources,
    select_pending_receipts,
    update_signed,
)
from app.models.knowledge_engine import KnowledgeEngine
from app.models.service_secret import get_or_insert_secret
from app.services import Services
from indexing.index_counts import Place, count_data_source, count_engine, select_places
from indexing.lexical_tables import lock_segments
from indexing.milvus import MilvusAway

_logger = logging.getLogger(__name__)

VERSION = 1
"""Of the form of a receipt's content; a reader must refuse one that it does not know."""

_DATA_SOURCE = "data_source"
_KNOWLEDGE_ENGINE = "knowledge_engine"
_SECRET = "deletion receipts"


async def begin_data_source_receipt(
    services: Services, session: AsyncSession, data_source: DataSource
) -> DeletionReceipt:
    """Count what is to be erased with a data source, in the transaction that deletes it.

    The data source and the segments of its engine must be locked, so that what is counted is that.
    """
    engine_id, data_source_id = data_source.knowledge_engine_id, data_source.id
    connection = await session.connection()
    places = await select_places(connection, engine_id, data_source_id)
    rows = await count_rows_with(session, _DATA_SOURCE, "id", data_source_id)
    streams = await count_rows_with(session, "stream", "knowledge_engine_id", engine_id)
    erased = {
        "rows": rows | streams,
        "quoting_tool_runs": await count_quoting_runs(session, engine_id, data_source_id),
        **asdict(await count_data_source(connection, engine_id, data_source_id, places)),
        **asdict(await services.files.measure(data_source.blob_key)),
    }
    kept = {
        "citing_workflows": await count_citing_workflows(session, engine_id, data_source_id),
        "tool_runs": await count_runs_over(session, engine_id, data_source_id),
    }
    receipt = _pending(data_source.account_id, _DATA_SOURCE, data_source_id, engine_id)
    receipt.content |= {"erased": erased, "kept": kept}
    receipt.places = [list(place) for place in places]
    await insert_receipt(session, receipt)
    return receipt


async def begin_engine_receipt(
    services: Services, session: AsyncSession, engine: KnowledgeEngine
) -> DeletionReceipt:
    """Count what is to be erased with an engine, in the transaction that deletes it."""
    connection = await session.connection()
    await lock_data_sources(session, engine.id)
    await lock_segments(connection, engine.id)
    receipt = _pending(engine.account_id, _KNOWLEDGE_ENGINE, engine.id, engine.id)
    receipt.content["erased"] = {
        "rows": await count_rows_with(session, _KNOWLEDGE_ENGINE, "id", engine.id),
        **asdict(await count_engine(connection, engine.id)),
        **asdict(await services.files.measure(engine.id)),
    }
    await insert_receipt(session, receipt)
    return receipt


async def complete_receipt(services: Services, receipt: DeletionReceipt) -> DeletionReceipt:
    """Look for what was erased; sign the receipt if nothing is found, and return it as it is then.

    Raises:
        FileStoreAway: the file store cannot be reached; the receipt stays pending.
    """
    try:
        async with services.database.transaction() as session:
            found = await _find(services, session, receipt)
    except ProgrammingError as error:
        _logger.warning("The engine of %s is just being deleted: %s", receipt.id, error)
        return receipt
    except MilvusAway:
        _logger.warning("Whether vectors of %s are in Milvus is seen later", receipt.id)
        return receipt
    if not _is_nothing(found):
        _logger.warning("Something is left of what %s is about: %s", receipt.id, found)
        return receipt
    async with services.database.transaction() as session:
        key = await _private_key(session)
        content = {**receipt.content, "checked_at": _now(), "found": found}
        signature = base64.b64encode(key.sign(canonical(content))).decode()
        await update_signed(session, receipt.id, content, signature)
        return await session.get_one(DeletionReceipt, receipt.id)


async def complete_pending_receipts(services: Services) -> None:
    """Look again for what could not be looked for, or was found, when it had been deleted."""
    async with services.database.transaction() as session:
        pending = await select_pending_receipts(session)
    for receipt in pending:
        await complete_receipt(services, receipt)


async def public_key(services: Services) -> str:
    """Return the key, in PEM, by which everybody can verify the receipts of this service."""
    async with services.database.transaction() as session:
        key = await _private_key(session)
    form = PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(Encoding.PEM, form).decode()


def canonical(content: Mapping[str, Any]) -> bytes:
    """Write what is signed: JSON with sorted keys, without spaces, in UTF-8."""
    compact = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return compact.encode()


def _pending(owner: int, kind: str, deleted_id: str, engine_id: str) -> DeletionReceipt:
    receipt_id = ids.new_id(ids.DELETION_RECEIPT)
    content = {
        "version": VERSION,
        "id": receipt_id,
        "account_id": owner,
        "type": kind,
        "deleted_id": deleted_id,
        "knowledge_engine_id": engine_id,
        "deleted_at": _now(),
    }
    return DeletionReceipt(
        id=receipt_id, account_id=owner, knowledge_engine_id=engine_id, content=content
    )


async def _find(
    services: Services, session: AsyncSession, receipt: DeletionReceipt
) -> dict[str, Any]:
    """Count what is there of what was deleted: the counts that `erased` has, of this moment."""
    kind, deleted_id = receipt.content["type"], receipt.content["deleted_id"]
    engine_id = receipt.content["knowledge_engine_id"]
    connection = await session.connection()
    found: dict[str, Any] = {"rows": await count_rows_naming(session, kind, deleted_id)}
    in_milvus = deleted_id if kind == _DATA_SOURCE else ""
    vectors = await count_vectors(services, session, engine_id, in_milvus)
    if kind == _KNOWLEDGE_ENGINE:
        index, key = await count_engine(connection, engine_id), engine_id
    else:
        places = [Place(*place) for place in receipt.places]
        index = await count_data_source(connection, engine_id, deleted_id, places)
        key = f"{engine_id}/{deleted_id}"
        found["quoting_tool_runs"] = await count_quoting_runs(session, engine_id, deleted_id)
    index = replace(index, vectors=index.vectors + vectors)
    return found | asdict(index) | asdict(await services.files.measure(key))


def _is_nothing(found: Mapping[str, Any]) -> bool:
    return not any({**found, "rows": 0, **found["rows"]}.values())


async def _private_key(session: AsyncSession) -> Ed25519PrivateKey:
    """Return the key of this service; the first receipt makes it."""
    secret = await get_or_insert_secret(session, _SECRET)
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))


def _now() -> int:
    return int(datetime.now(UTC).timestamp())
