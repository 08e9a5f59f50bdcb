"""Working on one tool run: from the pages of its data sources to its fields, and to its end."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from agents.usage import Purpose, Usage
from app.models.account import Account
from app.models.data_source import DataSource
from app.models.data_source_page import DataSourcePage, select_pages
from app.models.tool_run import (
    Ending,
    ToolRun,
    append_fields,
    begin_attempt,
    end_attempt,
    put_back,
    touch_attempt,
)
from app.reading import AWAY
from app.schemas_tool_runs import requested_fields
from app.services import Services
from app.tracing import trace_extraction
from config.errors import ExtractionFailed, ServiceError
from config.model_table import BUILT_IN, Model
from extraction.extracting import Abilities, extract
from extraction.page_range import parse_page_range
from extraction.types import ExtractedField, SourcePages
from indexing.types import Chunk, Page

_logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 4
"""A run that was cut off, or that its model has failed, this often, has failed."""

HEARTBEAT_SECONDS = 0.5
"""How often a run is looked up while it is worked on: so soon after its deletion the work ends."""

LEFT = "the client closed the connection"


class _Gone(Exception):
    """The run was deleted, ended or taken up by another process while it was worked on."""


@dataclass(slots=True)
class _Attempt:
    """One attempt at a run, and what it has come to so far."""

    run: ToolRun
    usage: Usage = field(default_factory=Usage)
    model_used: str | None = None
    began: float = field(default_factory=time.perf_counter)

    def cost(self) -> dict[str, Any]:
        """Return what the run has cost, the attempts before this one included."""
        cost, earlier = self.usage.to_json(), self.run.usage
        if earlier is None:
            return cost
        prices = (earlier["price_usd"], cost["price_usd"])
        return {
            "prompt_tokens": earlier["prompt_tokens"] + cost["prompt_tokens"],
            "completion_tokens": earlier["completion_tokens"] + cost["completion_tokens"],
            "tokens_estimated": earlier["tokens_estimated"] or cost["tokens_estimated"],
            "price_usd": None if None in prices else sum(prices),
            "steps": [*earlier["steps"], *cost["steps"]],
        }


async def work_on(services: Services, run_id: str) -> None:
    """Work on a run until it has ended.

    Safe to repeat at any point: the fields that are stored are not extracted again, and a run that
    has ended, or is gone, is left alone. Cancelled, it fails a run that a client waits for.

    Raises:
        ServiceError, OperationalError, InterfaceError, OSError: the model has failed, or the
            database is away; a run nobody waits for is to be worked on again.
    """
    async with services.database.transaction() as session:
        run = await begin_attempt(session, run_id)
    if run is None:
        return
    attempt = _Attempt(run)
    try:
        await _while_it_is_wanted(services, attempt, _work(services, attempt))
    except _Gone:
        _logger.info("%s was ended while it was worked on", run_id)
    except ServiceError as error:
        if not _is_repeated(run, error):
            await _end(services, attempt, error.message)
            return
        await _put_back(services, attempt, counts=True)
        raise
    except (asyncio.CancelledError, *AWAY) as error:
        # The worker is being stopped, or must wait: that is not the run's fault.
        _logger.warning("Working on %s is broken off: %r", run_id, error)
        if run.async_response:
            await _put_back(services, attempt, counts=False)
        else:
            has_left = isinstance(error, asyncio.CancelledError)
            await _end(services, attempt, LEFT if has_left else "the database does not answer")
        raise
    except Exception:  # The run's guard: whatever it was, the user must see an end.
        _logger.exception("Working on %s failed", run_id)
        await _end(services, attempt, "an error in the service stopped the extraction; see its log")
    finally:
        trace_extraction(attempt.usage)


async def _while_it_is_wanted(
    services: Services, attempt: _Attempt, work: Coroutine[Any, Any, None]
) -> None:
    """Do the work and note that it lives and what it costs; end it soon after others ended the run.

    Raises:
        _Gone: it was; and whatever the work raises.
    """
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait([task], timeout=HEARTBEAT_SECONDS))[0]:
            async with services.database.transaction() as session:
                is_wanted = await touch_attempt(session, attempt.run, attempt.cost())
                if not is_wanted and not task.done():
                    raise _Gone
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _work(services: Services, attempt: _Attempt) -> None:
    """Extract the fields that are not stored yet, and store them as they are finished."""
    run = attempt.run
    if run.attempts > MAX_ATTEMPTS:
        raise ExtractionFailed(f"it was cut off {MAX_ATTEMPTS} times")
    stored = {one["field_name"] for one in run.extracted_fields}
    fields = [one for one in requested_fields(run.tool) if one.name not in stored]
    async with services.extractions.turn():
        attempt.began = time.perf_counter()
        sources = [await _read(services, one) for one in run.tool["tagged_data_sources"]]
        abilities = await _abilities(services, attempt)
        async with aclosing(extract(fields, sources, abilities)) as finished:
            async for some in finished:
                async with services.database.transaction() as session:
                    if not await append_fields(session, run, [_stored(one) for one in some]):
                        raise _Gone
    await _end(services, attempt)


async def _read(services: Services, tagged: Mapping[str, str]) -> SourcePages:
    """Return the pages of a data source that a run may look at."""
    async with services.database.reading() as session:
        source = await session.get(DataSource, tagged["id"])
        rows = await select_pages(session, tagged["id"])
    if source is None:
        raise _Gone  # Its deletion has failed the run.
    pages = await asyncio.to_thread(_to_pages, rows)
    if page_range := tagged.get("page_range"):
        chosen = parse_page_range(page_range, source.page_count)
        pages = [page for page in pages if page.number in chosen]
    return SourcePages(source.id, source.file_name, pages)


def _to_pages(rows: Sequence[DataSourcePage]) -> list[Page]:
    return [row.to_page() for row in rows]


async def _abilities(services: Services, attempt: _Attempt) -> Abilities:
    """Return what an extraction needs of others; without a model the built-in extractor reads."""
    run, usage = attempt.run, attempt.usage

    async def retrieve(query: str, count: int, data_source_ids: Sequence[str]) -> list[Chunk]:
        with usage.step(Purpose.RETRIEVE):
            async with services.searches.turn():
                return await services.indexes.retrieve(
                    run.knowledge_engine_id, query, count, data_source_ids
                )

    abilities = Abilities(services.embed, retrieve)
    model = await _choose_model(services, run)
    if model is None:
        attempt.model_used = BUILT_IN
        return abilities
    attempt.model_used = model.identifier
    return replace(
        abilities,
        acompletion=services.gateway.acompletion(model.identifier, usage),
        modes=await services.gateway.output_modes(model.identifier),
        context_window=model.context_window,
    )


async def _choose_model(services: Services, run: ToolRun) -> Model | None:
    """Return the model that was asked for, or None where it is not enabled for the account."""
    async with services.database.reading() as session:
        account = await session.get_one(Account, run.account_id)
    model = services.models.extraction_models.get(run.tool["model"])
    disabled = {*account.disabled_models, *services.models.withheld_from(account.name)}
    if model is None or not model.is_enabled or model.identifier in disabled:
        return None
    return model


async def _end(services: Services, attempt: _Attempt, error: str | None = None) -> None:
    """End a run, completed or failed, unless somebody else has."""
    ending = Ending(
        error,
        processing_time_ms=(time.perf_counter() - attempt.began) * 1000,
        model_used=attempt.model_used,
        usage=attempt.cost(),
    )
    async with services.database.transaction() as session:
        has_ended = await end_attempt(session, attempt.run, ending)
    if has_ended:
        outcome = "completed" if error is None else "failed"
        services.metrics.count_extraction(attempt.usage, attempt.model_used, outcome)


async def _put_back(services: Services, attempt: _Attempt, *, counts: bool) -> None:
    async with services.database.transaction() as session:
        await put_back(session, attempt.run, attempt.cost(), counts=counts)


def _is_repeated(run: ToolRun, error: ServiceError) -> bool:
    """Tell whether a run that has failed is tried again: nobody waits, and it may get better."""
    return run.async_response and error.status_code >= 500 and run.attempts < MAX_ATTEMPTS


def _stored(extracted: ExtractedField) -> dict[str, Any]:
    """Return a finished field as it is stored."""
    return {
        "field_name": extracted.field.name,
        "value": extracted.value,
        "confidence": round(extracted.confidence, 4),
        "evidence": [
            {
                "data_source_id": one.data_source_id,
                "file_name": one.file_name,
                "page_number": one.page_number,
                "text": one.text,
                "bbox": one.box,
            }
            for one in extracted.evidence
        ],
        "reason": extracted.reason,
    }
