"""One order from the two searches of an engine: by meaning and by words."""

import re
from collections.abc import Sequence
from dataclasses import replace

from indexing.chunk_ids import chunk_id
from indexing.lexical_search import LexicalResult
from indexing.near_duplicates import distinct_first
from indexing.types import Chunk

DENSE_WEIGHT = 0.7
"""Share of the cosine in the fused score; the rest is BM25 over the query's best."""

DOCUMENT_WEIGHT = 0.15
"""Of how well the whole document fits, added to the two: a question may name it, not the chunk."""

DIGITS = 6
"""Of a score; those behind them depend on who computes a cosine, and would tell copies apart."""

# Fewer words stand together by chance; more are no quotation but a text.
_FEWEST_QUOTED_WORDS = 3
_MOST_QUOTED_WORDS = 60
_WORD = re.compile(r"[^\W_]+")


def fuse(query: str, chunks: Sequence[Chunk], found: LexicalResult, top_k: int) -> list[Chunk]:
    """Return the best chunks by a convex combination of their cosine and their BM25 score.

    BM25 is divided by the query's best, so that both lie between 0 and 1 (Bruch et al. 2023, "An
    Analysis of Fusion Functions for Hybrid Retrieval"). Their document adds how well it fits as a
    whole. A chunk that has the query word for word stands before all others: whoever copies a
    passage wants that passage. A chunk without a vector, of which the cosine comes as 0, is judged
    by its words alone. Chunks that repeat a better one come last.
    """
    best = max((hit.score for hit in found.hits), default=1.0)
    lexical_shares = {
        chunk_id(hit.data_source_id, hit.position): hit.score / best for hit in found.hits
    }
    quoting = _quoting(query, chunks)

    def score(chunk: Chunk) -> float:
        lexical_share = lexical_shares.get(chunk.chunk_id, 0.0)
        cosine = chunk.score or lexical_share
        fused = DENSE_WEIGHT * cosine + (1 - DENSE_WEIGHT) * lexical_share
        fused += DOCUMENT_WEIGHT * found.fits.get(chunk.data_source_id, 0.0)
        return round(fused + 1 if chunk.chunk_id in quoting else fused, DIGITS)

    scores = {chunk.chunk_id: score(chunk) for chunk in chunks}
    ranked = sorted(chunks, key=lambda chunk: (-scores[chunk.chunk_id], chunk.chunk_id))
    first = distinct_first(ranked, top_k)
    return [replace(chunk, score=scores[chunk.chunk_id]) for chunk in first]


def _quoting(query: str, chunks: Sequence[Chunk]) -> set[str]:
    """Return the chunks that have the words of a query in their order, whatever is between them."""
    words = _WORD.findall(query.lower())
    if not _FEWEST_QUOTED_WORDS <= len(words) <= _MOST_QUOTED_WORDS:
        return set()
    # To build the expression takes longer than to find out that it is hardly ever needed.
    texts = {chunk.chunk_id: chunk.content.lower() for chunk in chunks}
    rarest_first = sorted(words, key=len, reverse=True)  # Long words are rare, as a rule.
    likely = [one for one, text in texts.items() if all(word in text for word in rarest_first)]
    if not likely:
        return set()
    in_order = re.compile(r"[\W_]*".join(map(re.escape, words)))
    return {one for one in likely if in_order.search(texts[one])}
