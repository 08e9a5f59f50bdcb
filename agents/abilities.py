"""What answering a question needs of others: searches, and the words of language models."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from agents.prompts import Message
from agents.verification import CheckedSentence
from indexing.types import Chunk

Retrieve = Callable[[str, int], Awaitable[list[Chunk]]]
"""Returns the chunks that fit a query best, at most so many; raises RetrievalFailed."""

Complete = Callable[[Sequence[Message]], Awaitable[str]]
"""Asks a language model for a whole short text; raises AnswerFailed where it fails."""

Judge = Callable[[Sequence[CheckedSentence], Sequence[Chunk]], Awaitable[list[CheckedSentence]]]
"""Adds a second model's word to the sentences of an answer, given the passages it cites."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What one question may make use of; None where no language model can be asked."""

    retrieve: Retrieve
    join_neighbours: Callable[[Sequence[Chunk]], Awaitable[list[Chunk]]]
    stream: Callable[[Sequence[Message]], AsyncGenerator[str, None]]
    # Given the question and its evidence, and how many characters of the conversation are shown.
    choose_model: Callable[[str, Sequence[Chunk], int], None]
    rewrite: Complete | None = None
    decompose: Complete | None = None
    judge: Judge | None = None
