from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from app.models.knowledge_engine import KnowledgeEngine, insert_knowledge_engine
from app.models.page_of_rows import PageRequest, one_page
from app.services import Services
from tests.app.models.rows import new_engine

MOMENT = datetime(2024, 4, 2, tzinfo=UTC)
# Two are of the same instant: their ids decide.
MADE_AFTER_SECONDS = {"kng_d": 0, "kng_b": 1, "kng_c": 1, "kng_a": 2}


@pytest.mark.parametrize(
    ("page", "names"),
    [
        pytest.param(PageRequest(), "dbca", id="all"),
        pytest.param(PageRequest(newest_first=True), "acbd", id="newest first"),
        pytest.param(PageRequest(limit=2), "db", id="first page"),
        pytest.param(PageRequest(limit=2, after="kng_b"), "ca", id="second page"),
        pytest.param(PageRequest(limit=2, after="kng_a"), "", id="behind the last"),
        pytest.param(
            PageRequest(limit=2, after="kng_c", newest_first=True), "bd", id="newest first, after"
        ),
        pytest.param(PageRequest(after="kng_nobody"), "", id="after an unknown one"),
        pytest.param(PageRequest(after="kng_other"), "", id="after somebody else's"),
    ],
)
async def test_page_is_cut_out_of_the_list(
    services: Services, page: PageRequest, names: str
) -> None:
    async with services.database.transaction() as session:
        await new_engine(session, "kng_other")
        account_id = await new_engine(session, "kng_e")
        for engine_id, seconds in MADE_AFTER_SECONDS.items():
            made = MOMENT + timedelta(seconds=seconds)
            await insert_knowledge_engine(
                session,
                KnowledgeEngine(id=engine_id, account_id=account_id, name="n", created_at=made),
            )
        statement = select(KnowledgeEngine).where(
            KnowledgeEngine.account_id == account_id, KnowledgeEngine.id != "kng_e"
        )

        rows = (await session.exec(one_page(statement, KnowledgeEngine, page))).all()

    assert [row.id for row in rows] == [f"kng_{name}" for name in names]
