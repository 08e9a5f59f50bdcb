import lxml.html
from quart import Quart

from app.services import Services
from tests.app.console.browser import HTML, Browser, text_of
from tests.client import Client


async def test_unknown_page_is_told_to_a_person_in_a_page(app: Quart, client: Client) -> None:
    response = await Browser(app.test_client()).get("/nowhere")

    assert response.status_code == 404
    assert "There is nothing here" in await response.get_data(as_text=True)


async def test_unknown_route_of_the_api_stays_json_in_a_browser_too(client: Client) -> None:
    response = await client.call("GET", "/api/v1/nowhere", headers=HTML)

    assert (response.status_code, await response.get_json()) == (404, {"error": "Not Found"})


async def test_id_of_the_wrong_form_is_told_in_a_page(browser: Browser) -> None:
    response = await browser.get("/engines/nonsense")

    assert response.status_code == 400
    assert "Invalid knowledge engine ID" in await response.get_data(as_text=True)


async def test_failure_of_the_service_says_nothing_of_its_inside(
    browser: Browser, services: Services
) -> None:
    services.models = None  # type: ignore[assignment]  # To make it fail.

    response = await browser.get("/models")

    text = await response.get_data(as_text=True)
    assert response.status_code == 500
    assert "Internal Server Error" in text
    assert "NoneType" not in text


async def test_part_of_a_page_learns_that_the_session_is_over(app: Quart, client: Client) -> None:
    response = await Browser(app.test_client()).act("GET", "/engines")

    assert (response.status_code, response.headers["HX-Redirect"]) == (401, "/sign-in")


async def test_script_of_a_page_learns_that_the_session_is_over(app: Quart, client: Client) -> None:
    headers = {"Accept": "application/json"}

    response = await app.test_client().post("/engines/kng_x/ask", json={}, headers=headers)

    assert response.status_code == 401
    assert (await response.get_json())["error"] == "You are signed out. Sign in again."


async def test_error_page_leads_back(browser: Browser) -> None:
    response = await browser.get("/engines/kng_aaaaaaaaaaaaaa")
    text = await response.get_data(as_text=True)

    assert text_of(lxml.html.fromstring(text), "//main//a[@href='/']") == "To the engines"
