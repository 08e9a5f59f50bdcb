import pytest
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.page_of_rows import PageRequest
from app.models.workflow import (
    claim_context,
    delete_workflow,
    insert_workflow,
    select_turns,
    select_workflow,
    select_workflows,
)
from app.services import Services
from tests.app.models.rows import new_engine, workflow


async def test_first_turn_makes_the_conversation(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await insert_workflow(session, workflow(account_id, "kng_1", 1))
        await insert_workflow(session, workflow(account_id, "kng_1", 2))

        context = await claim_context(session, account_id, "ctx_1", "kng_9")

    assert context.knowledge_engine_id == "kng_1"


async def test_two_accounts_may_name_their_conversations_alike(services: Services) -> None:
    async with services.database.transaction() as session:
        for number in (1, 2):
            account_id = await new_engine(session, f"kng_{number}")
            await insert_workflow(session, workflow(account_id, f"kng_{number}", number))

        context = await claim_context(session, account_id, "ctx_1", "kng_9")

    assert context.knowledge_engine_id == "kng_2"


async def test_turns_are_the_latest_in_which_something_was_said(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        for number in range(1, 5):
            row = workflow(account_id, "kng_1", number)
            row.response = "" if number == 3 else f"Answer {number}"
            await insert_workflow(session, row)

        turns = await select_turns(session, account_id, "ctx_1", 2)

    assert [turn.response for turn in turns] == ["Answer 4", "Answer 2"]


@pytest.mark.parametrize(
    ("engine_id", "context_id", "expected"),
    [
        pytest.param(None, None, "321", id="all"),
        pytest.param("kng_1", None, "31", id="engine"),
        pytest.param(None, "ctx_2", "32", id="context"),
        pytest.param("kng_1", "ctx_2", "3", id="both"),
        pytest.param("kng_9", None, "", id="none"),
    ],
)
async def test_list_is_newest_first_and_can_be_narrowed(
    services: Services, engine_id: str | None, context_id: str | None, expected: str
) -> None:
    page = PageRequest(newest_first=True)
    async with services.database.transaction() as session:
        account_id = await with_three(session)

        found = await select_workflows(
            session, account_id, page, engine_id=engine_id, context_id=context_id
        )

    assert [one.id for one in found] == [f"wfl_{number}" for number in expected]


async def test_workflow_is_found_by_its_account_only(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await with_three(session)

        own = await select_workflow(session, account_id, "wfl_1")
        others = await select_workflow(session, account_id + 1, "wfl_1")

    assert own is not None
    assert others is None


async def test_deleted_workflow_is_gone(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await with_three(session)
        first = await select_workflow(session, account_id, "wfl_1")
        assert first is not None

        await delete_workflow(session, first)

        found = await select_workflows(session, account_id, PageRequest())
        assert [one.id for one in found] == ["wfl_2", "wfl_3"]


async def with_three(session: AsyncSession) -> int:
    """Store three workflows, in two engines and two conversations, of one account."""
    await new_engine(session, "kng_2")
    account_id = await new_engine(session, "kng_1")
    for number, engine_id, context_id in (
        (1, "kng_1", "ctx_1"),
        (2, "kng_2", "ctx_2"),
        (3, "kng_1", "ctx_2"),
    ):
        row = workflow(account_id, engine_id, number, context_id=context_id)
        await insert_workflow(session, row)
    return account_id
