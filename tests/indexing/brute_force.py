"""BM25 as it is written in the books, for chunks in several languages."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from sqlalchemy.ext.asyncio import AsyncEngine

from indexing.language import language_of
from indexing.lexical_search import LexicalHit, LexicalSearch
from indexing.terms import query_terms, terms
from tests.indexing.searching import searching

Corpus = Mapping[str, Sequence[str]]
"""The texts of each data source."""


def brute_force_bm25(
    corpus: Corpus, query: str, limit: int, data_source_ids: Sequence[str] | None = None
) -> list[LexicalHit]:
    """Score every chunk; how rare a word is counts over all chunks, each in its language."""
    languages = {one: language_of(texts) for one, texts in corpus.items()}
    order = sorted({*languages.values(), "english"})
    chunks = {
        (one, position): Counter(terms(text, languages[one]))
        for one, texts in corpus.items()
        for position, text in enumerate(texts)
    }
    average_length = sum(chunk.total() for chunk in chunks.values()) / (len(chunks) or 1)
    scores = dict.fromkeys(chunks, 0.0)
    for word, count in query_terms(query, order).items():
        frequencies = {
            place: chunk[word[order.index(languages[place[0]])] or ""]
            for place, chunk in chunks.items()
        }
        holders = sum(frequency > 0 for frequency in frequencies.values())
        idf = math.log(1 + (len(chunks) - holders + 0.5) / (holders + 0.5))
        for place, frequency in frequencies.items():
            norm = 1.2 * (1 - 0.75 + 0.75 * chunks[place].total() / (average_length or 1))
            scores[place] += count * idf * frequency / (frequency + norm)
    wanted = corpus.keys() if data_source_ids is None else data_source_ids
    hits = [
        LexicalHit(one, position, score)
        for (one, position), score in scores.items()
        if score > 0 and one in wanted
    ]
    return sorted(hits, key=_rank)[:limit]


def brute_force_fits(corpus: Corpus, query: str) -> dict[str, float]:
    """Judge every document by the rarity of its words among documents and by their density."""
    languages = {one: language_of(texts) for one, texts in corpus.items()}
    order = sorted({*languages.values(), "english"})
    fits = {one: 0.0 for one, texts in corpus.items() if texts}
    for word in query_terms(query, order):
        holding = {
            one: sum(
                (word[order.index(languages[one])] or "") in terms(text, languages[one])
                for text in corpus[one]
            )
            for one in fits
        }
        holders = sum(count > 0 for count in holding.values())
        rarity = math.log(1 + (len(fits) - holders + 0.5) / (holders + 0.5))
        for one, count in holding.items():
            fits[one] += rarity * count / (len(corpus[one]) + 10)
    best = max(fits.values(), default=0) or 1.0
    gate = min(1, best / math.log(1 + (len(fits) - 0.5) / 1.5))
    return {one: fit / best * gate for one, fit in fits.items()}


async def found_by(
    database: AsyncEngine,
    engine_id: str,
    query: str,
    limit: int,
    data_source_ids: Sequence[str] | None = None,
) -> list[LexicalHit]:
    """Return the chunks that a search finds, of what is committed."""
    search = partial(
        LexicalSearch().score,
        engine_id=engine_id,
        query=query,
        limit=limit,
        data_source_ids=data_source_ids,
    )
    return list((await searching(database, search)).hits)


def _rank(hit: LexicalHit) -> tuple[float, str, int]:
    # Sums in another order differ in the last digits, which is no difference in rank.
    return -round(hit.score, 9), hit.data_source_id, hit.position
