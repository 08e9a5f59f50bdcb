from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from app.jobs import EXTRACT
from app.models.knowledge_engine import KnowledgeEngine, delete_knowledge_engine, hold_engine
from app.models.page_of_rows import PageRequest
from app.models.tool_run import (
    Ending,
    ToolRun,
    ToolRunStatus,
    append_fields,
    begin_attempt,
    delete_tool_run,
    end_attempt,
    fail_silent_runs,
    forget_data_source,
    hold_data_sources,
    insert_tool_run,
    put_back,
    select_lost_tool_runs,
    select_new_fields,
    select_tool_run,
    select_tool_run_counts,
    select_tool_runs,
    touch_attempt,
)
from app.services import Services
from tests.app.models.rows import data_source, new_engine

COMPLETED = Ending(None, 12.5, "built-in", {"steps": []})


@pytest.fixture
async def run(services: Services) -> ToolRun:
    """A queued run over the data source ds_1 of the engine kng_1."""
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        session.add(data_source(account_id, "kng_1", 1))
        return await insert(session, tool_run(account_id, "trun_1"))


async def test_run_is_found_by_its_account_only(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        assert await select_tool_run(session, run.account_id, run.id) == run
        assert await select_tool_run(session, run.account_id + 1, run.id) is None
        assert await select_tool_run(session, run.account_id, "trun_2") is None


async def test_runs_are_listed_by_account_and_engine(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        page = PageRequest(newest_first=True)
        second = await insert(session, tool_run(run.account_id, "trun_2"))

        assert await select_tool_runs(session, run.account_id, page) == [second, run]
        assert await select_tool_runs(session, run.account_id + 1, page) == []
        assert await select_tool_runs(session, run.account_id, page, engine_id="kng_2") == []


async def test_finished_fields_are_told_from_any_of_them_on(
    services: Services, run: ToolRun
) -> None:
    async with services.database.transaction() as session:
        attempt = await begun(session, run)
        for names in ("a", "bc"):
            assert await append_fields(session, attempt, [a_field(name) for name in names])

        told = [await select_new_fields(session, run.id, after) for after in range(5)]

    names = [[one["field_name"] for one in found[1]] for found in told if found]
    assert names == [["a", "b", "c"], ["b", "c"], ["c"], [], []]
    assert {found[0] for found in told if found} == {ToolRunStatus.PROCESSING}


async def test_run_that_is_gone_has_no_fields(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        await delete_tool_run(session, run)

        assert await select_new_fields(session, run.id, 0) is None
        assert await begin_attempt(session, run.id) is None


async def test_run_ends_as_its_attempt_did(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        attempt = await begun(session, run)
        assert await end_attempt(session, attempt, COMPLETED)

        ended = await read(session, run)

    assert (ended.status, ended.error, ended.model_used) == ("completed", None, "built-in")
    assert (ended.processing_time_ms, ended.usage) == (12.5, {"steps": []})
    assert ended.is_over


@pytest.mark.parametrize("ending", [COMPLETED, Ending("it failed", 1.0, None, {})])
async def test_run_that_has_ended_is_left_alone(
    services: Services, run: ToolRun, ending: Ending
) -> None:
    async with services.database.transaction() as session:
        attempt = await begun(session, run)
        await end_attempt(session, attempt, ending)

        assert not await append_fields(session, attempt, [a_field("late")])
        assert not await touch_attempt(session, attempt, {})
        assert not await end_attempt(session, attempt, Ending("late", 0.0, None, {}))
        assert await begin_attempt(session, run.id) is None
        assert (await read(session, run)).error == ending.error


async def test_attempt_that_was_followed_by_another_writes_nothing_more(
    services: Services, run: ToolRun
) -> None:
    async with services.database.transaction() as session:
        first = await begun(session, run)
    async with services.database.transaction() as session:
        second = await begun(session, run)

        assert (first.attempts, second.attempts) == (1, 2)
        assert not await touch_attempt(session, first, {})
        assert not await append_fields(session, first, [a_field("a")])
        assert not await end_attempt(session, first, COMPLETED)
        assert await touch_attempt(session, second, {"steps": []})
        assert await append_fields(session, second, [a_field("a")])


@pytest.mark.parametrize(("counts", "attempts"), [(True, 1), (False, 0)])
async def test_run_that_is_put_back_waits_again(
    services: Services, run: ToolRun, counts: bool, attempts: int
) -> None:
    async with services.database.transaction() as session:
        attempt = await begun(session, run)
        await append_fields(session, attempt, [a_field("a")])
        await put_back(session, attempt, {"steps": []}, counts=counts)

        waiting = await read(session, run)

    assert (waiting.status, waiting.attempts, waiting.usage) == ("queued", attempts, {"steps": []})
    assert waiting.extracted_fields == [a_field("a")]


async def test_unfinished_runs_are_counted(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        for number in (2, 3, 4):
            await insert(session, tool_run(run.account_id, f"trun_{number}"))
        await begin_attempt(session, "trun_2")
        await end_attempt(session, await begun(session, run), COMPLETED)

        assert await select_tool_run_counts(session) == {"queued": 2, "processing": 1}


async def test_run_nobody_waits_for_is_lost_without_a_job(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        for number in (2, 3, 4):
            await insert(session, tool_run(run.account_id, f"trun_{number}", async_response=True))
        await services.queue.defer(session, "trun_2", "kng_1", EXTRACT)
        ended = await begin_attempt(session, "trun_3")
        assert ended is not None
        await end_attempt(session, ended, COMPLETED)

        assert await select_lost_tool_runs(session) == [("trun_4", "kng_1")]


async def test_run_a_client_waits_for_fails_in_silence(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        for number in (2, 3):
            await insert(session, tool_run(run.account_id, f"trun_{number}", async_response=True))
        await insert(session, tool_run(run.account_id, "trun_4"))
    await execute(services, "UPDATE tool_run SET heartbeat_at = now() - interval '20 seconds'")
    async with services.database.transaction() as session:
        await begin_attempt(session, "trun_4")

        assert await fail_silent_runs(session, timedelta(seconds=10), "it died") == ["trun_1"]
        assert (await read(session, run)).error == "it died"


async def test_deleted_data_source_is_quoted_no_more(services: Services, run: ToolRun) -> None:
    quoting = [a_field("a", "ds_1"), a_field("b", "ds_2"), a_field("c", "ds_1", "ds_2")]
    async with services.database.transaction() as session:
        attempt = await begun(session, run)
        await append_fields(session, attempt, quoting)
        await end_attempt(session, attempt, COMPLETED)
    async with services.database.transaction() as session:
        await forget_data_source(session, "kng_1", "ds_1", "it was deleted")
    async with services.database.transaction() as session:
        kept = await read(session, run)

    assert (kept.status, kept.error) == ("completed", None)
    assert [one["value"] for one in kept.extracted_fields] == ["value"] * 3
    assert [[it["data_source_id"] for it in one["evidence"]] for one in kept.extracted_fields] == [
        [],
        ["ds_2"],
        ["ds_2"],
    ]
    assert [one["reason"] for one in kept.extracted_fields] == [
        "the data source it was found in was deleted",
        "because",
        "the data source it was found in was deleted",
    ]


async def test_run_fails_with_the_deletion_of_its_data_source(
    services: Services, run: ToolRun
) -> None:
    async with services.database.transaction() as session:
        other = await insert(session, tool_run(run.account_id, "trun_2", source_id="ds_2"))
        attempt = await begun(session, run)
    async with services.database.transaction() as session:
        await forget_data_source(session, "kng_1", "ds_1", "it was deleted")
    async with services.database.transaction() as session:
        failed = await read(session, run)

        assert (failed.status, failed.error) == ("failed", "it was deleted")
        assert not await append_fields(session, attempt, [a_field("late")])
        assert (await read(session, other)).status == "queued"


async def test_runs_go_with_their_engine(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        engine = await session.get_one(KnowledgeEngine, "kng_1")
        await delete_knowledge_engine(session, engine)

        assert await select_tool_run(session, run.account_id, run.id) is None


async def test_data_sources_of_the_account_are_held(services: Services, run: ToolRun) -> None:
    async with services.database.transaction() as session:
        await hold_engine(session, "kng_1")

        held = await hold_data_sources(session, run.account_id, ["ds_1", "ds_2"])

        assert list(held) == ["ds_1"]
        assert await hold_data_sources(session, run.account_id + 1, ["ds_1"]) == {}


def tool_run(account_id: int, run_id: str, *, source_id: str = "ds_1", **fields: Any) -> ToolRun:
    tool = {"tagged_data_sources": [{"id": source_id}], "fields": []}
    return ToolRun(
        id=run_id, account_id=account_id, knowledge_engine_id="kng_1", tool=tool, **fields
    )


def a_field(name: str, *source_ids: str) -> dict[str, Any]:
    evidence = [{"data_source_id": one, "text": "words"} for one in source_ids]
    return {"field_name": name, "value": "value", "evidence": evidence, "reason": "because"}


async def insert(session: AsyncSession, run: ToolRun) -> ToolRun:
    await insert_tool_run(session, run)
    return run


async def begun(session: AsyncSession, run: ToolRun) -> ToolRun:
    """Begin an attempt, and return the run as it is then."""
    attempt = await begin_attempt(session, run.id)
    assert attempt is not None
    return attempt


async def read(session: AsyncSession, run: ToolRun) -> ToolRun:
    """Return the run as the database has it."""
    session.expire_all()
    found = await select_tool_run(session, run.account_id, run.id)
    assert found is not None
    return found


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))
