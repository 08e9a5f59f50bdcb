from app.models.service_secret import get_or_insert_secret
from app.services import Services


async def test_secret_is_made_once(services: Services) -> None:
    found = []
    for _ in range(2):
        async with services.database.transaction() as session:
            found.append(await get_or_insert_secret(session, "file links"))

    assert found[0] == found[1]
    assert len(found[0]) == 64


async def test_each_name_has_a_secret_of_its_own(services: Services) -> None:
    async with services.database.transaction() as session:
        one = await get_or_insert_secret(session, "one")

        assert await get_or_insert_secret(session, "other") != one
