"""Puts the best chunks in another order, as the section `rerank` of the routing file says."""

import asyncio
import importlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from agents.resting import Rest
from config.search_services import RerankService
from indexing.fusion import DOCUMENT_WEIGHT
from indexing.types import Chunk

CLEAR_MARGIN = 0.2
"""By how much the best chunk leads where nobody is asked. Not tuned: it spares calls only."""

_logger = logging.getLogger(__name__)


class Outcome(StrEnum):
    """What came of asking for another order."""

    RERANKED = "reranked"
    SETTLED = "settled"  # nobody was asked, for the best chunk stands out
    FAILED = "failed"  # no order came, or none in time; the one that there was stands


@dataclass(frozen=True, slots=True)
class Reranked:
    """Chunks in the order that is to be used."""

    chunks: Sequence[Chunk]
    outcome: Outcome


class ServiceReranker:
    """Asks a service how well chunks fit a query; it never keeps a search from its result.

    A service that has failed is left alone for a while.
    """

    def __init__(self, service: RerankService) -> None:
        self.candidates = service.candidates
        self._service = service
        self._rest = Rest()

    async def rerank(self, query: str, chunks: Sequence[Chunk]) -> Reranked:
        """Return the chunks in the service's order, or in theirs where it gives none in time.

        Scores stay with their places, so that they still fall from the first to the last.
        """
        if is_settled(chunks):
            return Reranked(chunks, Outcome.SETTLED)
        order = await self._order(query, [chunk.content for chunk in chunks])
        if order is None:
            return Reranked(chunks, Outcome.FAILED)
        places = zip(order, chunks, strict=True)
        ranked = [replace(chunks[number], score=place.score) for number, place in places]
        return Reranked(ranked, Outcome.RERANKED)

    async def _order(self, query: str, texts: Sequence[str]) -> list[int] | None:
        if self._rest.is_on:
            return None
        await asyncio.to_thread(importlib.import_module, "agents.search_calls")
        from agents.search_calls import CallFailed, rerank

        try:
            async with asyncio.timeout(self._service.timeout_seconds):
                return await rerank(self._service, query, texts)
        except (CallFailed, TimeoutError) as error:
            self._rest.begin(error.retry_after_seconds if isinstance(error, CallFailed) else None)
            failure = str(error) or "the model provider did not answer in time"
            _logger.warning("%s does not rerank: %s", self._service.model, failure)
            return None


def is_settled(chunks: Sequence[Chunk]) -> bool:
    """Tell whether the best chunk needs no second opinion.

    It is far ahead, or has the query word for word: then its score has 1 more than all else gives.
    """
    if len(chunks) < 2:
        return True
    best, second = chunks[0].score, chunks[1].score
    return best > 1 + DOCUMENT_WEIGHT or best - second >= CLEAR_MARGIN
