"""Tool runs as streams: what is stored of a run is sent, whoever works on it.

So a stream can be resumed behind any of its events, at any time, from any API process.
"""

import json
import logging
import re
from asyncio import sleep
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from app import ids
from app.access import find_tool_run
from app.extracting import work_on
from app.models.tool_run import ToolRun, ToolRunStatus, select_new_fields, select_tool_run
from app.reading import AWAY
from app.schemas_tool_runs import ToolRunResponse, extracted_fields
from app.services import Services
from app.sse import COMMENT, SILENCE_SECONDS, ServerSentEvent, error_event
from config.errors import InvalidId

_logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.2
"""How often a stream looks for more fields."""

_EVENT_ID = re.compile(r"(\w{1,50})-([0-9]{1,9})", re.ASCII)


async def work_and_follow(services: Services, run: ToolRun) -> AsyncGenerator[bytes, None]:
    """Work on a run while a client follows it; when the client leaves, the work ends."""
    work = services.in_background(work_on(services, run.id))
    has_left = True
    try:
        async with aclosing(follow(services, run)) as blocks:
            async for block in blocks:
                yield block
        has_left = False
    finally:
        if has_left:
            work.cancel()


async def resume(services: Services, last_event_id: str) -> AsyncIterator[bytes]:
    """Find the run of an event, and return its stream from behind this event on.

    Raises:
        InvalidId: it is not of the form that ids of events have.
        NotFound: the account has no such run.
    """
    match = _EVENT_ID.fullmatch(last_event_id)
    if match is None:
        raise InvalidId("event")
    async with services.database.transaction() as session:
        run = await find_tool_run(session, match[1])
    return follow(services, run, int(match[2]))


def event_id(run: ToolRun, number: int) -> str:
    """Write the id of an event of a run; they are numbered from 1, and 0 is before all."""
    return f"{run.id}-{number}"


async def follow(services: Services, run: ToolRun, after: int = 0) -> AsyncGenerator[bytes, None]:
    """Yield the events of a run with greater numbers than this, from 1, until it has ended."""
    yield COMMENT
    quiet_seconds = 0.0
    is_over = False
    try:
        while not is_over:
            is_over, events = await _look(services, run, after)
            after += len(events)
            if events:
                yield b"".join(events)
            elif quiet_seconds >= SILENCE_SECONDS:
                yield COMMENT
            if not is_over:
                is_quiet = not events and quiet_seconds < SILENCE_SECONDS
                quiet_seconds = quiet_seconds + LOOK_SECONDS if is_quiet else 0.0
                await sleep(LOOK_SECONDS)
    except AWAY as error:
        _logger.warning("A stream of %s breaks off: %s", run.id, error)
        yield error_event("the database does not answer").encode()


async def _look(services: Services, run: ToolRun, after: int) -> tuple[bool, list[bytes]]:
    """Return whether the run is over, and its events after the given one."""
    async with services.database.transaction() as session:
        found = await select_new_fields(session, run.id, after)
        if found is None:
            return True, [error_event(f"{ids.TOOL_RUN.noun} not found").encode()]
        status, fields = found
        events = [
            _message(run, one).encode(event_id(run, after + number))
            for number, one in enumerate(fields, 1)
        ]
        if status not in (ToolRunStatus.COMPLETED, ToolRunStatus.FAILED):
            return False, events
        ended = await select_tool_run(session, run.account_id, run.id)
    assert ended is not None
    last = len(ended.extracted_fields) + 1
    if after < last:
        events.append(_last_event(ended).encode(event_id(run, last)))
    return True, events


def _message(run: ToolRun, stored: Mapping[str, Any]) -> ServerSentEvent:
    """Return the event of a field that is finished: a JSON text that holds a JSON object."""
    ((name, response),) = extracted_fields(run.tool, [stored]).items()
    field = {"field_name": name} | response.model_dump(mode="json")
    return ServerSentEvent("message", json.dumps(json.dumps(field)))


def _last_event(run: ToolRun) -> ServerSentEvent:
    if run.error is not None:
        return error_event(run.error)
    return ServerSentEvent(
        "done", json.dumps(ToolRunResponse.from_tool_run(run).model_dump(mode="json"))
    )
