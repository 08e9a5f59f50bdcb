"""From a question to an answer with citations, as it is being written."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from agents.citations import Citation, CitationStream
from agents.history import Turn, latest_turns, search_query
from agents.prompts import Message, render_answer_messages
from config.errors import AnswerFailed
from indexing.types import Chunk

PASSAGES = 8
"""How many passages a model is given."""

SPARE = 3
"""How many times as many are looked at, since copies of the same text do not count."""

Retrieve = Callable[[str, int], Awaitable[list[Chunk]]]
Stream = Callable[[Sequence[Message]], AsyncIterator[str]]


@dataclass(frozen=True, slots=True)
class Delta:
    """The next words of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer; `response` is all deltas put together."""

    response: str
    citations: Sequence[Citation]


async def answer(
    question: str, turns: Sequence[Turn], retrieve: Retrieve, stream: Stream
) -> AsyncIterator[Delta | Answer]:
    """Yield the answer's words as they come, and at the end the answer as a whole.

    Raises:
        RetrievalFailed: the documents cannot be searched.
        AnswerFailed: the model fails, or says nothing.
    """
    found = await retrieve(search_query(question, turns), PASSAGES * SPARE)
    chunks = _distinct(found)[:PASSAGES]
    messages = render_answer_messages(question, chunks, latest_turns(turns))
    citations = CitationStream(chunks)
    said: list[str] = []
    async with aclosing(stream(messages)) as words:  # type: ignore[type-var]  # a generator
        async for word in words:
            if text := citations.feed(word):
                said.append(text)
                yield Delta(text)
    if rest := citations.close():
        said.append(rest)
        yield Delta(rest)
    response = "".join(said)
    if not response.strip():
        raise AnswerFailed("the model gave an empty answer")
    yield Answer(response, citations.citations)


def _distinct(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Drop those whose text a better one has already."""
    best: dict[str, Chunk] = {}
    for chunk in chunks:
        best.setdefault(chunk.content, chunk)
    return list(best.values())
