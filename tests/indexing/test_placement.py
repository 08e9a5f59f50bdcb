"""Where vectors live, and who waits for whom."""

import asyncio

from sqlalchemy import text

from app.services import Services
from config.settings import VectorStoreName
from indexing.placement import (
    Placement,
    change_placement,
    hold_placement,
    insert_unclaimed_vectors,
    lock_placement,
)
from tests.indexing.engines_in_stores import new_engine, placement_of

POSTGRES, MILVUS = VectorStoreName


async def test_new_engine_lives_where_it_was_made_for(services: Services) -> None:
    for store in VectorStoreName:
        engine_id = await new_engine(services, store)

        assert await placement_of(services, engine_id) == Placement(store)


async def test_unknown_engine_lives_nowhere(services: Services) -> None:
    assert await placement_of(services, "kng_gone") is None


async def test_new_vectors_go_to_both_places_during_a_move() -> None:
    moving, settled = Placement(POSTGRES, MILVUS), Placement(MILVUS)

    assert (moving.in_postgres, moving.in_milvus) == (True, True)
    assert (settled.in_postgres, settled.in_milvus) == (False, True)


async def test_who_changes_the_place_waits_for_who_stores_there(services: Services) -> None:
    engine_id = await new_engine(services, POSTGRES)

    async def change() -> None:
        async with services.database.engine.begin() as connection:
            await lock_placement(connection, engine_id)
            await change_placement(connection, engine_id, POSTGRES, MILVUS)

    async with services.database.engine.begin() as storing:
        held = await hold_placement(storing, engine_id)
        changing = asyncio.create_task(change())
        await until_somebody_waits(services)
        between = await placement_of(services, engine_id)
    await changing

    assert held == between == Placement(POSTGRES)
    assert await placement_of(services, engine_id) == Placement(POSTGRES, MILVUS)


async def test_deletion_is_noted_only_where_milvus_may_have_something(services: Services) -> None:
    in_postgres, moving, in_milvus = [
        await new_engine(services, store) for store in (POSTGRES, POSTGRES, MILVUS)
    ]
    async with services.database.engine.begin() as connection:
        await change_placement(connection, moving, POSTGRES, MILVUS)
        for engine_id in (in_postgres, moving, in_milvus, in_milvus):
            await insert_unclaimed_vectors(connection, engine_id, "ds_1")
        noted = await connection.execute(text("SELECT knowledge_engine_id FROM unclaimed_vectors"))

        assert set(noted.scalars()) == {moving, in_milvus}


async def until_somebody_waits(services: Services) -> None:
    """Return when somebody waits for a lock that is no row's."""
    statement = text(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
        " WHERE NOT granted AND locktype = 'advisory' AND datname = current_database()"
    )
    async with services.database.reading() as session:
        while not await session.scalar(statement):  # noqa: ASYNC110  # Nothing tells it.
            await asyncio.sleep(0.01)
