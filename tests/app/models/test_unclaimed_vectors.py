from app.models.unclaimed_vectors import (
    UnclaimedVectors,
    delete_all_unclaimed_vectors,
    delete_unclaimed_vectors,
    has_unclaimed_vectors,
    select_unclaimed_vectors,
)
from app.services import Services


async def test_note_stays_until_it_is_struck_out(services: Services) -> None:
    async with services.database.transaction() as session:
        for engine_id, data_source_id in [("kng_1", "ds_1"), ("kng_1", ""), ("kng_2", "ds_2")]:
            note = UnclaimedVectors(knowledge_engine_id=engine_id, data_source_id=data_source_id)
            session.add(note)
    async with services.database.transaction() as session:
        of_one = await select_unclaimed_vectors(session, "kng_1")
        await delete_unclaimed_vectors(session, of_one)

    async with services.database.transaction() as session:
        left = await select_unclaimed_vectors(session)
        has = [await has_unclaimed_vectors(session, one) for one in ("kng_1", "kng_2")]
        await delete_all_unclaimed_vectors(session)
        none = await select_unclaimed_vectors(session)

    assert {one.data_source_id for one in of_one} == {"ds_1", ""}
    assert [one.data_source_id for one in left] == ["ds_2"]
    assert (has, none) == ([False, True], [])


async def test_notes_that_others_work_on_are_left_to_them(services: Services) -> None:
    async with services.database.transaction() as session:
        session.add(UnclaimedVectors(knowledge_engine_id="kng_1", data_source_id="ds_1"))

    async with services.database.transaction() as one, services.database.transaction() as other:
        taken = await select_unclaimed_vectors(one)

        assert len(taken) == 1
        assert await select_unclaimed_vectors(other) == []
