"""Engines as models of OpenAI's chat interface, for the many programs that speak it."""

from quart import Blueprint, Response, request
from quart_schema import document_request, document_response, tag_blueprint

from agents.answering import Answer
from app.access import account_id, find_knowledge_engine
from app.asking import ask, check_question, store_answer
from app.chat_annotations import annotate, with_numbers
from app.chat_stream import Chat, play
from app.models.knowledge_engine import select_knowledge_engines
from app.models.page_of_rows import PageRequest
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
from app.services import Services, get_services
from app.sse import stream_response

blueprint = Blueprint("chat_completions", __name__, url_prefix="/v1")
tag_blueprint(blueprint, ["Chat"])


@blueprint.get("/models")
@document_response(ModelList)
async def list_models() -> Response:
    """List the engines of the account, as the models that can be asked."""
    async with get_services().database.reading() as session:
        engines = await select_knowledge_engines(session, account_id(), PageRequest())
    return answered(ModelList(data=[ModelObject.from_engine(engine) for engine in engines]))


@blueprint.post("/chat/completions")
@document_request(ChatCompletionRequest)
@document_response(ChatCompletion)
@document_response(ChatErrorResponse, 400)
@document_response(ChatErrorResponse, 404)
async def create_chat_completion() -> Response:
    """Answer the last message of the user, whole or as a stream; each answer is a workflow."""
    body = await parse_json(ChatCompletionRequest)
    services = get_services()
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, body.engine_id)
        asked = await check_question(session, services, engine, body.question())
    asked.turns = body.turns()
    chat = Chat(
        asked,
        body.model,
        base_url=(services.settings.public_url or request.host_url).rstrip("/"),
        include_usage=body.stream_options.include_usage,
    )
    if body.stream:
        return stream_response(play(services, chat))
    return answered(await _whole(services, chat))


@blueprint.after_request
async def write_error_as_openai_does(response: Response) -> Response:
    """Give every error of these endpoints the form that clients of OpenAI read."""
    if response.status_code >= 400 and response.is_json:
        message = (await response.get_json())["error"]
        response.set_data(ChatErrorResponse.of(message, response.status_code).model_dump_json())
    return response


async def _whole(services: Services, chat: Chat) -> ChatCompletion:
    events = [event async for event in ask(services, chat.asked)]
    answer = events[-1]
    assert isinstance(answer, Answer)
    workflow = await store_answer(services, chat.asked, answer)
    message = ChatAnswer(
        content=with_numbers(workflow.response),
        annotations=await annotate(services, workflow, chat.base_url),
    )
    return ChatCompletion(
        id=chat.asked.context_id,
        created=chat.created,
        model=chat.model,
        choices=[Choice(message=message)],
        usage=TokenUsage.from_usage(chat.asked.usage),
    )
