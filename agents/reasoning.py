"""Advanced reasoning: a question that one search does not answer is searched in several rounds.

The question is taken apart, each part is searched, and what the passages found leave open is
searched again. A language model says what to search for; without one, rules do.
"""

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from agents.abilities import Complete, Retrieve
from agents.decomposition import leads, parts
from agents.prompts import Message
from agents.question_prompts import render_decomposition_messages, render_gap_messages
from config.errors import AnswerFailed
from indexing.types import Chunk

MAX_SEARCHES = 8
MAX_ROUNDS = 3

MAX_PARTS = 3
"""Into how many sub-questions a question is taken apart at most."""

MAX_GAPS = 2
"""How many more a model may ask for after each round but the last."""

LONGEST_SUB_QUESTION = 300

# A reply that opens more brackets before a list that can be read holds none.
_MOST_OPENINGS = 10

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The passages to answer from, most important first, and how they were found."""

    chunks: Sequence[Chunk]
    sub_questions: Sequence[str]  # searched besides the question itself
    rounds: int


async def gather(
    question: str, retrieve: Retrieve, complete: Complete | None, *, passages: int
) -> Gathered:
    """Find the passages that answer a question together, in at most MAX_ROUNDS of searches.

    Raises:
        RetrievalFailed: the documents cannot be searched.
    """
    planner = _Planner(question, complete)
    searched: dict[str, list[Chunk]] = {}
    wanted = [question, *await planner.parts()]
    rounds = 0
    while wanted:
        found = await asyncio.gather(*(retrieve(one, passages) for one in wanted))
        searched.update(zip(wanted, found, strict=True))
        chunks = merge(list(searched.values()), passages)
        rounds += 1
        room = MAX_SEARCHES - len(searched)
        gaps = await planner.gaps(chunks, room) if room and rounds < MAX_ROUNDS else []
        wanted = [one for one in gaps if one not in searched]
    return Gathered(chunks, [one for one in searched if one != question], rounds)


def merge(rankings: Sequence[Sequence[Chunk]], passages: int) -> list[Chunk]:
    """Return the passages to answer from: the question's own in turn with those of its parts.

    The first ranking is the question's own, of which at least half of the passages are. Of each
    other only the best counts: what stands below it answers that sub-question less well than the
    question's own answer the question.
    """
    own, *others = rankings
    kept = own[: passages - passages // 2]
    shown = {chunk.content for chunk in kept}
    best = [ranking[0] for ranking in others if ranking and ranking[0].content not in shown]
    added = sorted(_distinct(best), key=lambda chunk: -chunk.score)[: passages // 2]
    in_turn = [chunk for pair in zip_longest(kept, added) for chunk in pair if chunk is not None]
    return _distinct([*in_turn, *own])[:passages]


class _Planner:
    """Says what to search for: a model as long as it answers, else the rules."""

    def __init__(self, question: str, complete: Complete | None) -> None:
        self._question = question
        self._complete = complete

    async def parts(self) -> list[str]:
        """Return the sub-questions to begin with, besides the question itself."""
        messages = render_decomposition_messages(self._question, MAX_PARTS)
        by_model = await self._ask(messages, MAX_PARTS)
        return parts(self._question, MAX_PARTS) if by_model is None else by_model

    async def gaps(self, chunks: Sequence[Chunk], room: int) -> list[str]:
        """Return what to search for next, at most `room`, given the passages found so far."""
        messages = render_gap_messages(self._question, chunks, MAX_GAPS)
        by_model = await self._ask(messages, min(room, MAX_GAPS))
        return list(islice(leads(self._question, chunks), room)) if by_model is None else by_model

    async def _ask(self, messages: Sequence[Message], most: int) -> list[str] | None:
        """Return the sub-questions a model writes; None, now and later, when it does not."""
        if self._complete is None:
            return None
        try:
            written = read_sub_questions(await self._complete(messages))
        except AnswerFailed as error:
            _logger.warning("Advanced reasoning goes on by rules: %s", error.message)
            self._complete = None
            return None
        return [one for one in written if one != self._question][:most]


def read_sub_questions(reply: str) -> list[str]:
    """Return the distinct texts of the JSON array in a model's reply.

    Models write around it, and write objects with an array in them.

    Raises:
        AnswerFailed: there is no array.
    """
    decoder = json.JSONDecoder()
    starts = (place for place, letter in enumerate(reply) if letter == "[")
    for start in islice(starts, _MOST_OPENINGS):
        try:
            value, _ = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            continue
        return list(dict.fromkeys(_sub_questions(value)))
    raise AnswerFailed("the model wrote no list of sub-questions")


def _sub_questions(values: Sequence[object]) -> Iterator[str]:
    """Yield those of the values that can be searched."""
    for value in values:
        text = " ".join(value.split()) if isinstance(value, str) else ""
        if 0 < len(text) <= LONGEST_SUB_QUESTION:
            yield text


def _distinct(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Drop those whose text a better one has already."""
    best: dict[str, Chunk] = {}
    for chunk in chunks:
        best.setdefault(chunk.content, chunk)
    return list(best.values())
