"""The plain ranking against the service's own, over the same documents."""

import numpy as np
import pytest

from app.database import libpq_url
from app.services import Services
from benchmarks.plain_ranking import (
    TECHNIQUES,
    WHOLE,
    Bm25,
    PlainRanking,
    Technique,
    fuse,
    read_chunks,
    without_place,
)
from indexing.engine_index import Source
from indexing.passage_embedding import PLACE_WEIGHT, embed_passages
from indexing.types import Passage
from tests.fakes import HashEmbedder

ENGINE = "kng_plain"

DOCUMENTS = {
    "ds_lease": (
        "Warehouse lease",
        ["The roof is kept by the landlord.", "The lease ends in May."],
    ),
    "ds_lamps": (
        "Lamp lore",
        ["An oil lamp wants oil.", "The wick of a lamp is cut.", "Oil ends."],
    ),
    "ds_notes": ("", ["Nothing of interest."]),
}
QUERIES = ["When does the lease end?", "oil for the lamp", "who keeps a roof", "lamp lore"]


def test_single_legs_and_whole_ranking_are_among_the_techniques() -> None:
    assert TECHNIQUES[-1] == WHOLE
    assert len({one.name for one in TECHNIQUES}) == len(TECHNIQUES)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("scope", [None, "ds_lamps"])
async def test_all_parts_together_rank_as_the_service_does(
    services: Services, query: str, scope: str | None
) -> None:
    await fill(services)
    ranking = plain_ranking(services)

    chunks = await services.indexes.retrieve(ENGINE, query, 20, [scope] if scope else None)

    legs = ranking.legs(query, services.embedder.embed([query])[0])
    expected = [(chunk.data_source_id, chunk.page_number) for chunk in chunks]
    assert ranking.rank(WHOLE, legs, 20, scope) == expected


def test_the_place_can_be_taken_out_of_a_vector_again() -> None:
    embedder = HashEmbedder()
    texts = [("A heading", "Its text."), ("", "Text without a place."), ("Other", "And more.")]
    plain = embedder.embed([content for _, content in texts])
    places = embedder.embed([place for place, _ in texts])
    places[1] = 0

    found = without_place(embed_passages(embedder, texts), places)

    np.testing.assert_allclose(found, plain, atol=1e-5)
    assert PLACE_WEIGHT > 0  # else this tells nothing


def test_words_are_scored_in_the_language_of_their_document() -> None:
    texts = [
        "Die Häuser am See sind alt und werden bald abgerissen.",
        "Old houses stand at the lake.",
    ]

    bm25 = Bm25(texts, np.array([0, 1]))

    assert bm25.scores("Haus").tolist()[1] == 0
    assert bm25.scores("Haus")[0] > 0
    assert bm25.scores("house")[1] > 0


def test_a_leg_alone_is_ordered_by_its_own_score() -> None:
    legs = {
        "dense content": np.array([0.1, 0.9, 0.5]),
        "lexical content": np.array([3.0, 0.0, 1.0]),
        "document": np.array([0.0, 1.0, 0.0]),
    }

    assert order(Technique("", dense="content"), legs) == [1, 2, 0]
    assert order(Technique("", lexical="content"), legs) == [0, 2]


def test_document_fit_counts_only_where_all_documents_are_searched() -> None:
    legs = {
        "dense content": np.array([0.5, 0.45]),
        "lexical content": np.array([0.0, 0.0]),
        "document": np.array([0.0, 1.0]),
    }
    technique = Technique("", dense="content", lexical="content", with_document=True)

    assert fuse(technique, legs, with_document=True).tolist() == [1, 0]
    assert fuse(technique, legs, with_document=False).tolist() == [0, 1]


def order(
    technique: Technique, legs: dict[str, "np.ndarray[tuple[int], np.dtype[np.float64]]"]
) -> list[int]:
    ranked: list[int] = fuse(technique, legs, with_document=True).tolist()
    return ranked


async def fill(services: Services) -> None:
    async with services.database.engine.begin() as connection:
        await services.indexes.create(connection, ENGINE)
        for data_source_id, (name, texts) in DOCUMENTS.items():
            source = Source(data_source_id, f"{data_source_id}.md", name)
            pages = [Passage(at, at + 1, "", text) for at, text in enumerate(texts)]
            passages = list(zip(pages, services.embedder.embed(texts), strict=True))
            packed = await services.indexes.pack(source, passages)
            await services.indexes.insert(connection, ENGINE, packed)


def plain_ranking(services: Services) -> PlainRanking:
    chunks = read_chunks(libpq_url(services.database.url), ENGINE)
    names = {data_source_id: name for data_source_id, (name, _) in DOCUMENTS.items()}
    return PlainRanking(chunks, names, chunks.vectors)
