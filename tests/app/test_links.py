import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from app.links import LINK_SECONDS, read_link, sign_link
from app.models.api_key import select_api_keys, update_revoked
from app.models.service_secret import get_or_insert_secret
from app.services import Services
from config.errors import NotFound
from tests.client import Client


async def test_link_names_its_data_source(services: Services) -> None:
    async with services.database.transaction() as session:
        token = await sign_link(session, "ds_1", None)

        assert await read_link(session, token) == "ds_1"


@pytest.mark.parametrize("token", ["", "ds_1", "a.b.c"])
async def test_made_up_link_leads_nowhere(services: Services, token: str) -> None:
    async with services.database.transaction() as session:
        await sign_link(session, "ds_1", None)

        with pytest.raises(NotFound, match=r"^file not found$"):
            await read_link(session, token)


async def test_link_of_another_service_leads_nowhere(services: Services) -> None:
    forged = URLSafeTimedSerializer("a guess", salt="file links").dumps("ds_1")

    async with services.database.transaction() as session:
        with pytest.raises(NotFound):
            await read_link(session, forged)


async def test_link_works_for_an_hour(services: Services) -> None:
    async with services.database.transaction() as session:
        secret = await get_or_insert_secret(session, "file links")
        links = URLSafeTimedSerializer(secret, salt="file links", signer=AnHourAgo)

        with pytest.raises(NotFound):
            await read_link(session, links.dumps("ds_1 "))

    assert LINK_SECONDS == 3600


async def test_link_ends_with_the_key_that_it_was_made_with(
    services: Services, client: Client
) -> None:
    async with services.database.transaction() as session:
        (key,) = await select_api_keys(session)
        assert key.id is not None
        token = await sign_link(session, "ds_1", key.id)
        assert await read_link(session, token) == "ds_1"

        await update_revoked(session, key.id)

        with pytest.raises(NotFound, match=r"^file not found$"):
            await read_link(session, token)


class AnHourAgo(TimestampSigner):
    """Signs with the time of an hour and a second ago."""

    def get_timestamp(self) -> int:
        return super().get_timestamp() - LINK_SECONDS - 1
