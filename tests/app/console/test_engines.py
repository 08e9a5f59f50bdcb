from tests.app.console.browser import Browser, text_of
from tests.client import Client


async def test_engines_are_listed_with_count_and_state(browser: Browser, engine: str) -> None:
    root = await browser.page("/")

    card = "//li[contains(@class, 'engine')]"
    assert text_of(root, f"{card}//h2") == "Leases"
    assert text_of(root, f"{card}//*[contains(@class, 'badge')]") == "ready"
    assert text_of(root, f"{card}/p[@class='meta']") == "1 document"
    assert root.xpath(f"{card}//h2/a/@href") == [f"/engines/{engine}"]


async def test_list_asks_again_only_while_something_is_read(
    browser: Browser, client: Client
) -> None:
    engine_id = await client.create_engine()
    await client.upload(engine_id, b"A lease.", name="lease")
    during = (await browser.page("/engines")).xpath("//*[@id='engines']/@hx-trigger")
    await client.read_all(engine_id)

    after = (await browser.page("/engines")).xpath("//*[@id='engines']/@hx-trigger")

    assert (during, after) == (["every 3s"], [])


async def test_engine_is_created(browser: Browser, client: Client) -> None:
    response = await browser.act("POST", "/engines", name=" Leases ", description="since 2019")

    (engine,) = await client.get("/knowledge-engines")
    assert (engine["name"], engine["description"]) == ("Leases", "since 2019")
    assert response.headers["HX-Redirect"] == f"/engines/{engine['id']}"


async def test_engine_without_a_name_is_refused_in_the_page(browser: Browser) -> None:
    assert await browser.refusal("POST", "/engines", name=" ") == (400, "Give it a name.")


async def test_engine_is_changed(browser: Browser, client: Client, engine: str) -> None:
    changes = {"name": "Contracts", "description": "all", "notes": '{"team": "legal"}'}

    saved = await browser.part("POST", f"/engines/{engine}/settings", **changes)

    changed = await client.get(f"/knowledge-engines/{engine}")
    assert changed["notes"] == {"team": "legal"}
    assert (changed["name"], changed["description"]) == ("Contracts", "all")
    assert "Contracts" in text_of(saved, "//*[@id='snippet-curl']")


async def test_notes_that_are_no_object_are_refused(browser: Browser, engine: str) -> None:
    path = f"/engines/{engine}/settings"

    status, message = await browser.refusal("POST", path, name="Contracts", notes="[1]")

    assert status == 400
    assert message.startswith("The notes must be a JSON object")


async def test_what_goes_with_an_engine_is_said_before_it_is_deleted(
    browser: Browser, client: Client, engine: str
) -> None:
    await client.ask(engine, "When does the lease end?", model="delta-4.1")

    root = await browser.page(f"/engines/{engine}/settings")

    listed = text_of(root, "//dialog[@id='delete-engine']/ul")
    assert "1 document, with their files" in listed
    assert "0 questions" in listed  # The one that was asked has failed, so it was not kept.


async def test_engine_is_deleted(browser: Browser, client: Client, engine: str) -> None:
    response = await browser.act("DELETE", f"/engines/{engine}")

    assert response.headers["HX-Redirect"] == "/"
    assert await client.get("/knowledge-engines") == []


async def test_engine_of_another_account_is_not_there(browser: Browser, stranger: Client) -> None:
    theirs = await stranger.create_engine()

    response = await browser.get(f"/engines/{theirs}")

    assert response.status_code == 404
    assert (await browser.act("DELETE", f"/engines/{theirs}")).status_code == 404
    assert len(await stranger.get("/knowledge-engines")) == 1
