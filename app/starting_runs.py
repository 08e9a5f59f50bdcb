"""A tool run on its way in: checked and stored, or refused with nothing left behind."""

from collections.abc import Sequence
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.access import account_id, find_knowledge_engine, is_open
from app.audit import record
from app.idempotency import id_for, keyed_request
from app.jobs import EXTRACT
from app.models.audit_entry import Action
from app.models.data_source import DataSource, DataSourceStatus, Outcome
from app.models.knowledge_engine import KnowledgeEngine, hold_engine
from app.models.tool_run import (
    ToolRun,
    delete_tool_run,
    hold_data_sources,
    insert_tool_run,
)
from app.schemas_tool_runs import TaggedDataSource, ToolRequest, ToolRunRequest
from app.services import Services
from config.errors import (
    DataSourceNotUsable,
    InvalidRequest,
    ModelNotSupported,
    ReferenceNotFound,
)
from config.model_table import EXTRACTION_IDENTIFIERS
from extraction.page_range import InvalidPageRange, parse_page_range

MAX_PAGES = 5000
"""The most pages that one run may look at, over all its data sources."""


async def store_tool_run(services: Services, request: ToolRunRequest) -> ToolRun:
    """Check all that can be wrong with a request and store its run; nobody works on it yet.

    A run nobody waits for is queued in the same transaction.

    Raises:
        InvalidRequest: one of the documented 400s.
        Unavailable: too many runs that somebody waits for are in line already.
    """
    tool = request.tool
    if tool.model not in EXTRACTION_IDENTIFIERS:
        raise ModelNotSupported(tool.model)
    if not request.async_response:
        services.extractions.refuse_when_full()
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, tool.knowledge_engine_id, in_body=True)
        source_ids = await _check_sources(session, engine, tool.tagged_data_sources)
        run = ToolRun(
            id=id_for(ids.TOOL_RUN),
            account_id=account_id(),
            knowledge_engine_id=engine.id,
            tool=_stored_tool(tool, engine.id, source_ids),
            notes=request.notes,
            stream_response=request.stream_response,
            async_response=request.async_response,
        )
        await _delete_broken_off(session, run)
        await insert_tool_run(session, run)
        await record(session, Action.TOOL_RUN_CREATED, run.id)
        if run.async_response:
            await services.queue.defer(session, run.id, engine.id, EXTRACT)
    return run


async def _delete_broken_off(session: AsyncSession, run: ToolRun) -> None:
    """Delete what another attempt at this request has left: a run that came to nothing."""
    keyed = keyed_request()
    if keyed is not None and keyed.is_repeat:
        await delete_tool_run(session, run)


async def _check_sources(
    session: AsyncSession, engine: KnowledgeEngine, tagged: Sequence[TaggedDataSource]
) -> list[str]:
    """Return the canonical ids of the data sources, which stay until the transaction ends."""
    source_ids = [ids.parse_id(ids.DATA_SOURCE, one.id) for one in tagged]
    # In the order in which a deletion of the engine comes to them, or both would wait for ever.
    await hold_engine(session, engine.id)
    held = await hold_data_sources(session, account_id(), source_ids)
    pages = 0
    for source_id, one in zip(source_ids, tagged, strict=True):
        if source_id not in held or not is_open(held[source_id].knowledge_engine_id):
            raise ReferenceNotFound(ids.DATA_SOURCE.noun)
        pages += _check_source(held[source_id], engine, one.page_range)
    if pages > MAX_PAGES:
        raise InvalidRequest(
            f"the data sources have {pages} pages, and a tool run takes {MAX_PAGES}; "
            "choose some by page_range"
        )
    return source_ids


def _check_source(source: DataSource, engine: KnowledgeEngine, page_range: str | None) -> int:
    """Return how many pages of the data source are to be looked at.

    Raises:
        DataSourceNotUsable: nothing, or not these pages, can be extracted from.
    """
    if source.knowledge_engine_id != engine.id:
        raise DataSourceNotUsable(source.id, "it is in another knowledge engine")
    if source.status != DataSourceStatus.PROCESSED:
        raise DataSourceNotUsable(source.id, f"it is not read yet, current status: {source.status}")
    if source.outcome == Outcome.FAILED:
        raise DataSourceNotUsable(source.id, f"it could not be read: {source.error}")
    if page_range is None:
        return source.page_count
    try:
        return len(parse_page_range(page_range, source.page_count))
    except InvalidPageRange as error:
        raise DataSourceNotUsable(source.id, str(error)) from error


def _stored_tool(tool: ToolRequest, engine_id: str, source_ids: Sequence[str]) -> dict[str, Any]:
    """Return what was asked for, as it was, with the canonical ids."""
    stored: dict[str, Any] = tool.model_dump(mode="json", exclude_unset=True)
    stored["knowledge_engine_id"] = engine_id
    stored["include_confidence_scores"] = tool.include_confidence_scores
    for source, source_id in zip(stored["tagged_data_sources"], source_ids, strict=True):
        source["id"] = source_id
    return stored
