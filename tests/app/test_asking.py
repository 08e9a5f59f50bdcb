from typing import Any

import pytest
from quart import Quart, g

from agents.answering import Answer, Delta
from agents.citations import Citation
from agents.history import MAX_TURNS, Turn
from app.asking import Asked, ask, check_question, store_answer
from app.models.account import Account
from app.schemas_workflows import QueryRequest, WorkflowRequest
from app.services import Services
from config.errors import (
    EngineHasNoDataSources,
    ModelNotEnabled,
    ReferenceNotFound,
    ServiceError,
)
from indexing.types import Chunk
from tests.client import Client
from tests.fakes import ScriptedLLM

CONTEXT_ID = "ctx_0123456789abcd"
CITATION = Citation(1, Chunk("ds_1_0", "ds_1", "lease.pdf", 2, "It ends in March."))


async def test_question_that_passes_has_its_route_and_conversation(
    app: Quart, services: Services, engine: str
) -> None:
    asked = await check(app, services, engine, question(model="delta-4.1"))

    assert (asked.asked_by.account_id, asked.engine_id) == (1, engine)
    assert asked.route.model == "delta-4.1"
    assert asked.context_id.startswith("ctx_")
    assert (asked.turns, asked.description) == ([], "")


async def test_description_of_a_workflow_is_kept(
    app: Quart, services: Services, engine: str
) -> None:
    request = WorkflowRequest(
        name="n", query="q", knowledge_engine_id=engine, type="query", description="d"
    )

    assert (await check(app, services, engine, request)).description == "d"


@pytest.mark.parametrize(
    ("request_body", "error"),
    [
        pytest.param({}, EngineHasNoDataSources(), id="empty engine"),
        pytest.param({"model": "gamma-2.5"}, ModelNotEnabled("Gamma 2.5"), id="model first"),
    ],
)
async def test_what_does_not_hold_is_told_before_anything_is_answered(
    app: Quart,
    client: Client,
    services: Services,
    request_body: dict[str, str],
    error: ServiceError,
) -> None:
    engine_id = await client.create_engine()

    with pytest.raises(type(error)) as raised:
        await check(app, services, engine_id, question(**request_body), disabled=["gamma-2.5"])

    assert raised.value.message == error.message


async def test_latest_turns_of_the_conversation_come_oldest_first(
    app: Quart, client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [[f"Answer {number}"] for number in range(MAX_TURNS + 1)]
    for number in range(MAX_TURNS + 1):
        await client.ask(engine, f"Question {number}", context_id=CONTEXT_ID)

    asked = await check(app, services, engine, question(context_id=CONTEXT_ID))

    assert asked.turns == [
        Turn(f"Question {number}", f"Answer {number}") for number in range(1, MAX_TURNS + 1)
    ]


async def test_answer_comes_word_by_word_and_then_whole(
    app: Quart, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In ", "March <source_id=1>."]]
    asked = await check(app, services, engine, question())

    *words, answer = [event async for event in ask(services, asked)]

    assert words == [Delta("In "), Delta("March <source_id=1>.")]
    assert isinstance(answer, Answer)
    assert answer.response == "In March <source_id=1>."
    assert [citation.chunk.filename for citation in answer.citations] == ["warehouse-lease.pdf"]


async def test_stored_answer_keeps_the_cited_passage(
    app: Quart, services: Services, engine: str
) -> None:
    asked = await check(app, services, engine, question())

    workflow = await store_answer(services, asked, Answer("In March <source_id=1>.", [CITATION]))

    assert workflow.citations == [
        {
            "citation_key": "<source_id=1>",
            "data_source_id": "ds_1",
            "file_name": "lease.pdf",
            "page_number": 2,
            "text": "It ends in March.",
        }
    ]


async def test_answer_for_an_engine_that_has_gone_is_not_stored(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    asked = await check(app, services, engine, question())
    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")

    with pytest.raises(ReferenceNotFound, match="knowledge engine not found"):
        await store_answer(services, asked, Answer("In March."))


async def test_engine_that_goes_before_it_is_searched_is_not_found(
    app: Quart, client: Client, services: Services, engine: str
) -> None:
    asked = await check(app, services, engine, question())
    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")

    with pytest.raises(ReferenceNotFound, match="knowledge engine not found"):
        _ = [event async for event in ask(services, asked)]


async def check(
    app: Quart,
    services: Services,
    engine_id: str,
    request: QueryRequest,
    disabled: list[str] | None = None,
) -> Asked:
    async with app.test_request_context("/"), services.database.transaction() as session:
        g.account = Account(id=1, name="first", disabled_models=disabled or [])
        return await check_question(session, services, engine_id, request)


def question(**fields: Any) -> QueryRequest:
    return QueryRequest(name="n", query="When does the lease end?", **fields)
