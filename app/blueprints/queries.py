"""Questions whose answer is streamed while it is being written."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from functools import partial

from quart import Blueprint, Response, current_app, request
from quart.blueprints import BlueprintSetupState
from quart_schema import document_request, document_response, tag_blueprint

from agents.answering import Answer, Delta
from app import ids
from app.access import find_engine_id, find_knowledge_engine, find_workflow
from app.asking import Asked, ask, check_question, store_answer, store_broken_off
from app.current import current_key_id, get_services
from app.idempotency import KeyedRequest, idempotent, lasting
from app.models.workflow import Workflow
from app.request_body import parse_json
from app.schemas import ErrorResponse
from app.schemas_workflows import DoneEvent, QueryRequest
from app.services import Services
from app.sse import COMMENT, ServerSentEvent, error_event, stream_response
from app.streams import (
    LiveStream,
    Streams,
    begin_stream,
    event_id,
    find_stream,
    find_stream_again,
    follow,
)
from config.errors import EngineHasNoDataSources, ReferenceNotFound, ServiceError

_logger = logging.getLogger(__name__)

blueprint = Blueprint("queries", __name__, url_prefix="/api/v1/knowledge-engines")
tag_blueprint(blueprint, ["Workflows"])


@blueprint.record
def _keep_streams(state: BlueprintSetupState) -> None:
    extensions = state.app.extensions
    extensions["streams"] = Streams(extensions["services"], extensions["key_watch"])


async def _query_again(keyed: KeyedRequest, engine_id: str) -> Response:
    async with keyed.services.database.reading() as session:
        engine = await find_knowledge_engine(session, engine_id)
        stream_id = await find_stream_again(session, engine, keyed)
        if stream_id is None:
            workflow = await find_workflow(session, keyed.id_of(ids.WORKFLOW))
            return stream_response(_tell(workflow))
    response = await _resume(engine_id, event_id(stream_id, 0))
    response.headers["Last-Event-ID"] = event_id(stream_id, 0)
    return response


@blueprint.post("/<engine_id>/query")
@document_request(QueryRequest)
@document_response(ErrorResponse, 400)
@idempotent(_query_again)
async def query(engine_id: str) -> Response:
    """Stream the answer as Server-Sent Events: `message`s, then `done` or `error`.

    With the header `Last-Event-ID`, go on after that event of an earlier stream.
    """
    if last_event_id := request.headers.get("Last-Event-ID"):
        return await _resume(engine_id, last_event_id)
    body = await parse_json(QueryRequest)
    services = get_services()
    engine_id = await find_engine_id(services, engine_id)
    async with services.database.reading() as session:
        try:
            asked = await check_question(session, services, engine_id, body)
            stream_id = await begin_stream(session, engine_id)
        except (EngineHasNoDataSources, ReferenceNotFound):
            await find_knowledge_engine(session, engine_id)  # It may have been deleted.
            raise
    streams: Streams = current_app.extensions["streams"]
    answer = lasting(partial(_answer, services, asked))
    response = stream_response(streams.play(stream_id, answer, current_key_id()))
    # For clients that lose the connection before the first event.
    response.headers["Last-Event-ID"] = event_id(stream_id, 0)
    return response


async def _resume(engine_id: str, last_event_id: str) -> Response:
    services = get_services()
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, engine_id)
        stream_id, number = await find_stream(session, engine, last_event_id)
    return stream_response(follow(services, stream_id, number))


async def _answer(services: Services, asked: Asked, stream: LiveStream) -> None:
    """Send the events of one answer; whatever ends it early, what was said is stored."""
    said: list[str] = []
    try:
        async for event in ask(services, asked):
            match event:
                case Delta(text):
                    said.append(text)
                    await stream.send(ServerSentEvent("message", json.dumps(text)))
                case Answer() as answer:
                    stream.can_be_stopped = False  # All is said, and there is nothing to stop.
                    workflow = await store_answer(services, asked, answer)
                    stream.workflow_id = workflow.id
                    await stream.send(_done(workflow))
    except ServiceError as error:
        failure = error.message
    except asyncio.CancelledError:
        failure = stream.stopped_because
    except Exception:  # The stream's last guard: the client must be told.
        _logger.exception("An answer failed")
        failure = "Internal Server Error"
    else:
        return
    await stream.send(error_event(failure))
    said_so_far = Answer("".join(said))
    stream.workflow_id = await store_broken_off(services, asked, said_so_far, failure)


async def _tell(workflow: Workflow) -> AsyncIterator[bytes]:
    """Yield the stream of an answer whose own is no longer kept."""
    yield COMMENT
    yield ServerSentEvent("message", json.dumps(workflow.response)).encode()
    yield _done(workflow).encode()


def _done(workflow: Workflow) -> ServerSentEvent:
    # In ASCII, for clients that see a line end in U+2028 as well.
    return ServerSentEvent("done", json.dumps(DoneEvent.from_workflow(workflow).model_dump()))
