import pytest

from app.models.data_source import Outcome, finish, insert_data_source, store
from app.models.knowledge_engine import (
    EngineCounts,
    EngineStatus,
    delete_knowledge_engine,
    hold_engine,
    select_engine_counts,
    select_knowledge_engine,
    select_knowledge_engines,
    select_least_counts,
)
from app.models.page_of_rows import PageRequest
from app.models.workflow import insert_workflow, select_workflows
from app.services import Services
from config.errors import ReferenceNotFound
from config.settings import EngineReadyWhen
from tests.app.models.rows import data_source, new_engine, workflow

ALL, ANY = EngineReadyWhen.ALL_PROCESSED, EngineReadyWhen.ANY_PROCESSED
READY, PROCESSING = EngineStatus.READY, EngineStatus.PROCESSING


@pytest.mark.parametrize(
    ("counts", "ready_when", "status"),
    [
        pytest.param(EngineCounts(), ALL, READY, id="empty"),
        pytest.param(EngineCounts(), ANY, READY, id="empty, any"),
        pytest.param(EngineCounts(2, 0, 2), ALL, READY, id="all read"),
        pytest.param(EngineCounts(2, 0, 0), ALL, READY, id="all failed"),
        pytest.param(EngineCounts(2, 1, 1), ALL, PROCESSING, id="half"),
        pytest.param(EngineCounts(2, 1, 1), ANY, READY, id="half, any"),
        pytest.param(EngineCounts(2, 2, 0), ANY, PROCESSING, id="none, any"),
    ],
)
def test_status_follows_from_the_counts(
    counts: EngineCounts, ready_when: EngineReadyWhen, status: EngineStatus
) -> None:
    assert counts.status(ready_when) is status


async def test_counts_tell_processing_and_active_apart(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        rows = [data_source(account_id, "kng_1", number) for number in range(4)]
        for row in rows:
            await insert_data_source(session, row)
        store(rows[0], pages=1, chunks=5, progress=0.5)
        await finish(session, rows[0], Outcome.OK, None)
        store(rows[1], pages=0, chunks=0, progress=0.5)
        await finish(session, rows[1], Outcome.FAILED, "damaged")
        await session.flush()

        counts = await select_engine_counts(session, ["kng_1", "kng_2"])

    assert counts == {"kng_1": EngineCounts(total=4, processing=2, active=1)}


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        pytest.param([], EngineCounts(), id="empty"),
        pytest.param([None, None, None], EngineCounts(1, 1, 0), id="processing"),
        pytest.param([Outcome.FAILED] * 2, EngineCounts(1, 0, 0), id="failed"),
        pytest.param([Outcome.OK] * 3, EngineCounts(1, 0, 1), id="active"),
        pytest.param([Outcome.OK, None, Outcome.FAILED], EngineCounts(2, 1, 1), id="of each kind"),
    ],
)
async def test_least_counts_have_the_status_of_all(
    services: Services, outcomes: list[Outcome | None], expected: EngineCounts
) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        for number, outcome in enumerate(outcomes):
            row = data_source(account_id, "kng_1", number)
            await insert_data_source(session, row)
            if outcome is not None:
                store(row, pages=1, chunks=5, progress=0.5)
                await finish(session, row, outcome, None)
        await session.flush()

        least = await select_least_counts(session, "kng_1")
        counts = await select_engine_counts(session, ["kng_1"])

    assert least == expected
    real = counts.get("kng_1", EngineCounts())
    assert all(least.status(when) is real.status(when) for when in EngineReadyWhen)
    assert bool(least.active) is bool(real.active)


async def test_engine_is_found_by_its_account_only(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        other_id = await new_engine(session, "kng_2")

        own = await select_knowledge_engine(session, account_id, "kng_1")
        others = await select_knowledge_engine(session, other_id, "kng_1")
        of_the_other = await select_knowledge_engines(session, other_id, PageRequest())

    assert own is not None
    assert others is None
    assert [engine.id for engine in of_the_other] == ["kng_2"]


async def test_deletion_takes_everything_along(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_data_source(session, data_source(account_id, "kng_1", 1))
        await insert_workflow(session, workflow(account_id, "kng_1", 1))
        engine = await select_knowledge_engine(session, account_id, "kng_1")
        assert engine is not None

        await delete_knowledge_engine(session, engine)

        assert await select_engine_counts(session, ["kng_1"]) == {}
        assert await select_workflows(session, account_id, PageRequest()) == []


async def test_only_an_engine_that_is_there_can_be_held(services: Services) -> None:
    async with services.database.transaction() as session:
        await new_engine(session, "kng_1")

        await hold_engine(session, "kng_1")
        with pytest.raises(ReferenceNotFound):
            await hold_engine(session, "kng_2")
