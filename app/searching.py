"""Searching an engine as the configuration says: the fused order, or a reranker's after it."""

from collections.abc import Sequence

from app.services import Services
from indexing.types import Chunk


async def search(
    services: Services,
    engine_id: str,
    query: str,
    top_k: int,
    data_source_ids: Sequence[str] | None = None,
) -> list[Chunk]:
    """Return the chunks that fit a query best, best first; of these data sources if given.

    Raises:
        RetrievalFailed: the database cannot be searched.
    """
    reranker, indexes = services.reranker, services.indexes
    if reranker is None:
        return await indexes.retrieve(engine_id, query, top_k, data_source_ids)
    count = max(top_k, reranker.candidates)
    fused = await indexes.retrieve(engine_id, query, count, data_source_ids)
    candidates, further = fused[: reranker.candidates], fused[reranker.candidates :]
    reranked = await reranker.rerank(query, candidates)
    services.metrics.count_reranking(reranked.outcome)
    return [*reranked.chunks, *further][:top_k]
