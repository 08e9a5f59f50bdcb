from typing import Any

from app.models.account import insert_account
from app.models.data_source import insert_data_source
from app.models.deletion_receipt import (
    DeletionReceipt,
    count_citing_workflows,
    count_quoting_runs,
    count_rows_naming,
    count_rows_with,
    count_runs_over,
    insert_receipt,
    select_pending_receipts,
    select_receipt,
    select_receipts,
    update_signed,
)
from app.models.page_of_rows import PageRequest
from app.models.stream import insert_part, insert_stream
from app.models.tool_run import ToolRun, insert_tool_run
from app.models.workflow import insert_workflow
from app.services import Services
from tests.app.models.rows import data_source, new_engine, workflow


async def test_receipt_is_of_its_account_only(services: Services) -> None:
    async with services.database.transaction() as session:
        owner = await insert_account(session, "owner")
        other = await insert_account(session, "other")
        assert owner.id is not None
        assert other.id is not None
        await insert_receipt(session, new_receipt(owner.id, "drc_1"))

        assert await select_receipt(session, owner.id, "drc_1") is not None
        assert await select_receipt(session, other.id, "drc_1") is None
        assert await select_receipts(session, other.id, PageRequest()) == []


async def test_receipts_of_one_engine_are_listed(services: Services) -> None:
    async with services.database.transaction() as session:
        owner = await insert_account(session, "owner")
        assert owner.id is not None
        for number in (1, 2):
            await insert_receipt(
                session, new_receipt(owner.id, f"drc_{number}", engine_id=f"kng_{number}")
            )

        of_all = await select_receipts(session, owner.id, PageRequest(newest_first=True))
        of_one = await select_receipts(session, owner.id, PageRequest(), engine_id="kng_1")

    assert [one.id for one in of_all] == ["drc_2", "drc_1"]
    assert [one.id for one in of_one] == ["drc_1"]


async def test_receipt_is_signed_once(services: Services) -> None:
    async with services.database.transaction() as session:
        owner = await insert_account(session, "owner")
        assert owner.id is not None
        await insert_receipt(session, new_receipt(owner.id, "drc_1", places=[[1, 0, 5]]))
        pending = [one.id for one in await select_pending_receipts(session)]
        for signature in ("first", "second"):
            await update_signed(session, "drc_1", {"by": signature}, signature)
    async with services.database.transaction() as session:
        signed = await session.get_one(DeletionReceipt, "drc_1")
        left = await select_pending_receipts(session)

    assert (pending, left) == (["drc_1"], [])
    assert (signed.signature, signed.content, signed.places) == ("first", {"by": "first"}, [])


async def test_rows_that_go_with_a_row_are_counted(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await new_engine(session, "kng_2")
        for number in (1, 2):
            await insert_data_source(session, data_source(account_id, "kng_1", number))
        await insert_stream(session, "strm_1", account_id, "kng_1")
        await insert_part(session, "strm_1", 1, b"x")
        await insert_part(session, "strm_1", 2, b"y")
        await insert_workflow(session, workflow(account_id, "kng_1", 1))

        counts = await count_rows_with(session, "knowledge_engine", "id", "kng_1")
        others = await count_rows_with(session, "knowledge_engine", "id", "kng_2")

    there = {name: count for name, count in counts.items() if count}
    assert there == {
        "knowledge_engine": 1,
        "data_source": 2,
        "context": 1,
        "workflow": 1,
        "stream": 1,
        "stream_part": 2,
    }
    assert {name for name, count in others.items() if count} == {"knowledge_engine"}
    assert counts.keys() >= {"data_source_page", "tool_run"}


async def test_rows_that_name_a_row_are_found(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_data_source(session, data_source(account_id, "kng_1", 1))

        found = await count_rows_naming(session, "knowledge_engine", "kng_1")
        others = await count_rows_naming(session, "knowledge_engine", "kng_2")

    assert (found["knowledge_engine"], found["data_source"], found["workflow"]) == (1, 1, 0)
    assert set(others.values()) == {0}


async def test_what_speaks_of_a_data_source_is_counted(services: Services) -> None:
    cited = [{"data_source_id": "ds_1", "text": "In March."}]
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_workflow(session, workflow(account_id, "kng_1", 1, citations=cited))
        await insert_workflow(session, workflow(account_id, "kng_1", 2))
        await insert_tool_run(session, tool_run(account_id, "trun_1", "ds_1", quotes=True))
        await insert_tool_run(session, tool_run(account_id, "trun_2", "ds_1", quotes=False))
        await insert_tool_run(session, tool_run(account_id, "trun_3", "ds_2", quotes=True))

        assert await count_citing_workflows(session, "kng_1", "ds_1") == 1
        assert await count_quoting_runs(session, "kng_1", "ds_1") == 1
        assert await count_runs_over(session, "kng_1", "ds_1") == 2


def new_receipt(
    account_id: int, receipt_id: str, *, engine_id: str = "kng_1", **fields: Any
) -> DeletionReceipt:
    return DeletionReceipt(
        id=receipt_id, account_id=account_id, knowledge_engine_id=engine_id, content={}, **fields
    )


def tool_run(account_id: int, run_id: str, data_source_id: str, *, quotes: bool) -> ToolRun:
    evidence = [{"data_source_id": data_source_id, "text": "In March."}] if quotes else []
    return ToolRun(
        id=run_id,
        account_id=account_id,
        knowledge_engine_id="kng_1",
        tool={"tagged_data_sources": [{"id": data_source_id}]},
        extracted_fields=[{"field_name": "rent", "evidence": evidence}],
    )
