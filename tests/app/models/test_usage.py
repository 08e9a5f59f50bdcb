from datetime import UTC, datetime
from typing import Any

from app.ids import CONTEXT, TOOL_RUN, WORKFLOW, new_id
from app.models.account import insert_account
from app.models.knowledge_engine import KnowledgeEngine, insert_knowledge_engine
from app.models.tool_run import ToolRun
from app.models.usage import DayUsage, select_usage
from app.models.workflow import Workflow, insert_workflow
from app.services import Services

NOON = datetime(2024, 3, 31, 12, tzinfo=UTC)


async def test_questions_and_extractions_add_up_by_day_and_model(services: Services) -> None:
    async with services.database.transaction() as session:
        account = await insert_account(session, "default")
        assert account.id is not None
        engine = KnowledgeEngine(id="kng_1", account_id=account.id, name="x")
        await insert_knowledge_engine(session, engine)
        for moment, price in ((NOON, 0.5), (NOON, None), (NOON.replace(day=30), 0.25)):
            await insert_workflow(session, workflow(account.id, moment, price))
        await insert_workflow(session, workflow(account.id, NOON.replace(day=1), 9.0))
        session.add(tool_run(account.id))
        await session.flush()

        used = await select_usage(session, account.id, NOON.replace(day=30, hour=0))

    assert used == [
        DayUsage(NOON.date(), "delta-4.1", 2, 1, 30, 3, 1.5, 1),
        DayUsage(NOON.date().replace(day=30), "delta-4.1", 1, 0, 10, 1, 0.25, 0),
    ]


def workflow(account_id: int, moment: datetime, price: float | None) -> Workflow:
    return Workflow(
        id=new_id(WORKFLOW),
        account_id=account_id,
        knowledge_engine_id="kng_1",
        context_id=new_id(CONTEXT),
        name="x",
        query="x",
        response="x",
        model="auto",
        resolved_model="delta-4.1",
        routing_reason="",
        usage=usage(price),
        created_at=moment,
    )


def tool_run(account_id: int) -> ToolRun:
    return ToolRun(
        id=new_id(TOOL_RUN),
        account_id=account_id,
        knowledge_engine_id="kng_1",
        tool={},
        model_used="delta-4.1",
        usage=usage(1.0),
        created_at=NOON,
    )


def usage(price: float | None) -> dict[str, Any]:
    return {"prompt_tokens": 10, "completion_tokens": 1, "price_usd": price}
