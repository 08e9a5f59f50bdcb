"""A question on its way to an answer: what must hold before, and what is stored after.

`POST /workflows` and `POST …/query` both go through here.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from psycopg.errors import UniqueViolation
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlmodel.ext.asyncio.session import AsyncSession

from agents.abilities import Abilities, Complete
from agents.answering import Answer, Delta, Question, answer
from agents.citations import Citation
from agents.history import MAX_TURNS, Turn
from agents.judging import judge
from agents.prompts import Message
from agents.routing import Route, check_model, route
from agents.usage import Purpose, Usage
from agents.verification import CheckedSentence
from app import ids
from app.access import account_id
from app.audit import Actor, current_actor, record
from app.current import current_account
from app.idempotency import KeyedRequest, keyed_request
from app.models.audit_entry import Action
from app.models.knowledge_engine import (
    EngineStatus,
    select_knowledge_engine,
    select_least_counts,
)
from app.models.workflow import Workflow, claim_context, insert_workflow, select_turns
from app.schemas_workflows import QueryRequest
from app.searching import search
from app.services import Services
from app.tracing import trace_answer
from config.errors import (
    EngineHasNoDataSources,
    EngineNotReady,
    ReferenceNotFound,
    RetrievalFailed,
    WorkflowNotCreated,
)
from config.model_table import BUILT_IN, ModelTable
from indexing.types import Chunk


@dataclass(slots=True)
class Asked:
    """A question that has passed every check, and what comes of it."""

    asked_by: Actor
    engine_id: str
    context_id: str
    request: QueryRequest
    description: str
    turns: Sequence[Turn]
    models: ModelTable  # as it was when the question came; it may be read again meanwhile
    disabled_models: Collection[str]
    route: Route  # by the question alone, until its evidence is known
    keyed: KeyedRequest | None = None
    usage: Usage = field(default_factory=Usage)

    def choose_model(
        self,
        question: str,
        chunks: Sequence[Chunk] = (),
        history_characters: int = 0,
        failing: Collection[str] = (),
    ) -> None:
        """Choose the model again, by what is known now."""
        self.route = route(
            self.request.model,
            self.models,
            question,
            disabled=self.disabled_models,
            advanced_reasoning=self.request.advanced_reasoning,
            chunks=chunks,
            history_characters=history_characters,
            failing=failing,
        )


async def check_question(
    session: AsyncSession, services: Services, engine_id: str, request: QueryRequest
) -> Asked:
    """Check all that can be wrong with a question before anything is answered.

    The first word waits for it, so each statement may stand for itself.

    Raises:
        InvalidRequest: one of the documented 400s.
        Unavailable: too many searches wait already.
    """
    services.searches.refuse_when_full()
    account = current_account()
    disabled = {*account.disabled_models, *services.models.withheld_from(account.name)}
    check_model(request.model, services.models, disabled=disabled)
    counts = await select_least_counts(session, engine_id)
    status = counts.status(services.settings.engine_ready_when)
    if status is not EngineStatus.READY:
        raise EngineNotReady(status)
    if not counts.active:
        raise EngineHasNoDataSources
    # It is searched for below, unless it turns out to lean on the question before it.
    services.indexes.embed_ahead(request.query)
    chosen = route(
        request.model,
        services.models,
        request.query,
        disabled=disabled,
        advanced_reasoning=request.advanced_reasoning,
        failing=services.gateway.failing(),
    )
    # Last, for a conversation that begins here stays, whatever comes after.
    context_id, turns = await _conversation(session, engine_id, request.context_id)
    return Asked(
        asked_by=current_actor(),
        engine_id=engine_id,
        context_id=context_id,
        request=request,
        description=getattr(request, "description", ""),
        turns=turns,
        models=services.models,
        disabled_models=disabled,
        route=chosen,
        keyed=keyed_request(),
    )


async def ask(services: Services, asked: Asked) -> AsyncIterator[Delta | Answer]:
    """Yield the answer as it comes, and at its end as a whole.

    Raises:
        RetrievalFailed, AnswerFailed: there is none, or not to its end.
        ReferenceNotFound: the engine was deleted meanwhile.
    """
    gateway, settings, usage = services.gateway, services.settings, asked.usage

    async def retrieve(query: str, count: int) -> list[Chunk]:
        with usage.step(Purpose.RETRIEVE):
            async with services.searches.turn():
                return await search(services, asked.engine_id, query, count)

    def choose_model(question: str, chunks: Sequence[Chunk], history_characters: int) -> None:
        asked.choose_model(question, chunks, history_characters, gateway.failing())

    def stream(messages: Sequence[Message]) -> AsyncGenerator[str, None]:
        chosen = asked.route
        return gateway.stream(chosen.model, messages, usage, alternatives=chosen.alternatives)

    def complete(model: str, purpose: Purpose) -> Complete | None:
        if model in ("", BUILT_IN):
            return None
        return partial(gateway.complete, model, usage=usage, purpose=purpose)

    question = Question(
        asked.request.query,
        asked.turns,
        advanced_reasoning=asked.request.advanced_reasoning,
        is_strict=settings.strict_answers,
    )
    judged_by = complete(settings.judge_model, Purpose.JUDGE)
    abilities = Abilities(
        retrieve,
        partial(services.indexes.join_neighbours, asked.engine_id),
        stream,
        choose_model,
        rewrite=complete(asked.route.model, Purpose.REWRITE),
        decompose=complete(asked.route.model, Purpose.DECOMPOSE),
        judge=judged_by and partial(judge, complete=judged_by),
    )
    outcome = "failed"
    try:
        async for event in answer(question, abilities):
            yield event
        outcome = "answered"
    except RetrievalFailed as error:
        raise await _look_into(services, asked, error) from error
    finally:
        services.metrics.count_answer(usage, outcome)
        trace_answer(usage)


async def store_answer(
    services: Services, asked: Asked, answer: Answer, error: str | None = None
) -> Workflow:
    """Store the question with what was answered.

    Raises:
        WorkflowNotCreated: the database does not take it.
        ReferenceNotFound: the engine is gone.
    """
    # Only a whole answer is what a key stands for: what broke off may be asked again.
    keyed = asked.keyed if error is None else None
    workflow = Workflow(
        id=keyed.id_of(ids.WORKFLOW) if keyed else ids.new_id(ids.WORKFLOW),
        account_id=asked.asked_by.account_id,
        knowledge_engine_id=asked.engine_id,
        context_id=asked.context_id,
        name=asked.request.name,
        description=asked.description,
        query=asked.request.query,
        response=answer.response,
        advanced_reasoning=asked.request.advanced_reasoning,
        model=asked.request.model,
        resolved_model=asked.usage.answered_by or asked.route.model,
        routing_reason=_routing_reason(asked),
        citations=[_stored_citation(citation) for citation in answer.citations],
        verification=[_stored_sentence(sentence) for sentence in answer.verification],
        usage=asked.usage.to_json(),
        error=error,
    )
    try:
        async with services.database.transaction() as session:
            await insert_workflow(session, workflow)
            await record(session, Action.WORKFLOW_CREATED, workflow.id, by=asked.asked_by)
            if keyed is not None:
                await keyed.answered(session)
    except IntegrityError as failure:
        if isinstance(failure.orig, UniqueViolation):
            # Another attempt at the same request was not as dead as it seemed.
            raise WorkflowNotCreated("it is stored already") from failure
        # The engine was deleted while it was answering, and the workflow would go with it.
        raise ReferenceNotFound(ids.KNOWLEDGE_ENGINE.noun) from failure
    except (SQLAlchemyError, OSError) as failure:
        raise WorkflowNotCreated("the database did not store it") from failure
    return workflow


async def store_broken_off(
    services: Services, asked: Asked, said: Answer, failure: str
) -> str | None:
    """Store what was said of an answer before it failed; return the workflow's id.

    It is None where the engine is gone: the workflow would have gone with it.

    Raises:
        WorkflowNotCreated: the database does not take it.
    """
    try:
        return (await store_answer(services, asked, said, failure)).id
    except ReferenceNotFound:
        return None


async def _conversation(
    session: AsyncSession, engine_id: str, given_id: str | None
) -> tuple[str, list[Turn]]:
    """Return the conversation's id and what was said in it; an unknown one begins now."""
    if given_id is None:
        return ids.new_id(ids.CONTEXT), []
    context_id = ids.parse_id(ids.CONTEXT, given_id)
    # Claimed before the answer, or another engine could begin it too meanwhile.
    context = await claim_context(session, account_id(), context_id, engine_id)
    if context.knowledge_engine_id != engine_id:
        raise ReferenceNotFound(ids.CONTEXT.noun)
    latest = await select_turns(session, account_id(), context_id, MAX_TURNS)
    return context_id, [Turn(one.query, one.response) for one in reversed(latest)]


async def _look_into(
    services: Services, asked: Asked, error: RetrievalFailed
) -> RetrievalFailed | ReferenceNotFound:
    """Return what is to be said of a failed search: the engine may just have been deleted."""
    async with services.database.reading() as session:
        account = asked.asked_by.account_id
        engine = await select_knowledge_engine(session, account, asked.engine_id)
    return error if engine else ReferenceNotFound(ids.KNOWLEDGE_ENGINE.noun)


def _routing_reason(asked: Asked) -> str:
    spoke = asked.usage.answered_by
    if spoke in ("", asked.route.model):
        return asked.route.reason
    return f"{asked.route.reason} It failed before its first word, so {spoke} answered."


def _stored_citation(citation: Citation) -> dict[str, str | int]:
    return {
        "citation_key": citation.key,
        "data_source_id": citation.chunk.data_source_id,
        "file_name": citation.chunk.filename,
        "page_number": citation.chunk.page_number,
        "text": citation.chunk.content,
    }


def _stored_sentence(checked: CheckedSentence) -> dict[str, str | list[str]]:
    return {
        "sentence": checked.sentence,
        "verdict": checked.verdict,
        "reason": checked.reason,
        "citation_keys": [f"<source_id={number}>" for number in checked.citations],
    }
