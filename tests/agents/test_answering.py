from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

import pytest

from agents.abilities import Abilities, Judge
from agents.answering import MOST_CHARACTERS, PASSAGES, Answer, Delta, Question, answer
from agents.grounding import Verdict
from agents.history import Turn
from agents.prompts import Message, read_passages, read_question
from agents.verification import CheckedSentence
from config.errors import AnswerFailed, RetrievalFailed
from indexing.types import Chunk
from tests.agents.chunks import chunk
from tests.fakes import ScriptedLLM

LEASE = chunk(1, "The lease ends in March 2026. The tenant is Harbour Light Ltd.")
RENT = chunk(2, "The yearly rent is 48,000 pounds.")


@dataclass
class Library:
    """Finds the same chunks for every query, and keeps what it was asked for."""

    chunks: Sequence[Chunk]
    asked: list[tuple[str, int]] = field(default_factory=list)

    async def retrieve(self, query: str, top_k: int) -> list[Chunk]:
        self.asked.append((query, top_k))
        return list(self.chunks[:top_k])

    async def join_neighbours(self, ranked: Sequence[Chunk]) -> list[Chunk]:
        return list(ranked)


@dataclass
class Choices:
    """Keeps what the model was chosen by."""

    made: list[tuple[str, Sequence[Chunk], int]] = field(default_factory=list)

    def choose(self, question: str, chunks: Sequence[Chunk], history_characters: int) -> None:
        self.made.append((question, chunks, history_characters))


async def test_answer_is_all_deltas_put_together() -> None:
    *words, whole = await said(["It ends ", "in March <source", "_id=1>", "."])

    assert [word.text for word in words if isinstance(word, Delta)] == [
        "It ends ",
        "in March ",
        "<source_id=1>",
        ".",
    ]
    assert isinstance(whole, Answer)
    assert whole.response == "It ends in March <source_id=1>."
    assert [citation.chunk for citation in whole.citations] == [LEASE]


async def test_key_of_the_wrong_passage_becomes_that_of_the_right_one() -> None:
    *_, whole = await said(["The yearly rent is 48,000 pounds <source_id=1>."])

    assert isinstance(whole, Answer)
    assert [citation.chunk for citation in whole.citations] == [RENT]


async def test_each_sentence_is_verified() -> None:
    *_, whole = await said(["It ends in March <source_id=1>. It is 52,000 pounds <source_id=2>."])

    assert isinstance(whole, Answer)
    assert [one.verdict for one in whole.verification] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


async def test_strict_answer_says_how_much_is_not_confirmed() -> None:
    *_, last, whole = await said(["It is 52,000 pounds <source_id=2>."], is_strict=True)

    assert isinstance(last, Delta)
    assert "1 of 1 statements" in last.text
    assert isinstance(whole, Answer)
    assert whole.response.endswith(last.text)


async def test_judge_is_shown_the_sentences_and_the_cited_passages() -> None:
    shown: list[Sequence[Chunk]] = []

    async def judge(
        sentences: Sequence[CheckedSentence], chunks: Sequence[Chunk]
    ) -> list[CheckedSentence]:
        shown.append(chunks)
        return [replace(one, reason="judge: supported") for one in sentences]

    *_, whole = await said(["The yearly rent is 48,000 pounds <source_id=2>."], judge=judge)

    assert shown == [[RENT]]
    assert isinstance(whole, Answer)
    assert [one.reason for one in whole.verification] == ["judge: supported"]


@pytest.mark.parametrize("words", [[], [""], [" ", "\n"], ["<source_id=9>"]])
async def test_answer_without_words_is_a_failure(words: list[str]) -> None:
    with pytest.raises(AnswerFailed, match="the model gave an empty answer"):
        await said(words)


