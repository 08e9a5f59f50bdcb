"""The ranking of the service once more, written plainly, so that its parts can be left out.

It reads the chunks and vectors that a service has stored, and shares with it how a text becomes
terms and the weights; scores and their sums are computed here, over all chunks.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector.psycopg import register_vector
from psycopg import sql

from indexing.bm25 import K1, SMOOTHING, B
from indexing.embedding import Vectors
from indexing.fusion import DENSE_WEIGHT, DOCUMENT_WEIGHT
from indexing.headers import joined
from indexing.hybrid_search import CANDIDATES
from indexing.language import language_of
from indexing.passage_embedding import PLACE_WEIGHT
from indexing.terms import query_terms, terms

STORED = """
SELECT metadata_ ->> 'ref_doc_id', (metadata_ ->> 'page_number')::int, metadata_ ->> 'place', text,
       embedding
FROM {table} WHERE embedding IS NOT NULL ORDER BY id
"""

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StoredChunks:
    """The chunks of an engine, in the order they were stored."""

    data_source_ids: Sequence[str]
    owners: NDArray[np.int64]  # of each chunk, the number of its data source
    pages: Sequence[int]
    places: Sequence[str]
    contents: Sequence[str]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Technique:
    """What a ranking is made of."""

    name: str
    dense: str = ""  # which vectors, if any: of the "content", or with its "place"
    lexical: str = ""  # which words, if any: those of the "content", or of its "header" too
    with_document: bool = False


TECHNIQUES = (
    Technique("BM25 alone", lexical="content"),
    Technique("BM25 alone, with header", lexical="header"),
    Technique("dense alone", dense="content"),
    Technique("dense alone, with place", dense="place"),
    Technique("both, fused", dense="content", lexical="content"),
    Technique("+ place in the vector", dense="place", lexical="content"),
    Technique("+ header in the words", dense="place", lexical="header"),
    Technique("+ document fit = all", dense="place", lexical="header", with_document=True),
)
SINGLE_LEGS = TECHNIQUES[:4]
WHOLE = TECHNIQUES[-1]


def read_chunks(database_url: str, engine_id: str) -> StoredChunks:
    """Read the chunks of an engine from its service's database."""
    with psycopg.connect(database_url) as connection:
        register_vector(connection)
        statement = sql.SQL(STORED).format(table=sql.Identifier(f"data_{engine_id}"))
        rows = connection.execute(statement, binary=True).fetchall()
    owners_ids, pages, places, contents, vectors = zip(*rows, strict=True)
    numbers = {one: number for number, one in enumerate(dict.fromkeys(owners_ids))}
    owners = np.array([numbers[one] for one in owners_ids])
    return StoredChunks(
        list(numbers),
        owners,
        pages,
        places,
        contents,
        np.stack([vector.to_numpy() for vector in vectors]),
    )


def without_place(vectors: Vectors, places: Vectors) -> Vectors:
    """Return the vectors of the contents alone, given those of the places; 0 where there is none.

    A stored vector is content + PLACE_WEIGHT * place, brought to length 1. The content's vector has
    length 1 too, which leaves one length that the sum can have had. So no text is embedded twice.
    """
    product = PLACE_WEIGHT * (vectors * places).sum(axis=1)
    rest = 1 - PLACE_WEIGHT**2 * (places * places).sum(axis=1)
    lengths = product + np.sqrt(product**2 + rest)
    plain: Vectors = vectors * lengths[:, None] - PLACE_WEIGHT * places
    return plain


