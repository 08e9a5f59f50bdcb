import asyncio

import pytest
from sqlalchemy.exc import IntegrityError

from app.models.data_source import (
    Outcome,
    Stage,
    delete_data_source,
    finish,
    insert_data_source,
    select_blob_keys,
    select_data_source,
    select_data_source_to_read,
    select_data_sources,
    select_lost_data_sources,
    store,
    update_attempt,
    update_interrupted,
    update_progress,
)
from app.models.page_of_rows import PageRequest
from app.services import Services
from config.errors import DuplicateFile, ReferenceNotFound
from tests.app.models.rows import data_source, new_engine


async def test_data_source_is_found_by_its_account_only(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_data_source(session, data_source(account_id, "kng_1", 1))

        own = await select_data_source(session, account_id, "ds_1")
        others = await select_data_source(session, account_id + 1, "ds_1")

    assert own is not None
    assert others is None


async def test_same_bytes_stand_once_in_an_engine(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_data_source(session, data_source(account_id, "kng_1", 1, sha256="same"))

        with pytest.raises(DuplicateFile):
            await insert_data_source(session, data_source(account_id, "kng_1", 2, sha256="same"))
        await session.rollback()


@pytest.mark.parametrize(
    ("outcome", "is_duplicate"),
    [
        pytest.param(None, True, id="being read"),
        pytest.param(Outcome.OK, True, id="read"),
        pytest.param(Outcome.PARTIAL, True, id="read in part"),
        pytest.param(Outcome.FAILED, False, id="failed"),
    ],
)
async def test_failed_data_source_makes_room_for_another_try(
    services: Services, outcome: Outcome | None, is_duplicate: bool
) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        first = data_source(account_id, "kng_1", 1, sha256="same", outcome=outcome)
        await insert_data_source(session, first)
        try:
            await insert_data_source(session, data_source(account_id, "kng_1", 2, sha256="same"))
            was_refused = False
        except DuplicateFile:
            was_refused = True
            await session.rollback()

    assert was_refused == is_duplicate


async def test_engine_that_has_gone_meanwhile_is_not_found(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")

        with pytest.raises(ReferenceNotFound, match=r"^knowledge engine not found$"):
            await insert_data_source(session, data_source(account_id, "kng_gone", 1))
        await session.rollback()


async def test_other_violations_are_not_duplicates(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_data_source(session, data_source(account_id, "kng_1", 1))

        with pytest.raises(IntegrityError):
            await insert_data_source(session, data_source(account_id, "kng_1", 2, id="ds_1"))
        await session.rollback()


async def test_attempt_is_counted_and_may_be_given_back(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_data_source(session, data_source(account_id, "kng_1", 1))

        begun = await update_attempt(session, "ds_1")
        assert begun is not None
        assert (begun.attempts, begun.stage) == (1, Stage.READING)
        await update_interrupted(session, "ds_1")

        assert (begun.attempts, begun.stage) == (0, Stage.QUEUED)


async def test_attempts_with_something_new_are_not_in_vain(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_data_source(session, data_source(account_id, "kng_1", 1))
        for _ in range(3):
            row = await update_attempt(session, "ds_1")
        assert row is not None

        await update_progress(session, "ds_1", 0.5, is_new=False)
        await session.refresh(row)
        assert row.attempts == 3
        await update_progress(session, "ds_1", 0.5, is_new=True)
        await session.refresh(row)
        assert row.attempts == 1


async def test_stored_data_source_waits_for_its_vectors_only(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        row = data_source(account_id, "kng_1", 1)
        await insert_data_source(session, row)
        store(row, pages=3, chunks=7, progress=0.5)
        await session.flush()

        await update_interrupted(session, "ds_1")
        begun = await update_attempt(session, "ds_1")

    assert begun is not None
    assert (begun.stage, begun.progress) == (Stage.EMBEDDING, 0.5)


async def test_failed_data_source_counts_no_pages(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        row = data_source(account_id, "kng_1", 1)
        await insert_data_source(session, row)
        store(row, pages=3, chunks=7, progress=0.5)

        await finish(session, row, Outcome.FAILED, "it broke")

    assert (row.outcome, row.page_count, row.chunk_count) == ("failed", 0, 0)


async def test_processed_data_source_is_never_read_again(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        row = data_source(account_id, "kng_1", 1)
        await insert_data_source(session, row)
        store(row, pages=3, chunks=7, progress=0.5)
        await finish(session, row, Outcome.OK, None)
        await session.flush()

        assert await select_data_source_to_read(session, "ds_1") is None
        assert await update_attempt(session, "ds_1") is None
        await update_interrupted(session, "ds_1")
        assert not await update_progress(session, "ds_1", 0.5, is_new=True)

    assert (row.status, row.stage, row.attempts) == ("processed", "done", 1)
    assert (row.progress, row.page_count, row.chunk_count) == (1.0, 3, 7)
    assert row.processed_at is not None


async def test_progress_of_a_deleted_data_source_goes_nowhere(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        row = data_source(account_id, "kng_1", 1)
        await insert_data_source(session, row)
        known = await update_progress(session, "ds_1", 0.5, is_new=True)
        await delete_data_source(session, row)

        unknown = await update_progress(session, "ds_1", 0.6, is_new=True)

    assert (known, unknown) == (True, False)


async def test_end_of_the_reading_and_deletion_follow_each_other(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        row = data_source(account_id, "kng_1", 1)
        await insert_data_source(session, row)

    async def delete() -> None:
        async with services.database.transaction() as session:
            await delete_data_source(session, row)

    async with services.database.transaction() as session:
        await select_data_source_to_read(session, "ds_1")
        deletion = asyncio.create_task(delete())
        await asyncio.sleep(0.1)
        has_waited = not deletion.done()
    await deletion

    assert has_waited


async def test_list_is_of_one_engine_oldest_first(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        other_id = await new_engine(session, "kng_2")
        await insert_data_source(session, data_source(other_id, "kng_2", 9))
        for number in (2, 1, 3):
            await insert_data_source(session, data_source(account_id, "kng_1", number))

        found = await select_data_sources(session, "kng_1", PageRequest())
        keys = await select_blob_keys(session, "kng_1")

    assert [one.id for one in found] == ["ds_2", "ds_1", "ds_3"]
    assert sorted(keys) == ["kng_1/ds_1", "kng_1/ds_2", "kng_1/ds_3"]


async def test_data_source_without_a_job_is_lost(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        for number in (1, 2, 3):
            await insert_data_source(session, data_source(account_id, "kng_1", number))
        done = await select_data_source_to_read(session, "ds_3")
        assert done is not None
        await finish(session, done, Outcome.OK, None)
        await services.queue.defer(session, "ds_1", "kng_1")

        assert await select_lost_data_sources(session) == [("ds_2", "kng_1")]
