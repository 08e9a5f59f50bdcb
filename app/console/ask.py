"""Asking: a conversation whose answers are streamed, each with its sources and its why."""

from typing import Any

from quart import Blueprint, Response, render_template, request

from app import ids
from app.access import account_id, find_knowledge_engine, find_workflow
from app.blueprints import queries
from app.blueprints.knowledge_engines import with_counts
from app.console import snippets
from app.console.model_choices import model_choices
from app.current import current_account, get_services
from app.models.data_source import select_data_sources_of
from app.models.page_of_rows import PageRequest
from app.models.workflow import Workflow, select_conversations, select_workflows
from app.schemas import NAME_LENGTH

SHOWN_CONVERSATIONS = 20
SHOWN_TURNS = 100

blueprint = Blueprint("ask", __name__)


@blueprint.get("/engines/<engine_id>/ask")
async def show_conversation(engine_id: str) -> str:
    """Show a conversation with an engine, or the beginning of one."""
    given_context = request.args.get("context")
    context_id = ids.parse_id(ids.CONTEXT, given_context) if given_context else None
    services = get_services()
    async with services.database.transaction() as session:
        row = await find_knowledge_engine(session, engine_id)
        engine = await with_counts(session, row)
        latest = await select_conversations(session, account_id(), row.id, SHOWN_CONVERSATIONS)
        turns: list[Workflow] = []
        if context_id is not None:
            page = PageRequest(limit=SHOWN_TURNS, newest_first=True)
            turns = await select_workflows(
                session, account_id(), page, engine_id=row.id, context_id=context_id
            )
        cited = await select_data_sources_of(session, account_id(), _cited(turns))
    return await render_template(
        "ask.html",
        engine=engine,
        engine_id=engine.id,
        conversations=latest,
        turns=turns[::-1],
        cited=cited,
        context_id=context_id or ids.new_id(ids.CONTEXT),
        models=model_choices(services, current_account()),
        longest_name=NAME_LENGTH,
        snippet=snippets.query(row.id, _as_request(turns[0]) if turns else _EXAMPLE),
    )


@blueprint.post("/engines/<engine_id>/ask")
async def ask(engine_id: str) -> Response:
    """Stream an answer, exactly as the API does."""
    return await queries.query(engine_id)


@blueprint.get("/answers/<workflow_id>")
async def show_answer(workflow_id: str) -> str:
    """Return a finished answer with its sources, for the place where it was streamed."""
    async with get_services().database.transaction() as session:
        workflow = await find_workflow(session, workflow_id)
        engine_id = workflow.knowledge_engine_id
        cited = await select_data_sources_of(session, account_id(), _cited([workflow]))
        latest = await select_conversations(session, account_id(), engine_id, SHOWN_CONVERSATIONS)
    return await render_template(
        "_answer.html",
        turn=workflow,
        cited=cited,
        engine_id=engine_id,
        conversations=latest,
        context_id=workflow.context_id,
        snippet=snippets.query(engine_id, _as_request(workflow)),
    )


_EXAMPLE: dict[str, Any] = {"query": "What does the contract say about notice?", "name": "Notice"}


def _cited(turns: list[Workflow]) -> set[str]:
    """Return the data sources that answers cite."""
    return {citation["data_source_id"] for turn in turns for citation in turn.citations}


def _as_request(turn: Workflow) -> dict[str, Any]:
    return {
        "query": turn.query,
        "name": turn.name,
        "context_id": turn.context_id,
        "model": turn.model,
        "advanced_reasoning": turn.advanced_reasoning,
    }
