import json
from collections.abc import Sequence

import pytest

from agents.prompts import Message
from agents.reasoning import (
    MAX_ROUNDS,
    MAX_SEARCHES,
    gather,
    merge,
    read_sub_questions,
)
from config.errors import AnswerFailed
from indexing.types import Chunk
from tests.agents.chunks import chunk

QUESTION = "Where was the director of Jaws born?"
JAWS = chunk(1, "Jaws is a film by the director Steven Spielberg.")
SPIELBERG = chunk(2, "Steven Spielberg was born in Cincinnati.")
OTHERS = [chunk(number, f"passage {number}") for number in range(3, 12)]


class Library:
    """Finds the passages of the first of its keys that a query contains; keeps the queries."""

    def __init__(self, passages: dict[str, list[Chunk]]) -> None:
        self._passages = passages
        self.queries: list[str] = []

    async def retrieve(self, query: str, top_k: int) -> list[Chunk]:
        self.queries.append(query)
        return next((found for key, found in self._passages.items() if key in query), [])[:top_k]


class Model:
    """Gives the replies one by one; an error among them is raised."""

    def __init__(self, *replies: str | AnswerFailed) -> None:
        self._replies = list(replies)
        self.prompts: list[Sequence[Message]] = []

    async def complete(self, messages: Sequence[Message]) -> str:
        self.prompts.append(messages)
        reply = self._replies.pop(0)
        if isinstance(reply, AnswerFailed):
            raise reply
        return reply


def films() -> Library:
    return Library({"Steven Spielberg": [SPIELBERG], "Jaws": [JAWS, *OTHERS]})


async def test_passage_that_the_question_does_not_name_is_found_by_rules() -> None:
    library = films()

    found = await gather(QUESTION, library.retrieve, None, passages=4)

    assert library.queries == [QUESTION, "Steven Spielberg born"]
    assert list(found.chunks) == [JAWS, SPIELBERG, OTHERS[0], OTHERS[1]]
    assert found.sub_questions == ["Steven Spielberg born"]


async def test_rules_follow_a_chain_of_names() -> None:
    bruce = chunk(20, "The film with the shark Bruce is Jaws.")
    library = Library({"Spielberg": [SPIELBERG], "Jaws": [JAWS], "Bruce": [bruce]})

    found = await gather(
        "Where was the director of the film with Bruce born?", library.retrieve, None, passages=4
    )

    assert found.sub_questions == ["Jaws director born", "Steven Spielberg born"]
    assert found.rounds == 3
    assert set(found.chunks) == {bruce, JAWS, SPIELBERG}


async def test_things_compared_are_searched_one_by_one() -> None:
    library = Library({"Opel or Ford": [OTHERS[0]], "Opel": [OTHERS[1]], "Ford": [OTHERS[2]]})

    found = await gather("Is Opel or Ford older?", library.retrieve, None, passages=8)

    assert library.queries[:3] == ["Is Opel or Ford older?", "Opel older", "Ford older"]
    assert set(found.chunks) == set(OTHERS[:3])


async def test_question_that_one_passage_answers_is_searched_once() -> None:
    library = films()

    found = await gather(
        "Who is the director of the film Jaws?", library.retrieve, None, passages=4
    )

    assert found.rounds == 1
    assert len(library.queries) == 1


async def test_model_takes_the_question_apart_and_finds_the_gap() -> None:
    library = films()
    model = Model('["Who directed Jaws?"]', '["Where was Steven Spielberg born?"]', "[]")

    found = await gather(QUESTION, library.retrieve, model.complete, passages=4)

    assert found.sub_questions == ["Who directed Jaws?", "Where was Steven Spielberg born?"]
    assert SPIELBERG in found.chunks
    assert JAWS.content in model.prompts[1][-1]["content"]


async def test_model_that_asks_on_and_on_is_bounded() -> None:
    library = Library({"": OTHERS})
    replies = [json.dumps([f"Question {call}{one}?" for one in range(50)]) for call in range(9)]
    model = Model(*replies)

    found = await gather(QUESTION, library.retrieve, model.complete, passages=8)

    assert found.rounds == MAX_ROUNDS
    assert len(library.queries) <= MAX_SEARCHES
    assert len(model.prompts) == MAX_ROUNDS
    assert len(found.chunks) == 8


async def test_model_that_repeats_itself_ends_the_rounds() -> None:
    library = films()
    model = Model('["Who directed Jaws?"]', '["Who directed Jaws?"]')

    found = await gather(QUESTION, library.retrieve, model.complete, passages=4)

    assert found.rounds == 1
    assert library.queries == [QUESTION, "Who directed Jaws?"]


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(AnswerFailed("the model provider failed"), id="failed"),
        pytest.param("I cannot do that.", id="no list"),
        pytest.param('["Who', id="half a list"),
    ],
)
async def test_rules_go_on_where_a_model_does_not(
    reply: str | AnswerFailed, caplog: pytest.LogCaptureFixture
) -> None:
    library, model = films(), Model(reply)

    found = await gather(QUESTION, library.retrieve, model.complete, passages=4)

    assert found.sub_questions == ["Steven Spielberg born"]
    assert "goes on by rules" in caplog.text
    assert len(model.prompts) == 1


async def test_nothing_found_gives_nothing() -> None:
    found = await gather(QUESTION, Library({}).retrieve, None, passages=4)

    assert found.chunks == []


def test_half_of_the_passages_stay_the_questions_own() -> None:
    own, others = OTHERS[:5], [[one] for one in OTHERS[5:]]

    merged = merge([own, *others], 4)

    assert merged == [own[0], OTHERS[5], own[1], OTHERS[6]]


def test_best_passages_of_the_sub_questions_come_first() -> None:
    weak = Chunk("ds_1_20", "ds_1", "a.md", 1, "Weak.", score=0.2)
    strong = Chunk("ds_1_21", "ds_1", "a.md", 1, "Strong.", score=0.9)

    assert merge([OTHERS, [weak], [strong]], 2) == [OTHERS[0], strong]


def test_copies_of_a_passage_count_once() -> None:
    copy = chunk(30, OTHERS[0].content)

    assert merge([OTHERS[:2], [copy], [OTHERS[3]], [OTHERS[3]]], 8) == [
        OTHERS[0],
        OTHERS[3],
        OTHERS[1],
    ]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        pytest.param('["a", "b"]', ["a", "b"], id="plain"),
        pytest.param('Sure!\n```json\n["a"]\n```', ["a"], id="fenced"),
        pytest.param('{"questions": ["a"]}', ["a"], id="in an object"),
        pytest.param('[1] I think: ["a"]', [], id="the first list counts"),
        pytest.param('["a", "a", " a "]', ["a"], id="repeated"),
        pytest.param('["a\\nb"]', ["a b"], id="lines"),
        pytest.param('["", 3, null, {"b": 1}]', [], id="no texts"),
        pytest.param(json.dumps(["x" * 301]), [], id="too long"),
        pytest.param("[]", [], id="none needed"),
    ],
)
def test_sub_questions_are_read_from_a_reply(reply: str, expected: list[str]) -> None:
    assert read_sub_questions(reply) == expected


@pytest.mark.parametrize("reply", ["", "none", '["half', "[" * 100_000])
def test_reply_without_a_list_is_no_answer(reply: str) -> None:
    with pytest.raises(AnswerFailed, match="no list"):
        read_sub_questions(reply)
