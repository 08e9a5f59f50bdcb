import re

from sqlmodel import select

from app.console.welcome import link_digest, new_sign_in_address
from app.models.account import insert_account
from app.models.sign_in_link import SignInLink
from app.services import Services


async def test_only_the_hash_of_an_address_is_stored(services: Services) -> None:
    async with services.database.transaction() as session:
        account = await insert_account(session, "default")
        address = await new_sign_in_address(session, account, "https://ke.example/")
        (link,) = (await session.exec(select(SignInLink))).all()

    match = re.fullmatch(r"https://ke\.example/welcome\?token=([\w-]{43})", address)
    assert match is not None
    assert link.digest == link_digest(match[1])
    assert match[1] not in repr(link)
