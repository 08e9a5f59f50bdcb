"""Tool runs: extract typed, named fields from chosen data sources."""

from collections.abc import AsyncIterator

from quart import Blueprint, Response, request
from quart_schema import (
    document_querystring,
    document_request,
    document_response,
    tag_blueprint,
)

from app import ids
from app.access import account_id, engine_to_list, find_tool_run
from app.audit import record
from app.current import get_services
from app.extracting import work_on
from app.following_runs import event_id, follow, resume, work_and_follow
from app.idempotency import KeyedRequest, idempotent, lasting_stream
from app.models.audit_entry import Action
from app.models.tool_run import ToolRun, ToolRunStatus, delete_tool_run, select_tool_runs
from app.request_body import parse_json, parse_page
from app.responses import answered, created, listed
from app.schemas import Deleted, ErrorResponse, ToolRunListParameters
from app.schemas_tool_runs import ToolRunRequest, ToolRunResponse
from app.sse import stream_response
from app.starting_runs import store_tool_run

blueprint = Blueprint("tool_runs", __name__, url_prefix="/api/v1/tool-runs")
tag_blueprint(blueprint, ["Tool runs"])


async def _create_again(keyed: KeyedRequest) -> Response | None:
    async with keyed.services.database.reading() as session:
        run = await find_tool_run(session, keyed.id_of(ids.TOOL_RUN))
    # What was broken off is done again, unless somebody is at it.
    has_answer = keyed.is_answered or run.async_response or run.status == ToolRunStatus.COMPLETED
    if run.stream_response:
        is_there = has_answer or not keyed.is_mine
        return _streamed(run, follow(keyed.services, run)) if is_there else None
    if not has_answer:
        return None
    return _created(run.as_queued() if run.async_response else run)


@blueprint.post("")
@document_request(ToolRunRequest)
@document_response(ToolRunResponse, 201)
@document_response(ErrorResponse, 400)
@document_response(ErrorResponse, 503)
@idempotent(_create_again)
async def create_tool_run() -> Response:
    """Extract fields from data sources; the response comes when all are finished.

    With `async_response` it comes at once. With `stream_response` it is Server-Sent Events: a
    `message` for each field, then `done` or `error`; with the header `Last-Event-ID` as well, it
    goes on after that event of an earlier stream.
    """
    services = get_services()
    if last_event_id := request.headers.get("Last-Event-ID"):
        return stream_response(await resume(services, last_event_id))
    run = await store_tool_run(services, await parse_json(ToolRunRequest))
    if run.stream_response and run.async_response:
        return _streamed(run, follow(services, run))
    if run.stream_response:
        return _streamed(run, lasting_stream(work_and_follow(services, run)))
    if not run.async_response:
        await work_on(services, run.id)
        async with services.database.transaction() as session:
            run = await find_tool_run(session, run.id)
    return _created(run)


@blueprint.get("")
@document_querystring(ToolRunListParameters)
@document_response(list[ToolRunResponse])
async def list_tool_runs() -> Response:
    """List the tool runs of the account, newest first.

    Filter: `knowledge_engine_id`. Pages: `limit` and `after`.
    """
    page = parse_page(newest_first=True)
    engine_id = request.args.get("knowledge_engine_id")
    async with get_services().database.transaction() as session:
        runs = await select_tool_runs(
            session,
            account_id(),
            page,
            engine_id=engine_to_list(engine_id and ids.parse_id(ids.KNOWLEDGE_ENGINE, engine_id)),
        )
    return listed(
        [ToolRunResponse.from_tool_run(run) for run in runs], [run.id for run in runs], page
    )


@blueprint.get("/<run_id>")
@document_response(ToolRunResponse)
@document_response(ErrorResponse, 404)
async def get_tool_run(run_id: str) -> Response:
    """Return a tool run, with the fields that are finished."""
    async with get_services().database.transaction() as session:
        run = await find_tool_run(session, run_id)
    return answered(ToolRunResponse.from_tool_run(run))


@blueprint.delete("/<run_id>")
@document_response(Deleted)
@document_response(ErrorResponse, 404)
async def delete_one(run_id: str) -> Response:
    """Delete a tool run; work on it ends."""
    async with get_services().database.transaction() as session:
        run = await find_tool_run(session, run_id, for_update=True)
        await delete_tool_run(session, run)
        await record(session, Action.TOOL_RUN_DELETED, run.id)
    return answered(Deleted(id=run.id), exclude_none=True)


def _streamed(run: ToolRun, events: AsyncIterator[bytes]) -> Response:
    response = stream_response(events)
    response.headers["Location"] = _location(run)
    # For clients that lose the connection before the first event.
    response.headers["Last-Event-ID"] = event_id(run, 0)
    return response


def _created(run: ToolRun) -> Response:
    return created(ToolRunResponse.from_tool_run(run), _location(run))


def _location(run: ToolRun) -> str:
    return f"{blueprint.url_prefix}/{run.id}"
