"""A question on its way to an answer: what must hold before, and what is stored after.

`POST /workflows` and `POST …/query` both go through here.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlmodel.ext.asyncio.session import AsyncSession

from agents.answering import Answer, Delta, answer
from agents.citations import Citation
from agents.history import MAX_TURNS, Turn
from agents.prompts import Message
from agents.routing import Route, route
from app import ids
from app.access import account_id
from app.auth import current_account
from app.models.knowledge_engine import (
    EngineCounts,
    EngineStatus,
    KnowledgeEngine,
    select_engine_counts,
)
from app.models.page_of_rows import PageRequest
from app.models.workflow import Workflow, insert_workflow, select_context, select_workflows
from app.schemas import QueryRequest
from app.services import Services
from config.errors import (
    EngineHasNoDataSources,
    EngineNotReady,
    ReferenceNotFound,
    WorkflowNotCreated,
)
from indexing.types import Chunk


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that has passed every check."""

    account_id: int
    engine_id: str
    context_id: str
    request: QueryRequest
    description: str
    route: Route
    turns: Sequence[Turn]


async def check_question(
    session: AsyncSession, services: Services, engine: KnowledgeEngine, request: QueryRequest
) -> Asked:
    """Check all that can be wrong with a question before anything is answered.

    Raises:
        InvalidRequest: one of the documented 400s.
        Unavailable: too many searches wait already.
    """
    services.searches.refuse_when_full()
    chosen = route(
        request.model,
        services.models,
        disabled=current_account().disabled_models,
        advanced_reasoning=request.advanced_reasoning,
    )
    counts = (await select_engine_counts(session, [engine.id])).get(engine.id, EngineCounts())
    status = counts.status(services.settings.engine_ready_when)
    if status is not EngineStatus.READY:
        raise EngineNotReady(status)
    if not counts.active:
        raise EngineHasNoDataSources
    context_id, turns = await _conversation(session, engine, request.context_id)
    return Asked(
        account_id=account_id(),
        engine_id=engine.id,
        context_id=context_id,
        request=request,
        description=getattr(request, "description", ""),
        route=chosen,
        turns=turns,
    )


async def ask(services: Services, asked: Asked) -> AsyncIterator[Delta | Answer]:
    """Yield the answer as it comes, and at its end as a whole."""

    async def retrieve(query: str, top_k: int) -> list[Chunk]:
        async with services.searches.turn():
            return await services.indexes.retrieve(asked.engine_id, query, top_k)

    def stream(messages: Sequence[Message]) -> AsyncIterator[str]:
        return services.gateway.stream(asked.route.model, messages)

    async for event in answer(asked.request.query, asked.turns, retrieve, stream):
        yield event


async def store_answer(
    services: Services,
    asked: Asked,
    response: str,
    citations: Sequence[Citation] = (),
    error: str | None = None,
) -> Workflow:
    """Store the question with what was answered.

    Raises:
        WorkflowNotCreated: the database does not take it.
        ReferenceNotFound: the engine is gone.
    """
    workflow = Workflow(
        id=ids.new_id(ids.WORKFLOW),
        account_id=asked.account_id,
        knowledge_engine_id=asked.engine_id,
        context_id=asked.context_id,
        name=asked.request.name,
        description=asked.description,
        query=asked.request.query,
        response=response,
        advanced_reasoning=asked.request.advanced_reasoning,
        model=asked.request.model,
        resolved_model=asked.route.model,
        routing_reason=asked.route.reason,
        citations=[_stored(citation) for citation in citations],
        error=error,
    )
    try:
        async with services.database.transaction() as session:
            await insert_workflow(session, workflow)
    except IntegrityError as failure:
        # The engine was deleted while it was answering, and the workflow would go with it.
        raise ReferenceNotFound(ids.KNOWLEDGE_ENGINE.noun) from failure
    except (SQLAlchemyError, OSError) as failure:
        raise WorkflowNotCreated("the database did not store it") from failure
    return workflow


async def _conversation(
    session: AsyncSession, engine: KnowledgeEngine, given_id: str | None
) -> tuple[str, list[Turn]]:
    """Return the conversation's id and what was said in it; an unknown one begins now."""
    if given_id is None:
        return ids.new_id(ids.CONTEXT), []
    context_id = ids.parse_id(ids.CONTEXT, given_id)
    context = await select_context(session, account_id(), context_id)
    if context is not None and context.knowledge_engine_id != engine.id:
        raise ReferenceNotFound(ids.CONTEXT.noun)
    latest = await select_workflows(
        session,
        account_id(),
        PageRequest(limit=MAX_TURNS, newest_first=True),
        context_id=context_id,
    )
    return context_id, [Turn(one.query, one.response) for one in reversed(latest)]


def _stored(citation: Citation) -> dict[str, str | int]:
    return {
        "citation_key": citation.key,
        "data_source_id": citation.chunk.data_source_id,
        "file_name": citation.chunk.filename,
        "page_number": citation.chunk.page_number,
        "text": citation.chunk.content,
    }
