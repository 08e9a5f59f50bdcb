from app.services import Services
from config.model_table import load_model_table
from tests.app.console.browser import Browser, text_of

CARD = "//li[.//h2 = 'delta-4.1']"


async def test_every_model_is_shown_with_what_answers(browser: Browser, services: Services) -> None:
    root = await browser.page("/models")

    shown = [one.text_content() for one in root.xpath("//li//h2")]
    assert shown == list(services.models.models)
    deployments = [one.text_content() for one in root.xpath(f"{CARD}//li/code")]
    assert deployments == [one.model for one in services.models.models["delta-4.1"].deployments]


async def test_model_without_credentials_says_what_to_set(
    browser: Browser, services: Services
) -> None:
    services.models = load_model_table(services.settings.models_file, lambda _: "")

    root = await browser.page("/models")

    assert "OPENAI_API_KEY" in text_of(root, f"{CARD}//p[@class='why']")
    assert not root.xpath("//li//form")


async def test_model_is_switched_off_and_on_again(browser: Browser, engine: str) -> None:
    off = await browser.part("POST", "/models/delta-4.1", is_on="no")
    refused = await ask(browser, engine)
    on = await browser.part("POST", "/models/delta-4.1", is_on="yes")

    badge = "//span[contains(@class, 'badge')]"
    assert (text_of(off, badge), text_of(on, badge)) == ("switched off", "on")
    assert refused == "Model Delta 4.1 is not enabled"


async def test_model_that_is_none_cannot_be_switched(browser: Browser) -> None:
    refused = await browser.refusal("POST", "/models/delta-9", is_on="no")

    assert refused == (400, "Model delta-9 not supported")


async def ask(browser: Browser, engine_id: str) -> str:
    """Ask with this model, and return why it was refused."""
    body = {"name": "x", "query": "What?", "model": "delta-4.1"}
    headers = {"X-CSRF-Token": browser.token}
    path = f"/engines/{engine_id}/ask"
    response = await browser.client.post(path, json=body, headers=headers)
    return str((await response.get_json())["error"])
