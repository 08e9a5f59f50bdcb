import pytest
from itsdangerous import URLSafeTimedSerializer

from app.links import LINK_SECONDS, read_link, sign_link
from app.services import Services
from config.errors import NotFound


async def test_link_names_its_data_source(services: Services) -> None:
    async with services.database.transaction() as session:
        token = await sign_link(session, "ds_1")

        assert await read_link(session, token) == "ds_1"


@pytest.mark.parametrize("token", ["", "ds_1", "a.b.c"])
async def test_made_up_link_leads_nowhere(services: Services, token: str) -> None:
    async with services.database.transaction() as session:
        await sign_link(session, "ds_1")

        with pytest.raises(NotFound, match=r"^file not found$"):
            await read_link(session, token)


async def test_link_of_another_service_leads_nowhere(services: Services) -> None:
    forged = URLSafeTimedSerializer("a guess", salt="file links").dumps("ds_1")

    async with services.database.transaction() as session:
        with pytest.raises(NotFound):
            await read_link(session, forged)


def test_link_works_for_an_hour() -> None:
    assert LINK_SECONDS == 3600
