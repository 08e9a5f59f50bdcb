"""From a question to an answer with citations, as it is being written."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from agents.abilities import Abilities
from agents.citations import Citation, CitationStream
from agents.follow_up import standalone_question
from agents.history import Turn, latest_turns
from agents.prompts import render_answer_messages
from agents.reasoning import gather
from agents.verification import CheckedSentence
from config.errors import AnswerFailed
from indexing.types import Chunk

PASSAGES = 8
"""How many passages a model is given."""

MOST_CHARACTERS = 1_000_000
"""Twice what the longest answer of any model has; small ones repeat themselves without end."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how it is to be answered."""

    text: str
    turns: Sequence[Turn] = ()  # of the conversation, oldest first
    advanced_reasoning: bool = False
    is_strict: bool = False  # an answer with unsupported sentences ends with a line that says so


@dataclass(frozen=True, slots=True)
class Delta:
    """The next words of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer; `response` is all deltas put together."""

    response: str
    citations: Sequence[Citation] = ()
    verification: Sequence[CheckedSentence] = ()


async def answer(question: Question, can: Abilities) -> AsyncIterator[Delta | Answer]:
    """Yield the answer's words as they come, and at the end the answer as a whole.

    Raises:
        RetrievalFailed: the documents cannot be searched.
        AnswerFailed: the model fails, says nothing, or does not end.
    """
    asked = await standalone_question(question.text, question.turns, can.rewrite)
    chunks = await _evidence(asked, can, question.advanced_reasoning)
    history = latest_turns(question.turns)
    can.choose_model(asked, chunks, sum(len(one.query) + len(one.response) for one in history))
    citations = CitationStream(chunks, strict=question.is_strict)
    said: list[str] = []
    characters = 0
    messages = render_answer_messages(asked, chunks, history)
    async with aclosing(can.stream(messages)) as words:
        async for word in words:
            characters += len(word)
            if characters > MOST_CHARACTERS:
                raise AnswerFailed(f"the model said over {MOST_CHARACTERS:,} characters and no end")
            if text := citations.feed(word):
                said.append(text)
                yield Delta(text)
    if rest := citations.close():
        said.append(rest)
        yield Delta(rest)
    response = "".join(said)
    if not response.strip():
        raise AnswerFailed("the model gave an empty answer")
    verification: Sequence[CheckedSentence] = citations.verification
    if can.judge is not None:
        verification = await can.judge(
            verification, [citation.chunk for citation in citations.citations]
        )
    yield Answer(response, citations.citations, verification)


async def _evidence(question: str, can: Abilities, advanced_reasoning: bool) -> list[Chunk]:
    if advanced_reasoning:
        gathered = await gather(question, can.retrieve, can.decompose, passages=PASSAGES)
        found = gathered.chunks
    else:
        found = await can.retrieve(question, PASSAGES)
    return await can.join_neighbours(found)
