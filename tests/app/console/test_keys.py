from app.models.api_key import select_api_keys
from app.services import Services
from tests.app.console.browser import Browser, text_of
from tests.app.live_streams import all_done
from tests.client import Client


async def test_key_is_created_shown_once_and_works(browser: Browser, client: Client) -> None:
    part = await browser.part("POST", "/keys", name="laptop")
    client.key = text_of(part, "//*[@id='the-key']")

    assert (await client.call("GET", "/api/v1/workflows")).status_code == 200
    assert client.key not in await (await browser.get("/keys")).get_data(as_text=True)


async def test_action_has_the_words_of_the_specification(browser: Browser) -> None:
    root = await browser.page("/keys")

    assert text_of(root, "//button[@data-open='#new-key']") == "Create a New Key"


async def test_key_shows_when_it_was_used(
    browser: Browser, client: Client, services: Services
) -> None:
    before = await browser.page("/keys")
    await client.get("/workflows")
    await all_done(services)

    after = await browser.page("/keys")

    assert text_of(before, "//td[@data-label='Last used']") == "never"
    assert after.xpath("//td[@data-label='Last used']/time")


async def test_use_is_noted_once_a_minute(client: Client, services: Services) -> None:
    async with services.database.transaction() as session:
        (row,) = await select_api_keys(session)
    now = row.created_at

    assert row.is_due(now)
    row.last_used_at = now
    assert not row.is_due(now)


async def test_revoked_key_is_refused(browser: Browser, client: Client, services: Services) -> None:
    async with services.database.transaction() as session:
        (row,) = await select_api_keys(session)

    part = await browser.part("DELETE", f"/keys/{row.id}")

    assert text_of(part, "//tr//*[@class='badge']") == "revoked"
    assert (await client.call("GET", "/api/v1/workflows")).status_code == 401


async def test_number_that_no_key_can_have_is_not_found(browser: Browser) -> None:
    response = await browser.act("DELETE", "/keys/99999999999999999999")

    assert response.status_code == 404


async def test_key_of_another_account_cannot_be_seen_or_revoked(
    browser: Browser, stranger: Client, services: Services
) -> None:
    async with services.database.transaction() as session:
        _, theirs = await select_api_keys(session)

    refused = await browser.refusal("DELETE", f"/keys/{theirs.id}")

    assert refused == (404, "key not found")
    assert len((await browser.page("/keys")).xpath("//tbody/tr")) == 1
    assert (await stranger.call("GET", "/api/v1/workflows")).status_code == 200


async def test_key_may_do_what_was_chosen_for_it(
    browser: Browser, client: Client, services: Services
) -> None:
    engine_id = await client.create_engine("Leases")
    await client.create_engine("Salaries")

    part = await browser.part("POST", "/keys", name="reader", scope="read", engine=engine_id)

    client.key = text_of(part, "//*[@id='the-key']")
    (row,) = part.xpath("//tr[td/span='reader']")
    assert (text_of(row, "td[@data-label='May']"), text_of(row, "td[@data-label='Engine']")) == (
        "read",
        "Leases",
    )
    assert [engine["id"] for engine in await client.get("/knowledge-engines")] == [engine_id]
    refused = await client.error("PUT", f"/knowledge-engines/{engine_id}", json={"name": "Mine"})
    assert refused == (400, "this key has the scope read, this takes one with write")


async def test_key_is_for_everything_unless_something_is_chosen(browser: Browser) -> None:
    root = await browser.page("/keys")

    chosen = root.xpath("//select[@name='scope']/option[@selected]/@value")
    assert chosen == ["admin"]
    assert root.xpath("//select[@name='engine']/option/text()") == ["all engines"]
    assert text_of(root, "//td[@data-label='Engine']") == "all"


async def test_key_for_no_known_scope_or_engine_is_not_made(
    browser: Browser, stranger: Client
) -> None:
    theirs = await stranger.create_engine()

    bad_scope = await browser.refusal("POST", "/keys", name="n", scope="owner")
    bad_engine = await browser.refusal("POST", "/keys", name="n", engine=theirs)

    assert bad_scope == (400, "Choose what the key may do.")
    assert bad_engine == (404, "knowledge engine not found")
    assert len((await browser.page("/keys")).xpath("//tbody/tr")) == 1


async def test_key_needs_a_name(browser: Browser) -> None:
    assert await browser.refusal("POST", "/keys", name="") == (400, "Give it a name.")