async def test_answer_without_an_end_is_given_up() -> None:
    words = ["It ends in March. " * 1000] * (MOST_CHARACTERS // 10_000)

    with pytest.raises(AnswerFailed, match="the model said over 1,000,000 characters and no end"):
        await said(words)


async def test_follow_up_is_searched_and_asked_as_a_whole_question() -> None:
    library, llm, choices = Library([LEASE, RENT]), ScriptedLLM([["Yes."]]), Choices()
    turns = [Turn("What was the rent of the warehouse in 2022?", "It was 46,000 pounds.")]

    question = Question("And in 2023?", turns)
    await collected(question, abilities(library, llm, choices))

    ((searched, count),) = library.asked
    assert "rent of the warehouse in 2023" in searched
    assert count == PASSAGES
    assert read_question(llm.prompts[0]) == searched
    assert [message["content"] for message in llm.prompts[0][1:3]] == [
        turns[0].query,
        turns[0].response,
    ]
    assert choices.made == [(searched, [LEASE, RENT], len(turns[0].query + turns[0].response))]


async def test_follow_up_is_rewritten_by_a_model_where_there_is_one() -> None:
    library, llm = Library([LEASE]), ScriptedLLM([["Yes."]])

    async def rewrite(messages: Sequence[Message]) -> str:
        return "Which company rents the warehouse in 2023?"

    can = replace(abilities(library, llm), rewrite=rewrite)
    await collected(Question("And in 2023?", [Turn("Who rents it in 2022?", "Nobody.")]), can)

    assert library.asked[0][0] == "Which company rents the warehouse in 2023?"


async def test_advanced_reasoning_searches_each_part_of_a_question() -> None:
    library, llm = Library([LEASE, RENT]), ScriptedLLM([["Yes."]])

    async def decompose(messages: Sequence[Message]) -> str:
        return '["When does the lease end?", "How high is the rent?"]'

    can = replace(abilities(library, llm), decompose=decompose)
    question = Question("When does it end and what does it cost?", advanced_reasoning=True)
    await collected(question, can)

    searched = [query for query, _ in library.asked]
    assert {"When does the lease end?", "How high is the rent?"} <= set(searched)
    assert set(read_passages(llm.prompts[0])) == {LEASE.content, RENT.content}


async def test_model_is_given_the_joined_passages() -> None:
    llm = ScriptedLLM([["Yes."]])

    async def join(ranked: Sequence[Chunk]) -> list[Chunk]:
        return [replace(ranked[0], content="\n".join(one.content for one in ranked))]

    can = replace(abilities(Library([LEASE, RENT]), llm), join_neighbours=join)
    await collected(Question("When?"), can)

    assert read_passages(llm.prompts[0]) == [f"{LEASE.content}\n{RENT.content}"]


async def test_failed_search_asks_no_model() -> None:
    llm = ScriptedLLM([["Never said."]])

    async def fail(query: str, top_k: int) -> list[Chunk]:
        raise RetrievalFailed("gone")

    with pytest.raises(RetrievalFailed):
        await collected(Question("When?"), replace(abilities(Library([]), llm), retrieve=fail))

    assert llm.prompts == []


async def test_listener_that_goes_away_stops_the_model() -> None:
    stopped = []

    async def stream(messages: Sequence[Message]) -> AsyncIterator[str]:
        try:
            yield "It "
            yield "ends"
        finally:
            stopped.append(True)

    can = replace(abilities(Library([]), ScriptedLLM()), stream=stream)
    async with aclosing(answer(Question("When?"), can)) as answering:  # type: ignore[type-var]  # a generator
        assert await anext(answering) == Delta("It ")

    assert stopped == [True]


def abilities(library: Library, llm: ScriptedLLM, choices: Choices | None = None) -> Abilities:
    def stream(messages: Sequence[Message]) -> AsyncIterator[str]:
        return llm.stream("m", messages)

    return Abilities(
        library.retrieve, library.join_neighbours, stream, (choices or Choices()).choose
    )


async def said(
    words: list[str], *, is_strict: bool = False, judge: Judge | None = None
) -> list[Delta | Answer]:
    """Return the events of an answer for which the model says these words."""
    can = abilities(Library([LEASE, RENT]), ScriptedLLM([list(words)]))
    return await collected(Question("When?", is_strict=is_strict), replace(can, judge=judge))


async def collected(question: Question, can: Abilities) -> list[Delta | Answer]:
    return [event async for event in answer(question, can)]
