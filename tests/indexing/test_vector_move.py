"""Moving an engine from store to store, while it is asked, filled and emptied, and after deaths."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from app.milvus import discard_vectors
from app.services import Services
from config.settings import VectorStoreName
from indexing.engine_index import EngineIndexes
from indexing.milvus import Milvus, MilvusAway
from indexing.placement import MoveEndedEarly, Placement
from indexing.vector_move import BATCH, VectorMove
from indexing.vector_store import EngineVectorStore
from tests.indexing.engines_in_stores import (
    delete,
    embed_all,
    insert,
    new_engine,
    placement_of,
    use_milvus,
)
from tests.indexing.test_vector_store_contract import QUERY, texts
from tests.milvus_server import MilvusServer

POSTGRES, MILVUS = VectorStoreName
MANY = 2 * BATCH + 40

both_ways = pytest.mark.parametrize(
    ("source", "target"),
    [pytest.param(POSTGRES, MILVUS, id="to milvus"), pytest.param(MILVUS, POSTGRES, id="back")],
)


@pytest.fixture(autouse=True)
def _both_stores(services: Services, milvus: MilvusServer) -> None:
    use_milvus(services, milvus)


@both_ways
async def test_moved_engine_finds_the_same_in_its_new_place_only(
    services: Services, source: VectorStoreName, target: VectorStoreName
) -> None:
    engine_id = await filled(services, source)
    before = await found(services, engine_id)

    copied = await moved(services, engine_id, target)

    assert copied == MANY
    assert await found(services, engine_id) == before
    assert await placement_of(services, engine_id) == Placement(target)
    assert await counts(services, engine_id) == {target: MANY, source: 0}


@both_ways
async def test_engine_answers_takes_and_loses_documents_while_it_moves(
    services: Services, source: VectorStoreName, target: VectorStoreName
) -> None:
    engine_id = await filled(services, source)
    await insert(services, engine_id, "ds_late", texts(30, seed=7), embedded=False)

    async with being_asked(services, engine_id) as answers:
        move = moving(services, engine_id, target)
        await move.begin()
        await insert(services, engine_id, "ds_new", texts(30, seed=8))
        assert await move.copy_batch() == BATCH
        assert len(await embed_all(services, engine_id, "ds_late")) == 30
        await delete(services, engine_id, "ds_0")
        await discard_vectors(services)
        await move.run(lambda count: None)
        await discard_vectors(services)

    left = MANY - MANY // 2 + 60
    assert len(answers) > 3
    assert set(answers) == {20}
    assert await counts(services, engine_id) == {target: left, source: 0}
    assert await embed_all(services, engine_id, "ds_late") == []


@both_ways
@pytest.mark.parametrize("steps", [1, 2, 5], ids=["begun", "copied some", "switched"])
async def test_move_that_ended_after_any_step_goes_on(
    services: Services, source: VectorStoreName, target: VectorStoreName, steps: int
) -> None:
    engine_id = await filled(services, source)
    before = await found(services, engine_id)
    dying = moving(services, engine_id, target)
    for step in [dying.begin, *[dying.copy_batch] * 3, dying.switch][:steps]:
        await step()
    between = await found(services, engine_id)

    copied = await moved(services, engine_id, target)

    assert between == before == await found(services, engine_id)
    assert copied == max(MANY - (steps - 1) * BATCH, 0)
    assert await counts(services, engine_id) == {target: MANY, source: 0}


@both_ways
async def test_move_can_be_given_up_by_one_to_where_it_was(
    services: Services, source: VectorStoreName, target: VectorStoreName
) -> None:
    engine_id = await filled(services, source)
    before = await found(services, engine_id)
    given_up = moving(services, engine_id, target)
    await given_up.begin()
    await given_up.copy_batch()

    await moved(services, engine_id, source)

    assert await found(services, engine_id) == before
    assert await counts(services, engine_id) == {source: MANY, target: 0}
    with pytest.raises(MoveEndedEarly, match="is moved elsewhere"):
        await given_up.copy_batch()
    assert await moved(services, engine_id, target) == MANY
    assert await found(services, engine_id) == before


async def test_move_that_was_killed_between_the_two_systems_goes_on(
    services: Services, milvus: MilvusServer
) -> None:
    engine_id = await filled(services, POSTGRES)
    before = await found(services, engine_id)

    arguments = (services.database.url, milvus.uri, engine_id)
    command = [sys.executable, "-m", "tests.indexing.dying_mover", *arguments]
    killed = await asyncio.to_thread(subprocess.run, command)
    between = await found(services, engine_id)
    await moved(services, engine_id, MILVUS)

    assert killed.returncode == -signal.SIGKILL
    assert between == before == await found(services, engine_id)
    assert await counts(services, engine_id) == {MILVUS: MANY, POSTGRES: 0}


async def test_nothing_is_begun_while_milvus_is_away_and_giving_up_needs_none(
    services: Services,
) -> None:
    engine_id = await new_engine(services, POSTGRES)
    begun = await new_engine(services, POSTGRES)
    await moving(services, begun, MILVUS).begin()
    services.indexes.milvus = Milvus("http://127.0.0.1:1", dimensions=1)

    with pytest.raises(MilvusAway):
        await services.indexes.move(engine_id, MILVUS, lambda count: None)
    await services.indexes.move(begun, POSTGRES, lambda count: None)

    for one in (engine_id, begun):
        assert await placement_of(services, one) == Placement(POSTGRES)


async def test_engine_that_is_not_there_is_not_moved(services: Services) -> None:
    with pytest.raises(MoveEndedEarly, match="There is no knowledge engine kng_gone"):
        await moved(services, "kng_gone", MILVUS)


async def filled(services: Services, store: VectorStoreName) -> str:
    """Return an engine with more vectors than are copied at once, in two data sources."""
    engine_id = await new_engine(services, store)
    for number in range(2):
        half = MANY // 2
        await insert(services, engine_id, f"ds_{number}", texts(half, seed=number))
    return engine_id


async def found(services: Services, engine_id: str) -> list[tuple[float, str]]:
    """Return what is found, best first; equals by their ids, and not those who are last."""
    chunks = await services.indexes.retrieve(engine_id, QUERY, 20)
    ranked = sorted((-round(one.score, 4), one.chunk_id) for one in chunks)
    return [one for one in ranked if one[0] < ranked[-1][0]]


async def moved(services: Services, engine_id: str, target: VectorStoreName) -> int:
    """Move an engine as the command does; return how many vectors were copied."""
    copied: list[int] = []
    await services.indexes.move(engine_id, target, copied.append)
    await discard_vectors(services, engine_id)
    return sum(copied)


def moving(services: Services, engine_id: str, target: VectorStoreName) -> VectorMove:
    """Return a move to be made step by step."""
    database, dimensions = services.database.engine, services.embedder.dimensions
    store = EngineVectorStore.of_engine(engine_id, database, dimensions)
    return VectorMove(database, store, services.indexes.milvus, target)


async def counts(services: Services, engine_id: str) -> dict[VectorStoreName, int]:
    """Count the vectors that are in each of the stores."""
    statement = f"SELECT count(embedding) FROM data_{engine_id}"
    async with services.database.engine.connect() as connection:
        in_postgres = (await connection.exec_driver_sql(statement)).scalar_one()
    return {POSTGRES: in_postgres, MILVUS: services.indexes.milvus.count(engine_id)}


@asynccontextmanager
async def being_asked(services: Services, engine_id: str) -> AsyncIterator[Sequence[int]]:
    """Ask again and again, as another process does; yield how much was found each time."""
    other = EngineIndexes(services.database.engine, services.embedder)
    other.milvus = services.indexes.milvus
    answers: list[int] = []

    async def ask() -> None:
        while True:
            answers.append(len(await other.retrieve(engine_id, QUERY, 20)))

    asking = asyncio.create_task(ask())
    yield answers
    assert not asking.done()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await other.close()