class Bm25:
    """BM25 over the words of chunks, each in the language of its document."""

    def __init__(self, texts: Sequence[str], owners: NDArray[np.int64]) -> None:
        self._owners = owners
        self._sizes = np.bincount(owners)  # chunks of each document
        by_owner: dict[int, list[str]] = defaultdict(list)
        for owner, text in zip(owners.tolist(), texts, strict=True):
            by_owner[owner].append(text)
        languages = {owner: language_of(own) for owner, own in by_owner.items()}
        self._languages = sorted(set(languages.values()))
        holders: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        lengths = np.zeros(len(texts))
        for number, text in enumerate(texts):
            language = languages[int(owners[number])]
            counts = Counter(terms(text, language))
            lengths[number] = counts.total()
            for term, count in counts.items():
                holders[language, term].append((number, count))
        self._postings = {key: np.array(pairs) for key, pairs in holders.items()}
        self._slowness = K1 * (1 - B + B * lengths / lengths.mean())

    def scores(self, query: str) -> Scores:
        """Return the score of every chunk."""
        scores = np.zeros(len(self._owners))
        for postings, count in self._words(query):
            chunks, frequencies = postings.T
            rarity = _rarity(len(scores), len(chunks))
            scores[chunks] += count * rarity * frequencies / (frequencies + self._slowness[chunks])
        return scores

    def fits(self, query: str) -> Scores:
        """Return how well every document fits: the rarity of its words, times their density."""
        fits = np.zeros(len(self._sizes))
        for postings, _ in self._words(query):
            holding = np.bincount(self._owners[postings[:, 0]], minlength=len(fits))
            rarity = _rarity(len(fits), np.count_nonzero(holding))
            fits += rarity * holding / (self._sizes + SMOOTHING)
        best = fits.max() or 1.0
        return fits / best * min(1.0, best / _rarity(len(fits), 1))

    def _words(self, query: str) -> list[tuple[NDArray[np.int64], int]]:
        """Return (chunk, frequency) of those that have it, and its count, for each known word."""
        words = []
        for word, count in query_terms(query, self._languages).items():
            keys = zip(self._languages, word, strict=True)
            own = [self._postings[key] for key in keys if key in self._postings]
            if own:
                words.append((np.concatenate(own), count))
        return words


class PlainRanking:
    """The chunks of an engine, ready to be ranked by any technique."""

    def __init__(
        self, chunks: StoredChunks, names: Mapping[str, str], plain_vectors: Vectors
    ) -> None:
        self._chunks = chunks
        self._vectors = {"content": plain_vectors, "place": chunks.vectors}
        headed = [
            f"{joined((names[chunks.data_source_ids[owner]], place), content)}\n{content}"
            for owner, place, content in zip(
                chunks.owners, chunks.places, chunks.contents, strict=True
            )
        ]
        self._lexical = {
            "content": Bm25(chunks.contents, chunks.owners),
            "header": Bm25(headed, chunks.owners),
        }

    def legs(self, query: str, vector: Vectors) -> dict[str, Scores]:
        """Return every score that a technique may want, of all chunks."""
        cosines = {f"dense {name}": own @ vector for name, own in self._vectors.items()}
        words = {f"lexical {name}": own.scores(query) for name, own in self._lexical.items()}
        fits = self._lexical["header"].fits(query)[self._chunks.owners]
        return {**cosines, **words, "document": fits}

    def rank(
        self,
        technique: Technique,
        legs: Mapping[str, Scores],
        top: int,
        data_source_id: str | None = None,
    ) -> list[tuple[str, int]]:
        """Return data source and page of the best chunks, of one data source if it is given."""
        chunks = np.arange(len(self._chunks.owners))
        if data_source_id is not None:
            owner = self._chunks.data_source_ids.index(data_source_id)
            chunks = chunks[self._chunks.owners == owner]
        own = {name: scores[chunks] for name, scores in legs.items()}
        best = fuse(technique, own, with_document=data_source_id is None)[:top]
        return [
            (self._chunks.data_source_ids[self._chunks.owners[at]], self._chunks.pages[at])
            for at in chunks[best].tolist()
        ]


def fuse(
    technique: Technique, legs: Mapping[str, Scores], *, with_document: bool
) -> NDArray[np.int64]:
    """Return the places of the chunks that a technique's legs find, best first."""
    size = len(legs["document"])
    scores = np.zeros(size)
    is_candidate = np.zeros(size, bool)
    dense_weight = DENSE_WEIGHT if technique.lexical else 1.0
    if technique.dense:
        cosines = legs[f"dense {technique.dense}"]
        is_candidate[_best(cosines)] = True
        scores += dense_weight * cosines
    if technique.lexical:
        words = legs[f"lexical {technique.lexical}"]
        found = _best(words)
        is_candidate[found[words[found] > 0]] = True
        scores += (1 - dense_weight if technique.dense else 1.0) * words / (words.max() or 1.0)
    if technique.with_document and with_document:
        scores += DOCUMENT_WEIGHT * legs["document"]
    candidates = np.flatnonzero(is_candidate)
    ordered: NDArray[np.int64] = candidates[np.argsort(-scores[candidates], kind="stable")]
    return ordered


def _best(scores: Scores) -> NDArray[Any]:
    return np.argsort(-scores, kind="stable")[:CANDIDATES]


def _rarity(count: int, holding: int) -> float:
    return float(np.log(1 + (count - holding + 0.5) / (holding + 0.5)))
