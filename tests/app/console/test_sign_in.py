from datetime import UTC, datetime, timedelta

import pytest
from quart import Quart
from quart.wrappers import Response
from sqlmodel import update

from app.console.sign_in import local_path
from app.console.throttle import PER_ADDRESS
from app.console.welcome import new_sign_in_address
from app.models.account import select_first_account
from app.models.sign_in_link import SignInLink
from app.services import Services
from tests.app.console.browser import PASSWORD, Browser, text_of
from tests.client import Client


@pytest.fixture
async def address(client: Client, services: Services) -> str:
    """A sign-in address of the first account, without its host."""
    return await make_address(services)


async def test_address_lets_its_reader_choose_a_password_and_in(app: Quart, address: str) -> None:
    browser = Browser(app.test_client())

    response = await welcome(browser, address)

    assert (response.status_code, response.headers["Location"]) == (303, "/")
    assert (await browser.get("/")).status_code == 200


async def test_address_works_once(app: Quart, address: str) -> None:
    await welcome(Browser(app.test_client()), address)
    second = Browser(app.test_client())

    response = await welcome(second, address)

    assert response.status_code == 404
    assert (await second.get(address)).status_code == 404
    assert (await second.get("/")).status_code == 303


async def test_looking_at_an_address_does_not_use_it_up(app: Quart, address: str) -> None:
    browser = Browser(app.test_client())
    for _ in range(3):
        await browser.page(address)

    assert (await welcome(browser, address)).status_code == 303


async def test_address_does_not_work_after_its_time(
    app: Quart, services: Services, address: str
) -> None:
    async with services.database.transaction() as session:
        past = datetime.now(UTC) - timedelta(seconds=1)
        await session.exec(update(SignInLink).values(expires_at=past))

    assert (await welcome(Browser(app.test_client()), address)).status_code == 404


async def test_short_password_is_refused_and_the_address_stays_good(
    app: Quart, address: str
) -> None:
    browser = Browser(app.test_client())

    refused = await welcome(browser, address, "short")

    assert refused.status_code == 400
    assert "at least 10 characters" in await refused.get_data(as_text=True)
    assert (await welcome(browser, address)).status_code == 303


async def test_new_password_signs_every_browser_out(
    app: Quart, services: Services, address: str
) -> None:
    old = Browser(app.test_client())
    await welcome(old, address)

    await welcome(Browser(app.test_client()), await make_address(services))

    assert (await old.get("/")).status_code == 303


async def test_owner_signs_in_and_gets_to_the_page_that_was_asked_for(
    app: Quart, address: str
) -> None:
    await welcome(Browser(app.test_client()), address)
    browser = Browser(app.test_client())

    asked = await browser.get("/keys")
    response = await browser.submit(asked.headers["Location"], password=PASSWORD)

    assert asked.headers["Location"] == "/sign-in?next=/keys"
    assert (response.status_code, response.headers["Location"]) == (303, "/keys")
    assert (await browser.get("/keys")).status_code == 200


async def test_another_password_is_refused(app: Quart, address: str) -> None:
    await welcome(Browser(app.test_client()), address)
    browser = Browser(app.test_client())

    for password in ("", PASSWORD + " ", PASSWORD.upper(), "x" * 100_000):
        response = await browser.submit("/sign-in", password=password)
        assert response.status_code == 400

    assert (await browser.get("/")).status_code == 303


async def test_guessing_ends_after_some_attempts_even_with_the_password(
    app: Quart, address: str
) -> None:
    await welcome(Browser(app.test_client()), address)
    browser = Browser(app.test_client())
    for _ in range(PER_ADDRESS):
        await browser.submit("/sign-in", password="a guess of some length")

    response = await browser.submit("/sign-in", password=PASSWORD)

    assert response.status_code == 429
    assert response.headers["Retry-After"] == "900"
    assert "ke console-link" in await response.get_data(as_text=True)


async def test_without_a_password_nobody_signs_in(app: Quart, client: Client) -> None:
    response = await Browser(app.test_client()).submit("/sign-in", password="")

    assert response.status_code == 400
    assert "No password is set yet." in await response.get_data(as_text=True)


async def test_signed_out_browser_is_out(browser: Browser) -> None:
    response = await browser.submit("/sign-out")

    assert response.headers["Location"] == "/sign-in"
    assert (await browser.get("/")).status_code == 303


async def test_signing_out_everywhere_ends_every_session(
    app: Quart, services: Services, address: str
) -> None:
    one, other = Browser(app.test_client()), Browser(app.test_client())
    await welcome(one, address)
    await other.submit("/sign-in", password=PASSWORD)
    await one.read_token()

    await one.submit("/sign-out-everywhere")

    assert (await one.get("/")).status_code == (await other.get("/")).status_code == 303


async def test_changed_password_keeps_this_browser_only(app: Quart, address: str) -> None:
    one, other = Browser(app.test_client()), Browser(app.test_client())
    await welcome(one, address)
    await other.submit("/sign-in", password=PASSWORD)
    await one.read_token()

    wrong = await one.submit("/account", password="not this one", new_password="a new password")
    right = await one.submit("/account", password=PASSWORD, new_password="a new password")

    assert (wrong.status_code, right.status_code) == (400, 303)
    assert (await one.get("/")).status_code == 200
    assert (await other.get("/")).status_code == 303
    assert (await other.submit("/sign-in", password="a new password")).status_code == 303


async def test_what_was_changed_is_said(browser: Browser) -> None:
    root = await browser.page("/account?changed=1")

    assert "Your password is changed" in text_of(root, "//main//p[@role='status']")


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("/keys?x=1", "/keys?x=1"),
        ("", "/"),
        ("https://elsewhere.example", "/"),
        ("//elsewhere.example", "/"),
        ("/\\elsewhere.example", "/"),
        ("/\t/elsewhere.example", "/"),
    ],
)
def test_signing_in_leads_to_pages_of_this_service_only(target: str, path: str) -> None:
    assert local_path(target) == path


async def make_address(services: Services) -> str:
    async with services.database.transaction() as session:
        account = await select_first_account(session)
        assert account is not None
        address = await new_sign_in_address(session, account, "http://localhost/")
    return address.removeprefix("http://localhost")


async def welcome(browser: Browser, address: str, password: str = PASSWORD) -> Response:
    """Choose a password at a sign-in address."""
    return await browser.submit("/welcome", token=address.partition("=")[2], password=password)
