from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

import pytest

from agents.answering import PASSAGES, SPARE, Answer, Delta, answer
from agents.history import Turn
from agents.prompts import Message, read_passages
from config.errors import AnswerFailed, RetrievalFailed
from indexing.types import Chunk
from tests.agents.chunks import chunk
from tests.fakes import ScriptedLLM


class Library:
    """Finds the same chunks for every query, and keeps what it was asked for."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks
        self.asked: list[tuple[str, int]] = []

    async def retrieve(self, query: str, top_k: int) -> list[Chunk]:
        self.asked.append((query, top_k))
        return list(self.chunks[:top_k])


async def test_answer_is_all_deltas_put_together() -> None:
    *words, whole = await events(["It ends ", "in March <source", "_id=1>", "."], chunk(1))

    assert words == [
        Delta("It ends "),
        Delta("in March "),
        Delta("<source_id=1>"),
        Delta("."),
    ]
    assert isinstance(whole, Answer)
    assert whole.response == "It ends in March <source_id=1>."
    assert [citation.chunk for citation in whole.citations] == [chunk(1)]


async def test_what_was_held_back_to_the_end_is_said() -> None:
    *words, whole = await events(["It ends <sour"], chunk(1))

    assert words == [Delta("It ends "), Delta("<sour")]
    assert isinstance(whole, Answer)
    assert whole.response == "It ends <sour"


@pytest.mark.parametrize("words", [[], [""], [" ", "\n"], ["<source_id=9>"]])
async def test_answer_without_words_is_a_failure(words: list[str]) -> None:
    with pytest.raises(AnswerFailed, match="the model gave an empty answer"):
        await events(words, chunk(1))


async def test_question_that_leans_on_the_last_is_searched_with_it() -> None:
    library, llm = Library([chunk(1)]), ScriptedLLM([["Yes."]])
    turns = [Turn("When does the lease end?", "In March.")]

    await collected(library, llm, "Can it be renewed?", turns)

    assert library.asked == [
        ("When does the lease end? Can it be renewed?", PASSAGES * SPARE),
    ]
    assert [message["content"] for message in llm.prompts[0][1:3]] == [
        "When does the lease end?",
        "In March.",
    ]


async def test_copies_of_a_passage_are_given_once() -> None:
    copies = [chunk(number, "The same.") for number in range(3)]
    library = Library([*copies, *(chunk(number) for number in range(3, 20))])
    llm = ScriptedLLM([["Yes <source_id=2>."]])

    *_, whole = await collected(library, llm, "When?", [])

    passages = read_passages(llm.prompts[0])
    assert passages == ["The same.", *(f"Clause {number}." for number in range(3, 10))]
    assert isinstance(whole, Answer)
    assert whole.citations[0].chunk == chunk(3)


async def test_failed_search_asks_no_model() -> None:
    llm = ScriptedLLM([["Never said."]])

    async def fail(query: str, top_k: int) -> list[Chunk]:
        raise RetrievalFailed("gone")

    with pytest.raises(RetrievalFailed):
        await anext(answer("When?", [], fail, lambda messages: llm.stream("m", messages)))

    assert llm.prompts == []


async def test_listener_that_goes_away_stops_the_model() -> None:
    stopped = []

    async def stream(messages: Sequence[Message]) -> AsyncIterator[str]:
        try:
            yield "It "
            yield "ends"
        finally:
            stopped.append(True)

    async with aclosing(answer("When?", [], Library([]).retrieve, stream)) as answering:  # type: ignore[type-var]  # a generator
        assert await anext(answering) == Delta("It ")

    assert stopped == [True]


async def events(words: list[str], *chunks: Chunk) -> list[Delta | Answer]:
    return await collected(Library(chunks), ScriptedLLM([list(words)]), "When?", [])


async def collected(
    library: Library, llm: ScriptedLLM, question: str, turns: Sequence[Turn]
) -> list[Delta | Answer]:
    def stream(messages: Sequence[Message]) -> AsyncIterator[str]:
        return llm.stream("m", messages)

    return [event async for event in answer(question, turns, library.retrieve, stream)]
