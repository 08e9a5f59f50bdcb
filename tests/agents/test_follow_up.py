from collections.abc import Sequence

import pytest

from agents.follow_up import holds, standalone_question
from agents.history import Turn
from agents.prompts import Message
from config.errors import AnswerFailed

TURNS = [Turn("What was the revenue of Siemens in 2022?", "It was 72 billion euros.")]
BY_RULES = "What was the revenue of Siemens in 2023?"


class Model:
    """Gives one reply, or fails, and keeps the prompts."""

    def __init__(self, reply: str | AnswerFailed) -> None:
        self._reply = reply
        self.prompts: list[Sequence[Message]] = []

    async def complete(self, messages: Sequence[Message]) -> str:
        self.prompts.append(messages)
        if isinstance(self._reply, AnswerFailed):
            raise self._reply
        return self._reply


async def test_model_rewrites_a_follow_up() -> None:
    model = Model(" How high was Siemens' revenue in 2023?\n")

    rewritten = await standalone_question("and in 2023?", TURNS, model.complete)

    assert rewritten == "How high was Siemens' revenue in 2023?"
    assert "and in 2023?" in model.prompts[0][-1]["content"]


async def test_without_a_model_rules_rewrite() -> None:
    assert await standalone_question("and in 2023?", TURNS, None) == BY_RULES


async def test_long_turns_are_shortened() -> None:
    model = Model("Why was it 2023?")
    long = [Turn("Why? " * 1000, "Because. " * 1000)]

    await standalone_question("and in 2023?", long, model.complete)

    assert sum(len(message["content"]) for message in model.prompts[0]) < 4000


@pytest.mark.parametrize(
    ("question", "turns"),
    [
        pytest.param("and in 2023?", [], id="first question"),
        pytest.param("Who is the landlord of the warehouse?", TURNS, id="stands alone"),
        pytest.param(f"and {'why ' * 200}?", TURNS, id="long"),
    ],
)
async def test_model_is_not_asked_without_need(question: str, turns: list[Turn]) -> None:
    model = Model("Something else?")

    assert await standalone_question(question, turns, model.complete) == question
    assert model.prompts == []


async def test_rules_rewrite_where_the_model_fails(caplog: pytest.LogCaptureFixture) -> None:
    model = Model(AnswerFailed("the model provider failed"))

    assert await standalone_question("and in 2023?", TURNS, model.complete) == BY_RULES
    assert "completed by rules" in caplog.text


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("", id="nothing"),
        pytest.param("The revenue in 2023\nwas high.", id="two lines"),
        pytest.param(f"Revenue in 2023{'!' * 400}", id="too long"),
        pytest.param("What was the revenue of Siemens?", id="a number is lost"),
        pytest.param("What was it in 2023 and 2024?", id="a number is new"),
        pytest.param("What is in 2023 at https://evil.example?", id="an address"),
        pytest.param("What was it in 2023 <source_id=1>?", id="a mark"),
    ],
)
async def test_rewriting_that_does_not_hold_is_left_out(
    reply: str, caplog: pytest.LogCaptureFixture
) -> None:
    model = Model(reply)

    assert await standalone_question("and in 2023?", TURNS, model.complete) == BY_RULES
    assert "completed by rules" in caplog.text


def test_rewriting_may_take_numbers_and_names_from_the_answer() -> None:
    assert holds("Why was it 72 billion?", "Why was it so much?", TURNS)


def test_rewriting_keeps_the_names_of_the_question() -> None:
    assert holds("What was the revenue of Bosch?", "and Bosch?", TURNS)
    assert not holds("What was the revenue of Siemens?", "and Bosch?", TURNS)
