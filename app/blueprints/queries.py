"""Questions whose answer is streamed while it is being written."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator

from quart import Blueprint, Response
from quart_schema import document_request, document_response, tag_blueprint

from agents.answering import Answer, Delta
from app.access import find_knowledge_engine
from app.asking import Asked, ask, check_question, store_answer
from app.models.workflow import Workflow
from app.request_body import parse_json
from app.schemas import DoneEvent, ErrorResponse, QueryRequest
from app.services import Services, get_services
from app.sse import ServerSentEvent, stream_response
from config.errors import ServiceError

_logger = logging.getLogger(__name__)

blueprint = Blueprint("queries", __name__, url_prefix="/api/v1/knowledge-engines")
tag_blueprint(blueprint, ["Workflows"])


@blueprint.post("/<engine_id>/query")
@document_request(QueryRequest)
@document_response(ErrorResponse, 400)
async def query(engine_id: str) -> Response:
    """Stream the answer as Server-Sent Events: `message`s, then `done` or `error`."""
    body = await parse_json(QueryRequest)
    services = get_services()
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, engine_id)
        asked = await check_question(session, services, engine, body)
    return stream_response(_events(services, asked))


async def _events(services: Services, asked: Asked) -> AsyncIterator[ServerSentEvent]:
    """Yield the events of one answer; whatever ends it early, what was said is stored."""
    said: list[str] = []
    try:
        async for event in ask(services, asked):
            match event:
                case Delta(text):
                    said.append(text)
                    yield ServerSentEvent("message", json.dumps(text))
                case Answer(response, citations):
                    workflow = await store_answer(services, asked, response, citations)
                    yield _done(workflow)
    except ServiceError as error:
        services.in_background(_store_partial(services, asked, said, error.message))
        yield _error(error.message)
    except (asyncio.CancelledError, GeneratorExit):
        services.in_background(
            _store_partial(services, asked, said, "the client closed the stream")
        )
        raise
    except Exception:  # The stream's last guard: the client must be told.
        _logger.exception("An answer failed")
        services.in_background(_store_partial(services, asked, said, "Internal Server Error"))
        yield _error("Internal Server Error")


async def _store_partial(services: Services, asked: Asked, said: list[str], error: str) -> None:
    await store_answer(services, asked, "".join(said), error=error)


def _done(workflow: Workflow) -> ServerSentEvent:
    # In ASCII, for clients that see a line end in U+2028 as well.
    return ServerSentEvent("done", json.dumps(DoneEvent.from_workflow(workflow).model_dump()))


def _error(message: str) -> ServerSentEvent:
    return ServerSentEvent("error", json.dumps({"error": message}))
