from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import insert_account
from app.models.api_key import ApiKey, insert_api_key
from app.models.data_source import insert_data_source
from app.models.references import missing_engine_told
from app.models.stream import insert_stream
from app.models.workflow import claim_context, insert_workflow
from app.services import Services
from config.errors import ReferenceNotFound
from tests.app.models.rows import data_source, new_engine, workflow

Insert = Callable[[AsyncSession, int], Awaitable[object]]


def insert_key(session: AsyncSession, account_id: int) -> Awaitable[object]:
    key = ApiKey(
        account_id=account_id, name="n", hint="ke-1", digest=b"", knowledge_engine_id="gone"
    )
    return insert_api_key(session, key)


@pytest.mark.parametrize(
    "insert",
    [
        pytest.param(
            lambda session, account_id: insert_data_source(
                session, data_source(account_id, "gone", 1)
            ),
            id="data source",
        ),
        pytest.param(
            lambda session, account_id: insert_stream(session, "strm_1", account_id, "gone"),
            id="stream",
        ),
        pytest.param(
            lambda session, account_id: claim_context(session, account_id, "ctx_1", "gone"),
            id="conversation",
        ),
        pytest.param(insert_key, id="key"),
    ],
)
async def test_what_belongs_to_an_engine_that_is_gone_is_not_stored(
    services: Services, insert: Insert
) -> None:
    async with services.database.transaction() as session:
        account = await insert_account(session, "owner")
        assert account.id is not None
        account_id = account.id

    with pytest.raises(ReferenceNotFound, match="knowledge engine not found"):
        async with services.database.transaction() as session:
            await insert(session, account_id)


async def test_other_failures_stay_what_they_are(services: Services) -> None:
    async def insert_workflow_told() -> None:
        async with services.database.transaction() as session:
            with missing_engine_told():
                await insert_workflow(session, workflow(account_id, "kng_1", 1))

    async with services.database.transaction() as session:
        account_id = await new_engine(session, "kng_1")
    await insert_workflow_told()

    with pytest.raises(IntegrityError, match="workflow_pkey"):
        await insert_workflow_told()
