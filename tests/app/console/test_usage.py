from tests.app.console.browser import Browser, text_of
from tests.client import Client
from tests.fakes import ScriptedLLM


async def test_questions_are_counted_by_day_and_model(
    browser: Browser, client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["One."], ["Two."], ["Three."]]
    for model in ("delta-4.1", "delta-4.1", "delta-5.4"):
        await client.ask(engine, "What is the rent?", model=model)

    root = await browser.page("/usage?days=7")

    assert text_of(root, "//dl/div[1]/dd") == "3"
    rows = [row.text_content().split() for row in root.xpath("//tbody/tr")]
    assert [row[1:3] for row in rows] == [["delta-4.1", "2"], ["delta-5.4", "1"]]


async def test_other_accounts_are_not_counted(browser: Browser, stranger: Client) -> None:
    root = await browser.page("/usage?days=nonsense")

    assert text_of(root, "//dl/div[1]/dd") == "0"
    assert text_of(root, "//*[@aria-current='true']") == "30 days"
