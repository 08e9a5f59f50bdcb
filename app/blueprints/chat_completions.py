"""Engines as models of OpenAI's chat interface, for the many programs that speak it."""

import time

from quart import Blueprint, Response, current_app, request
from quart_schema import document_request, document_response, tag_blueprint

from agents.answering import Answer
from app import ids
from app.access import account_id, engine_to_list, find_knowledge_engine, find_workflow
from app.asking import ask, check_question, store_answer
from app.chat_annotations import annotate, with_numbers
from app.chat_stream import Chat, play, play_again
from app.current import get_services
from app.idempotency import KeyedRequest, idempotent, keyed_request
from app.links import maker_of_links
from app.models.knowledge_engine import select_knowledge_engines
from app.models.page_of_rows import PageRequest
from app.models.workflow import Workflow
from app.request_body import parse_json
from app.responses import answered
from app.schemas_chat import (
    ChatAnswer,
    ChatCompletion,
    ChatCompletionRequest,
    ChatErrorResponse,
    Choice,
    ModelList,
    ModelObject,
    TokenUsage,
)
from app.services import Services
from app.sse import stream_response

blueprint = Blueprint("chat_completions", __name__, url_prefix="/v1")
tag_blueprint(blueprint, ["Chat"])


@blueprint.get("/models")
@document_response(ModelList)
async def list_models() -> Response:
    """List the engines of the account, as the models that can be asked."""
    async with get_services().database.reading() as session:
        engines = await select_knowledge_engines(
            session, account_id(), PageRequest(), engine_id=engine_to_list()
        )
    return answered(ModelList(data=[ModelObject.from_engine(engine) for engine in engines]))


async def _create_again(keyed: KeyedRequest) -> Response:
    body = await parse_json(ChatCompletionRequest)
    async with keyed.services.database.reading() as session:
        workflow = await find_workflow(session, keyed.id_of(ids.WORKFLOW))
    chat = _chat(workflow.context_id, body, keyed)
    if body.stream:
        return stream_response(play_again(keyed.services, chat, workflow))
    return await _whole(keyed.services, chat, workflow)


@blueprint.post("/chat/completions")
@document_request(ChatCompletionRequest)
@document_response(ChatCompletion)
@document_response(ChatErrorResponse, 400)
@document_response(ChatErrorResponse, 404)
@idempotent(_create_again)
async def create_chat_completion() -> Response:
    """Answer the last message of the user, whole or as a stream; each answer is a workflow."""
    body = await parse_json(ChatCompletionRequest)
    services = get_services()
    async with services.database.reading() as session:
        engine = await find_knowledge_engine(session, body.engine_id)
        asked = await check_question(session, services, engine.id, body.question())
    asked.turns = body.turns()
    chat = _chat(asked.context_id, body, keyed_request())
    if body.stream:
        keys = current_app.extensions["key_watch"]
        return stream_response(play(services, keys, chat, asked))
    events = [event async for event in ask(services, asked)]
    answer = events[-1]
    assert isinstance(answer, Answer)
    return await _whole(services, chat, await store_answer(services, asked, answer))


@blueprint.after_request
async def write_error_as_openai_does(response: Response) -> Response:
    """Give every error of these endpoints the form that clients of OpenAI read."""
    if response.status_code >= 400 and response.is_json:
        message = (await response.get_json())["error"]
        response.set_data(ChatErrorResponse.of(message, response.status_code).model_dump_json())
    return response


def _chat(chat_id: str, body: ChatCompletionRequest, keyed: KeyedRequest | None) -> Chat:
    return Chat(
        chat_id,
        body.model,
        base_url=(get_services().settings.public_url or request.host_url).rstrip("/"),
        key_id=maker_of_links(),
        include_usage=body.stream_options.include_usage,
        created=int(keyed.began_at.timestamp() if keyed else time.time()),
    )


async def _whole(services: Services, chat: Chat, workflow: Workflow) -> Response:
    message = ChatAnswer(
        content=with_numbers(workflow.response),
        annotations=await annotate(services, workflow, chat.base_url, chat.key_id),
    )
    completion = ChatCompletion(
        id=chat.id,
        created=chat.created,
        model=chat.model,
        choices=[Choice(message=message)],
        usage=TokenUsage.from_workflow(workflow),
    )
    return answered(completion)
