from typing import Any

import pytest
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.knowledge_engine import KnowledgeEngine, delete_knowledge_engine
from app.models.page_of_rows import PageRequest
from app.models.webhook import (
    Event,
    EventType,
    Webhook,
    count_webhooks,
    delete_webhook,
    disable_webhook,
    insert_webhook,
    select_receivers,
    select_webhook,
    select_webhooks,
)
from app.services import Services
from tests.app.models.rows import new_engine

TOLD = EventType.DATA_SOURCE_FINISHED


async def new_webhook(
    session: AsyncSession, account_id: int, number: int, **fields: Any
) -> Webhook:
    values: dict[str, Any] = {
        "id": f"whk_{number}",
        "account_id": account_id,
        "url": "https://example.com/hook",
        "events": [TOLD],
    }
    webhook = Webhook(**(values | fields))
    await insert_webhook(session, webhook)
    return webhook


async def test_webhooks_are_those_of_their_account(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        webhooks = [await new_webhook(session, account_id, number) for number in (1, 2)]

        assert await select_webhook(session, account_id, "whk_1") == webhooks[0]
        assert await select_webhook(session, account_id + 1, "whk_1") is None
        assert await select_webhooks(session, account_id, PageRequest()) == webhooks
        assert await select_webhooks(session, account_id + 1, PageRequest()) == []
        assert await count_webhooks(session, account_id) == 2
        assert await count_webhooks(session, account_id + 1) == 0


@pytest.mark.parametrize(
    ("fields", "is_told"),
    [
        pytest.param({}, True, id="of all engines"),
        pytest.param({"knowledge_engine_id": "kng_1"}, True, id="of this engine"),
        pytest.param({"events": [EventType.TOOL_RUN_FINISHED, TOLD]}, True, id="of two events"),
        pytest.param({"knowledge_engine_id": "kng_2"}, False, id="of another engine"),
        pytest.param({"events": [EventType.TOOL_RUN_FINISHED]}, False, id="of another event"),
        pytest.param({"disabled": True}, False, id="disabled"),
    ],
)
async def test_webhook_is_told_what_it_asks_for(
    services: Services, fields: dict[str, Any], is_told: bool
) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        session.add(KnowledgeEngine(id="kng_2", account_id=account_id, name="Other"))
        await session.flush()
        await new_webhook(session, account_id, 1, **fields)

        event = Event(TOLD, account_id, "kng_1", {})
        other = Event(TOLD, account_id + 1, "kng_1", {})

        assert await select_receivers(session, event) == (["whk_1"] if is_told else [])
        assert await select_receivers(session, other) == []


async def test_disabled_webhook_stays(services: Services) -> None:
    async with services.database.transaction() as session:
        webhook = await new_webhook(session, await new_engine(session, "kng_1"), 1)

        await disable_webhook(session, webhook.id)
        await session.refresh(webhook)

        assert webhook.disabled


async def test_deleted_webhook_is_gone(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        for number in (1, 2):
            await new_webhook(session, account_id, number)

        await delete_webhook(session, await session.get_one(Webhook, "whk_1"))

        assert [one.id for one in await select_webhooks(session, account_id, PageRequest())] == [
            "whk_2"
        ]


async def test_webhook_of_one_engine_goes_with_it(services: Services) -> None:
    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
        await new_webhook(session, account_id, 1, knowledge_engine_id="kng_1")
        await new_webhook(session, account_id, 2)

        await delete_knowledge_engine(session, await session.get_one(KnowledgeEngine, "kng_1"))

        assert [one.id for one in await select_webhooks(session, account_id, PageRequest())] == [
            "whk_2"
        ]
