import re
from datetime import UTC, datetime, timedelta

import pytest
from quart import Quart
from sqlmodel import update

from app.application import create_app
from app.console.sessions import COOKIE, OPEN_PAGES
from app.database import Database
from app.models.console_session import ConsoleSession
from app.services import Services
from config.settings import load_settings
from tests.app.console.browser import HTML, Browser, signed_in
from tests.app.console.test_sign_in import make_address, welcome
from tests.client import Client


async def test_every_page_asks_for_a_session(app: Quart, client: Client) -> None:
    nobody = Browser(app.test_client())

    answers = {}
    for rule in app.url_map.iter_rules():
        path = re.sub("<[^>]+>", "1", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if rule.endpoint.startswith("console.") and rule.endpoint not in OPEN_PAGES:
                response = await nobody.client.open(path, method=method, headers=HTML)
                place = response.headers.get("Location", "").partition("?")[0]
                answers[method, path] = response.status_code, place

    assert len(answers) > 30
    assert set(answers.values()) == {(303, "/sign-in")}, answers


async def test_key_of_the_api_opens_no_page(client: Client) -> None:
    response = await client.call("GET", "/keys", headers=HTML)

    assert response.status_code == 303


async def test_session_opens_nothing_of_the_api(browser: Browser) -> None:
    response = await browser.client.get("/api/v1/knowledge-engines")

    assert response.status_code == 401


async def test_cookie_can_neither_be_read_by_scripts_nor_sent_by_other_sites(
    app: Quart, client: Client, services: Services
) -> None:
    cookie = await cookie_of(app, client)

    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


async def test_cookie_goes_over_https_only_where_the_service_is_reached_so(
    client: Client, services: Services
) -> None:
    services.settings = load_settings(
        data_dir=services.settings.data_dir, public_url="https://ke.example"
    )
    with pytest.warns(UserWarning, match="Secure cookies"):  # For the test itself uses http.
        cookie = await cookie_of(create_app(services), client)

    assert "Secure" in cookie.split("; ")


async def test_session_holds_in_every_process(
    services: Services, browser: Browser, client: Client
) -> None:
    other = Browser(create_app(services).test_client())
    (cookie,) = browser.client.cookie_jar or ()
    other.client.set_cookie("localhost", COOKIE, str(cookie.value))

    assert (await other.get("/")).status_code == 200


async def test_session_ends(browser: Browser, services: Services) -> None:
    await expire_all(services.database)

    assert (await browser.get("/")).status_code == 303


async def test_cookie_that_was_copied_ends_with_its_session(
    browser: Browser, services: Services, client: Client
) -> None:
    thief = Browser(create_app(services).test_client())
    (cookie,) = browser.client.cookie_jar or ()
    thief.client.set_cookie("localhost", COOKIE, str(cookie.value))
    assert (await thief.get("/")).status_code == 200

    await browser.act("POST", "/sign-out")

    assert (await thief.get("/")).status_code == 303


async def test_cookie_that_was_made_up_opens_nothing(app: Quart, client: Client) -> None:
    browser = Browser(app.test_client())
    browser.client.set_cookie("localhost", COOKIE, "Ing4eCI.abc.def")

    assert (await browser.get("/")).status_code == 303


async def test_cookie_does_not_disturb_the_api(browser: Browser, client: Client) -> None:
    headers = {"Authorization": f"Bearer {client.key}"}

    response = await browser.client.get("/api/v1/knowledge-engines", headers=headers)

    assert response.status_code == 200


@pytest.mark.parametrize("token", ["", "0" * 64, "é", "of another session"])
async def test_change_without_the_token_of_its_session_is_refused(
    app: Quart, services: Services, browser: Browser, client: Client, token: str
) -> None:
    if token == "of another session":
        token = (await signed_in(app, services)).token
    browser.token = token

    status, message = await browser.refusal("POST", "/engines", name="Forged")

    assert (status, message) == (403, "Load the page again, and repeat what you did.")
    assert await client.get("/knowledge-engines") == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/engines", "/sign-in", "/welcome"])
async def test_change_that_another_site_has_made_is_refused(
    visitor: Browser, headers: dict[str, str], path: str
) -> None:
    headers = headers | HTML | {"X-CSRF-Token": visitor.token}

    response = await visitor.client.post(path, form={"name": "Forged"}, headers=headers)

    assert response.status_code == 403


async def test_change_of_the_page_itself_says_so_and_is_let_through(browser: Browser) -> None:
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}

    response = await browser.client.post(
        "/engines", form={"name": "Leases"}, headers=headers | {"X-CSRF-Token": browser.token}
    )

    assert response.status_code == 204


async def cookie_of(app: Quart, client: Client) -> str:
    """Sign in and return the cookie as it is sent."""
    browser = Browser(app.test_client())
    response = await welcome(browser, await make_address(client.services))
    return response.headers["Set-Cookie"]


async def expire_all(database: Database) -> None:
    async with database.transaction() as session:
        past = datetime.now(UTC) - timedelta(seconds=1)
        await session.exec(update(ConsoleSession).values(expires_at=past))
