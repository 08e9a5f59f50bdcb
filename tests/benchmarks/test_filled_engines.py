"""Filled engines, over the service's own search."""

from collections.abc import AsyncIterator

import numpy as np
import pytest

from app.database import libpq_url
from benchmarks.filled_engines import EngineFiller, FilledEngine
from tests.client import Client

SIZE = 300


@pytest.fixture(scope="module")
async def filler(onlooker: Client) -> AsyncIterator[EngineFiller]:
    services = onlooker.services
    filler = EngineFiller(libpq_url(services.database.url), services.embedder)
    yield filler
    await filler.close()


@pytest.fixture(scope="module")
async def engine(onlooker: Client, filler: EngineFiller) -> FilledEngine:
    """Filled once for all tests, which only look."""
    created = await onlooker.post("/knowledge-engines", name="Filled")
    real = onlooker.services.embedder.embed(["one", "two", "three"])
    return await filler.fill(created["id"], SIZE, real)


async def test_filters_pass_the_shares_that_they_say(engine: FilledEngine) -> None:
    passed = {one.name: len(engine.eligible(one)) for one in engine.filters}

    assert passed == {"none": 300, "10.0%": 30, "1.0%": 3, "0.1%": 1, "10.0% by notes": 30}


async def test_exact_ranking_is_what_the_service_answers(
    onlooker: Client, filler: EngineFiller, engine: FilledEngine
) -> None:
    query = "the value of an expression"
    vector = onlooker.services.embedder.embed([query])[0]

    for wanted in engine.filters:
        path = f"/knowledge-engines/{engine.id}/retrieve"
        answer = await onlooker.post(path, query=query, top_k=20, **wanted.body)

        exact = await filler.rank_exactly(engine, query, vector, wanted)
        assert [chunk["chunk_id"] for chunk in answer["chunks"]] == exact[:20]


async def test_nearest_are_the_best_of_all_that_are_eligible(engine: FilledEngine) -> None:
    vector = engine.vectors[7]

    nearest = engine.nearest(vector, engine.filters[1], 5)

    cosines = engine.vectors @ vector
    eligible = engine.eligible(engine.filters[1])
    assert set(nearest) <= set(eligible.tolist())
    assert cosines[nearest].min() >= np.partition(cosines[eligible], -5)[-5]
