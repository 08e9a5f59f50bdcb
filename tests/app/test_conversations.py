"""Requests in one conversation at once: what each of them sees, and what stays of it."""

import asyncio

import pytest
from quart import Quart

from agents.history import Turn
from app.ids import CONTEXT
from app.services import Services
from config.errors import AnswerFailed, ReferenceNotFound
from tests.app.test_asking import CONTEXT_ID, check, question
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import ScriptedLLM


@pytest.fixture
async def other_engine(client: Client) -> str:
    engine_id = await client.create_engine("Others")
    await client.add(engine_id, FILES / "warehouse-lease.pdf")
    return engine_id


async def test_two_questions_at_once_keep_their_own_answers(
    app: Quart, client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["One."], ["Two."]]
    asked = [client.ask(engine, query, context_id=CONTEXT_ID) for query in ("First?", "Second?")]

    answers = await asyncio.gather(*asked)

    told = {(answer["query"], answer["response"]) for answer in answers}
    following = await check(app, services, engine, question(context_id=CONTEXT_ID))
    assert {(turn.query, turn.response) for turn in following.turns} == told
    assert {query for query, _ in told} == {"First?", "Second?"}
    assert {response for _, response in told} == {"One.", "Two."}


async def test_conversation_that_two_engines_begin_at_once_belongs_to_one(
    app: Quart, services: Services, engine: str, other_engine: str
) -> None:
    await check(app, services, engine, question(context_id=CONTEXT_ID))

    # The first one has no answer yet, so nothing of the conversation is stored but that it began.
    with pytest.raises(ReferenceNotFound, match=f"{CONTEXT.noun} not found"):
        await check(app, services, other_engine, question(context_id=CONTEXT_ID))


async def test_answer_that_failed_before_its_first_word_is_no_turn(
    app: Quart, client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [[AnswerFailed("the model provider failed")], ["In March."]]
    await client.query(engine, "Who?", context_id=CONTEXT_ID)
    await client.query(engine, "When?", context_id=CONTEXT_ID)

    asked = await check(app, services, engine, question(context_id=CONTEXT_ID))

    assert asked.turns == [Turn("When?", "In March.")]
