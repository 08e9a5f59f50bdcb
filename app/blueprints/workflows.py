"""Workflows: ask a question and keep its answer."""

from quart import Blueprint, Response, request
from quart_schema import (
    document_querystring,
    document_request,
    document_response,
    tag_blueprint,
)

from agents.answering import Answer
from app import ids
from app.access import account_id, engine_to_list, find_knowledge_engine, find_workflow
from app.asking import ask, check_question, store_answer
from app.audit import record
from app.current import get_services
from app.idempotency import KeyedRequest, idempotent
from app.models.audit_entry import Action
from app.models.workflow import Workflow, delete_workflow, select_workflows
from app.request_body import parse_json, parse_page
from app.responses import answered, created, listed
from app.schemas import Deleted, ErrorResponse, WorkflowListParameters
from app.schemas_workflows import WorkflowRequest, WorkflowResponse

blueprint = Blueprint("workflows", __name__, url_prefix="/api/v1/workflows")
tag_blueprint(blueprint, ["Workflows"])


async def _create_again(keyed: KeyedRequest) -> Response:
    async with keyed.services.database.reading() as session:
        return _created(await find_workflow(session, keyed.id_of(ids.WORKFLOW)))


@blueprint.post("")
@document_request(WorkflowRequest)
@document_response(WorkflowResponse, 201)
@document_response(ErrorResponse, 400)
@document_response(ErrorResponse, 500)
@idempotent(_create_again)
async def create_workflow() -> Response:
    """Ask a question; the response comes when the answer is there."""
    body = await parse_json(WorkflowRequest)
    services = get_services()
    async with services.database.reading() as session:
        engine = await find_knowledge_engine(session, body.knowledge_engine_id, in_body=True)
        asked = await check_question(session, services, engine.id, body)
    events = [event async for event in ask(services, asked)]
    answer = events[-1]
    assert isinstance(answer, Answer)
    return _created(await store_answer(services, asked, answer))


@blueprint.get("")
@document_querystring(WorkflowListParameters)
@document_response(list[WorkflowResponse])
async def list_workflows() -> Response:
    """List the workflows of the account, newest first.

    Filters: `knowledge_engine_id` and `context_id`. Pages: `limit` and `after`.
    """
    page = parse_page(newest_first=True)
    engine_id, context_id = request.args.get("knowledge_engine_id"), request.args.get("context_id")
    async with get_services().database.transaction() as session:
        workflows = await select_workflows(
            session,
            account_id(),
            page,
            engine_id=engine_to_list(engine_id and ids.parse_id(ids.KNOWLEDGE_ENGINE, engine_id)),
            context_id=context_id and ids.parse_id(ids.CONTEXT, context_id),
        )
    items = [WorkflowResponse.from_workflow(workflow) for workflow in workflows]
    return listed(items, [workflow.id for workflow in workflows], page)


@blueprint.get("/<workflow_id>")
@document_response(WorkflowResponse)
@document_response(ErrorResponse, 404)
async def get_workflow(workflow_id: str) -> Response:
    """Return a workflow."""
    async with get_services().database.transaction() as session:
        workflow = await find_workflow(session, workflow_id)
    return answered(WorkflowResponse.from_workflow(workflow))


@blueprint.delete("/<workflow_id>")
@document_response(Deleted)
@document_response(ErrorResponse, 404)
async def delete_one(workflow_id: str) -> Response:
    """Delete a workflow."""
    async with get_services().database.transaction() as session:
        workflow = await find_workflow(session, workflow_id, for_update=True)
        await delete_workflow(session, workflow)
        await record(session, Action.WORKFLOW_DELETED, workflow.id)
    return answered(Deleted(id=workflow.id), exclude_none=True)


def _created(workflow: Workflow) -> Response:
    response = WorkflowResponse.from_workflow(workflow)
    return created(response, f"{blueprint.url_prefix}/{workflow.id}")
